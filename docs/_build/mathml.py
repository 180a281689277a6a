"""Formulae as MathML: `pymdownx.arithmatex` marks them, browsers draw them, and screen readers read them."""

from __future__ import annotations

import re
from html import escape, unescape

INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
BLOCK = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.DOTALL)
UNDER = re.compile(r"\\(min|max|bigcup)_")
"""What stands below these in a formula of its own, and beside them in a line; the converter only knows the latter."""
ALIGNED = re.compile(r"(\\(?:begin|end))\{aligned\}")
"""GitHub draws this; the converter knows it by another name."""
UNDRAWN = re.compile(r">[^<]*(?:\\|&(?!#))[^<]*</m")
"""What the converter does not know, it writes as it is."""
MOVING = re.compile(r"<munder><mo>(min|max|&#x022C3;)</mo>")


def drawn(html: str) -> str:
    """Replace the formulae of a page by MathML."""
    html = BLOCK.sub(lambda found: _converted(found[1], "block"), html)
    return INLINE.sub(lambda found: _converted(found[1], "inline"), html)


def _converted(tex: str, display: str) -> str:
    from latex2mathml.converter import convert

    source = unescape(tex).strip()
    text = convert(ALIGNED.sub(r"\1{align*}", UNDER.sub(r"\\\1\\limits_", source)), display=display)
    if UNDRAWN.search(text):
        raise ValueError(f"the converter to MathML does not know all of this formula: {source}")
    text = MOVING.sub(r'<munder><mo movablelimits="true">\1</mo>', text)
    text = text.replace("<math ", f'<math alttext="{escape(source)}" ', 1)
    if display == "inline":
        return text
    return f'<div class="formula" role="group" tabindex="0" aria-label="formula">{text}</div>'
