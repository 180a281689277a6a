"""Text in LaTeX: whatever it says, it is set as it is, by any engine, without a package."""

from __future__ import annotations

import re
import unicodedata
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

SPECIAL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "%": r"\%",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": "{`}",  # ?` is another sign
        '"': r"{\char34}",  # languages make it active
        "[": "{[}",  # an argument, where it begins a row
        "]": "{]}",
        "*": "{*}",
    }
)
SIGNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "×": r"$\times$",
        "·": r"$\cdot$",
        "±": r"$\pm$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "≠": r"$\neq$",
        "≈": r"$\approx$",
        "→": r"$\to$",
        "−": r"$-$",
        "µ": r"$\mu$",
        "μ": r"$\mu$",
        "°": r"$^{\circ}$",
        "²": r"$^{2}$",
        "³": r"$^{3}$",
        "–": "--",
        "—": "---",
        "…": r"\ldots{}",
        "‘": "`{}",
        "’": "'{}",
        "“": "``",
        "”": "''",
        "ß": r"\ss{}",
        "æ": r"\ae{}",
        "Æ": r"\AE{}",
        "ø": r"\o{}",
        "Ø": r"\O{}",
        "ł": r"\l{}",
        "Ł": r"\L{}",
    }
)
DOUBLED: Final = "-',"
"""Two of them are set as another sign."""
ACCENTS: Final[Mapping[str, str]] = MappingProxyType(
    {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
     "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c"}
)  # fmt: skip
"""Combining marks, and the commands that set them."""


def latex(text: str) -> str:
    """Return text as LaTeX sets it; a character that not every font has, by its number: [U+6F22]."""
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    signs = (_sign(one) + _apart(one, other) for one, other in zip_longest(line, line[1:], fillvalue=""))
    return "".join(signs).replace(r" \%", r"~\%")


def latex_number(text: str) -> str:
    """Return a number with its minus, and its power of ten where it has one."""
    found = re.fullmatch(r"(-?)([\d.,/]+)(?:e([+-]\d+))?", text)
    if found is None:
        return latex(text)
    minus, digits, power = found.groups()
    sign = "$-$" if minus else ""
    return f"{sign}{digits}" if power is None else f"{sign}{digits}$\\times10^{{{int(power)}}}$"


def _apart(one: str, other: str) -> str:
    return "{}" if one == other and one in DOUBLED else ""


def _sign(sign: str) -> str:
    if sign in SPECIAL or sign in SIGNS:
        return SPECIAL.get(sign) or SIGNS[sign]
    if " " <= sign <= "~":
        return sign
    base, mark = unicodedata.normalize("NFD", sign)[0], unicodedata.normalize("NFD", sign)[1:]
    if mark in ACCENTS and base.isascii() and base.isalpha():
        return f"\\{ACCENTS[mark]}{{{base}}}"
    return f"{{[}}U+{ord(sign):04X}{{]}}"
