"""The fonts of charts, which are shipped: charts look the same whatever a machine has installed."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

FOLDER: Final = Path(__file__).parent / "dejavu"
"""DejaVu 2.37, with its licence."""
FILES: Final = {
    ("DejaVu Sans", "normal"): "DejaVuSans.ttf",
    ("DejaVu Sans", "bold"): "DejaVuSans-Bold.ttf",
    ("DejaVu Sans Mono", "normal"): "DejaVuSansMono.ttf",
}
"""By family and weight; none is slanted."""


def register_fonts() -> None:
    """Let charts be measured, and drawn as PDF and PNG, with these fonts; more than once does no harm."""
    import vl_convert

    vl_convert.register_font_directory(str(FOLDER))


def font_faces(svg: str) -> str:
    """Return a style sheet with the fonts of a picture inside, each cut down to the characters that it shows.

    Raises
    ------
    ValueError
        If a text is of a font that is not shipped.
    """
    used: dict[tuple[str, str], set[str]] = {}
    for font, text in _texts(svg):
        used.setdefault(font, set()).update(text)
    return "".join(_face(*font, "".join(sorted(shown))) for font, shown in sorted(used.items()))


def _texts(svg: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield every text with its font."""
    from defusedxml.ElementTree import fromstring

    for one in fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        text = "".join(one.itertext())
        if text:
            yield _font(one), text


def _font(text: Element) -> tuple[str, str]:
    family = text.get("font-family", "").split(",")[0].strip("\"' ")
    weight = "bold" if text.get("font-weight", "normal") in ("bold", "600", "700") else "normal"
    slant = text.get("font-style", "normal")
    if (family, weight) not in FILES or slant != "normal":
        named = ", ".join(one for one in (family, weight, slant) if one != "normal")
        expected = " or ".join(dict.fromkeys(family for family, _ in FILES))
        raise ValueError(f"a chart has a text in '{named}', expected {expected}")
    return family, weight


def _face(family: str, weight: str, shown: str) -> str:
    data = base64.b64encode(_cut_down(FOLDER / FILES[family, weight], shown)).decode()
    return (
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:normal;'
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
