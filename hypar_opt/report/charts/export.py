"""Charts for papers: SVG, PDF and PNG as wide as a column or a page, the same on every machine: fonts are shipped."""

from __future__ import annotations

import base64
import io
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from hypar_opt.report.charts.width import changed, cut, drawn, fitted, width_of
from hypar_opt.util.files import atomically, make_folder

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from hypar_opt.report.charts.theme import Figure


NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""


def printable(value: Any) -> Any:
    """Return a chart, or a text, with a mark for every character that no SVG can hold.

    What measures texts ends the whole process at such a character.
    """
    if isinstance(value, str):
        return NOT_XML.sub("\ufffd", value)
    if isinstance(value, list):
        return [printable(one) for one in value]
    return {printable(name): printable(one) for name, one in value.items()} if isinstance(value, dict) else value


Width: TypeAlias = Literal["column", "page"]
"""Of a two-column page, or across it."""
INCHES: Final[dict[Width, float]] = {"column": 3.5, "page": 7.16}
"""As IEEE and ACM print them."""
FORMATS: Final = ("svg", "pdf", "png")
DOTS, DOTS_ON_SCREEN = 300, 150
"""An inch, of a PNG in print, and of one that is as wide as it needs to be."""
POINTS: Final = 72
"""An inch."""
SHRUNK: Final = 0.7
"""What a pixel of a chart becomes in print, in points: labels of 10 pixels are printed at 7 points."""
NAMES: Final = 0.45
"""Of the width, at most, for names along an axis."""
LINE: Final = 55
"""Characters of a title's line, in a column."""


def write_figure(figure: Figure, folder: Path, width: Width = "column", *, titled: bool = False) -> list[Path]:
    """Write a figure as NAME.svg, NAME.pdf and NAME.png, each atomically.

    Parameters
    ----------
    folder
        Made where it is not there.
    width
        3.5 or 7.16 inches; the height follows from the figure.
    titled
        Whether its title stands above it; a paper has a caption instead.

    Returns
    -------
    The paths.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    make_folder(folder)
    written = []
    svg = printed_svg(figure, width, titled=titled)
    for form in FORMATS:
        path = folder / f"{figure.name}.{form}"
        with atomically(path) as stream:
            stream.write(_as(form, svg, figure, width))
        written.append(path)
    return written


def write_picture(figure: Figure, path: Path, width: Width = "page") -> None:
    """Write a figure with its title to one file, whose name ends with .svg, .pdf or .png.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    content = picture(figure, path.suffix[1:].lower(), width, titled=True)
    with atomically(path) as stream:
        stream.write(content)


def picture(figure: Figure, form: str, width: Width | None = None, *, titled: bool = False) -> bytes:
    """Return a figure as a file's content; the same for the same figure.

    Parameters
    ----------
    form
        `svg`, `pdf` or `png`.
    width
        In print; None for as wide as it needs to be, a pixel being a point.
    titled
        Whether its title stands above it.
    """
    return _as(form, printed_svg(figure, width, titled=titled), figure, width)


def printed_svg(figure: Figure, width: Width | None, *, titled: bool = False) -> str:
    """Return a figure laid out for a width in print, in pixels of the screen's layout."""
    import vl_convert

    vl_convert.register_font_directory(str(FOLDER))  # more than once does no harm
    # without what only a page can show, menus and sliders; what they are set to stays
    shown = dict(figure.spec if figure.printed is None else figure.printed)
    spec = changed(shown, lambda part: {name: one for name, one in part.items() if name != "bind"})
    if titled:
        lines = textwrap.wrap(figure.title, int(LINE * INCHES[width or "page"] / INCHES["column"]))
        spec = spec | {"title": {"text": lines, "anchor": "start"}}
    spec = printable(spec)
    if width is None:
        return drawn(cut(spec))
    pixels = INCHES[width] * POINTS / SHRUNK
    config = spec.get("config", {})
    # names are left less than half of the width: a chart is no wider in print for a long one
    shorter = {part: {**config.get(part, {}), "labelLimit": round(pixels * NAMES)} for part in ("axis", "legend")}
    return fitted(cut(spec | {"config": config | shorter}), pixels)


def _as(form: str, svg: str, figure: Figure, width: Width | None) -> bytes:
    import vl_convert

    inches = width_of(svg) / POINTS if width is None else INCHES[width]
    if form == "svg":
        return _sized(_with_fonts(svg, figure), inches, "in").encode()
    sized = _sized(svg, inches * POINTS, "")  # what draws these takes a pixel for a point
    if form == "pdf":
        return bytes(vl_convert.svg_to_pdf(sized))
    return bytes(vl_convert.svg_to_png(sized, ppi=DOTS_ON_SCREEN if width is None else DOTS))


def _sized(svg: str, width: float, unit: str) -> str:
    """Return a picture of a width; its coordinates stay."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None  # Vega writes it first
    height = width * float(found[2]) / float(found[1])
    size = f'width="{width:.5g}{unit}" height="{height:.5g}{unit}"'
    return re.sub(r'width="[\d.]+" height="[\d.]+"', size, svg, count=1)


def _with_fonts(svg: str, figure: Figure) -> str:
    """Return a picture that carries its fonts, its title and its text alternative."""
    from xml.sax.saxutils import escape

    said = f"<title>{escape(printable(figure.title))}</title><desc>{escape(printable(figure.alternative))}</desc>"
    head, tag, rest = svg.partition(">")
    return f'{head} role="img"{tag}{said}<style>{font_faces(svg)}</style>{rest}'


FOLDER: Final = Path(__file__).parent / "dejavu"
"""DejaVu 2.37, with its licence."""
FILES: Final = {
    ("DejaVu Sans", "normal"): "DejaVuSans.ttf",
    ("DejaVu Sans", "bold"): "DejaVuSans-Bold.ttf",
    ("DejaVu Sans Mono", "normal"): "DejaVuSansMono.ttf",
}
"""By family and weight; none is slanted."""


def font_faces(svg: str) -> str:
    """Return a style sheet with the fonts of a picture inside, each cut down to the characters that it shows.

    Raises
    ------
    ValueError
        If a text is of a font that is not shipped.
    """
    from defusedxml.ElementTree import fromstring

    used: dict[tuple[str, str], set[str]] = {}
    for one in fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        text = "".join(one.itertext())
        if text:
            used.setdefault(_font(one), set()).update(text)
    return "".join(_face(*font, "".join(sorted(shown))) for font, shown in sorted(used.items()))


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
