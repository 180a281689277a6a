"""The fonts of charts: those that matplotlib ships, whatever a machine has installed."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

FAMILIES: Final = {"DejaVu Sans": "DejaVuSans", "DejaVu Sans Mono": "DejaVuSansMono"}
"""By name, how their files' names begin."""
STYLES: Final = {
    ("normal", "normal"): "",
    ("bold", "normal"): "-Bold",
    ("normal", "italic"): "-Oblique",
    ("bold", "italic"): "-BoldOblique",
}
"""By weight and slant, how they end."""


def folder() -> Path:
    """Return where the font files are."""
    import matplotlib as mpl

    return Path(mpl.get_data_path()) / "fonts" / "ttf"


def register_fonts() -> None:
    """Let charts be measured, and drawn as PDF and PNG, with these fonts; more than once does no harm."""
    import vl_convert

    vl_convert.register_font_directory(str(folder()))


def font_faces(svg: str) -> str:
    """Return a style sheet with the fonts of a picture inside, each cut down to the characters that it shows.

    Raises
    ------
    ValueError
        If a text is of a font that is not shipped.
    """
    used: dict[tuple[str, str, str], set[str]] = {}
    for family, weight, style, text in _texts(svg):
        used.setdefault((family, weight, style), set()).update(text)
    return "".join(_face(*font, "".join(sorted(shown))) for font, shown in sorted(used.items()))


def _texts(svg: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield every text with its font."""
    from defusedxml.ElementTree import fromstring

    for one in fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        text = "".join(one.itertext())
        if text:
            yield *_font(one), text


def _font(text: Element) -> tuple[str, str, str]:
    family = text.get("font-family", "").split(",")[0].strip("\"' ")
    if family not in FAMILIES:
        raise ValueError(f"a chart has a text in '{family}', expected {' or '.join(FAMILIES)}")
    weight = "bold" if text.get("font-weight", "normal") in ("bold", "600", "700") else "normal"
    return family, weight, "italic" if text.get("font-style") in ("italic", "oblique") else "normal"


def _face(family: str, weight: str, style: str, shown: str) -> str:
    file = folder() / f"{FAMILIES[family]}{STYLES[weight, style]}.ttf"
    data = base64.b64encode(_cut_down(file, shown)).decode()
    return (
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};'
        f'src:url("data:font/woff;base64,{data}") format("woff")}}'
    )


def _cut_down(file: Path, shown: str) -> bytes:
    """Return a font with only these characters; those that it has not are left to the reader's other fonts."""
    from fontTools.subset import (  # type: ignore[import-untyped]
        Options,
        Subsetter,
        load_font,
        save_font,
    )

    options = Options(flavor="woff", layout_features=["kern", "mark", "mkmk", "ccmp"], recalc_timestamp=False)
    options.drop_tables += ["FFTM"]  # when the font was made; said to be unknown otherwise
    font = load_font(str(file), options)
    cut = Subsetter(options)
    cut.populate(text=shown)
    cut.subset(font)
    stream = io.BytesIO()
    save_font(font, stream, options)
    return stream.getvalue()
