"""Charts in print: their sizes, their fonts, and what they leave out."""

import io
import struct
from dataclasses import replace

import pytest
from defusedxml.ElementTree import fromstring

from hypar_opt.report.charts.export import INCHES, font_faces, printed_svg, write_figure, write_picture
from hypar_opt.report.charts.theme import figure
from hypar_opt.report.tables import Table
from hypar_opt.util.errors import InputError

HOSTILE = "<script>\"'\\ & ü"
ROWS = [{"name": HOSTILE, "cost": 3}, {"name": "plain", "cost": 5}]
NOTHING = Table("numbers", "Numbers", (), ())


def bars(**more):
    import altair as alt

    return alt.Chart(alt.Data(values=ROWS)).mark_bar().encode(x="cost:Q", y="name:N", **more).properties(height=80)


def made(chart, **more):
    return replace(figure("costs", "Costs & <more>", 'Two bars, "3" < 5.', chart, NOTHING), **more)


def png_size(path):
    return struct.unpack(">II", path.read_bytes()[16:24])


ARRANGEMENTS = ("one view", "two views", "one above the other", "facets", "columns", "a legend", "many steps")


def charts():
    """Return charts of every arrangement by name."""
    import altair as alt

    return {
        "one view": bars(),
        "two views": alt.hconcat(bars().properties(width=300), bars().properties(width=150)),
        "one above the other": alt.vconcat(bars().properties(width=300), bars().properties(width=300)),
        "facets": bars().properties(width=120).facet(column="name:N"),
        "columns": bars(column="name:N").properties(width=120),
        "a legend": bars(color="name:N"),
        "many steps": alt.vconcat(
            bars().properties(width=200),
            alt.Chart(alt.Data(values=ROWS)).mark_rect().encode(x="name:N").properties(width=alt.Step(30)),
        ),
    }


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ARRANGEMENTS)
@pytest.mark.parametrize("width", INCHES)
@pytest.mark.slow
def test_a_chart_is_as_wide_as_asked_for_in_every_format(name, width, tmp_path):
    from pypdf import PdfReader

    svg, pdf, png = write_figure(made(charts()[name]), tmp_path / "new", width)
    assert [path.name for path in (svg, pdf, png)] == ["costs.svg", "costs.pdf", "costs.png"]
    assert fromstring(svg.read_text()).get("width") == f"{INCHES[width]:.5g}in"
    page = PdfReader(pdf).pages[0].mediabox
    assert float(page.width) == pytest.approx(INCHES[width] * 72, abs=0.5)
    across, down = png_size(png)
    assert across == round(INCHES[width] * 300)
    assert down / across == pytest.approx(float(page.height / page.width), rel=0.01)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ARRANGEMENTS)
@pytest.mark.slow
def test_letters_are_printed_at_a_size_that_can_be_read(name):
    svg = printed_svg(made(charts()[name]), "column")
    points = 3.5 * 72 / float(fromstring(svg).get("viewBox").split()[2])
    sizes = {float(one.get("font-size")[:-2]) for one in fromstring(svg).iter() if one.get("font-size")}
    assert 6.5 <= points * min(sizes) <= points * max(sizes) <= 11


def embedded(reader):
    fonts = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object()
        yield font["/BaseFont"], any(f"/FontFile{n}" in inner["/FontDescriptor"].get_object() for n in ("", 2, 3))


def test_the_fonts_are_in_the_pdf(tmp_path):
    from pypdf import PdfReader

    _, pdf, _ = write_figure(made(bars()), tmp_path, titled=True)
    found = dict(embedded(PdfReader(pdf)))
    assert sorted(name.partition("+")[2] for name in found) == ["DejaVuSans", "DejaVuSans-Bold"]
    assert all(found.values())


def fonts_in(svg):
    import base64
    import re

    from fontTools.ttLib import TTFont

    for weight, data in re.findall(r"font-weight:(\w+);[^}]*base64,([^\"]+)", svg):
        yield weight, TTFont(io.BytesIO(base64.b64decode(data)))


def test_the_fonts_are_in_the_svg_with_every_character_that_it_shows(tmp_path):
    svg = write_figure(made(bars()), tmp_path, titled=True)[0].read_text()
    held = {weight: set(map(chr, font.getBestCmap())) for weight, font in fonts_in(svg)}
    shown = {}
    for one in fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        shown.setdefault(one.get("font-weight", "normal"), set()).update("".join(one.itertext()))
    assert "ü" in shown["normal"]
    assert {weight: shown[weight] - held[weight] for weight in shown} == {"normal": set(), "bold": set()}
    assert held["normal"] - shown["normal"] == set(), "and no more"


def test_a_font_that_is_not_shipped_is_a_fault_of_the_chart():
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><text font-family="Papyrus, serif">x</text></svg>'
    with pytest.raises(
        ValueError, match=r"^a chart has a text in 'Papyrus', expected DejaVu Sans or DejaVu Sans Mono$"
    ):
        font_faces(svg)


def test_names_stay_text_and_the_alternative_is_inside(tmp_path):
    root = fromstring(write_figure(made(bars()), tmp_path)[0].read_text())
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert HOSTILE in texts
    assert [one.tag.rpartition("}")[2] for one in root][:3] == ["title", "desc", "style"]
    assert (root[0].text, root[1].text) == ("Costs & <more>", 'Two bars, "3" < 5.')
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))


def test_legends_get_narrower_before_letters_get_smaller():
    import altair as alt

    names = [{"name": f"a name of some length, {i}", "cost": i} for i in range(6)]
    legend = alt.Legend(orient="bottom", columns=4)
    chart = (
        alt.Chart(alt.InlineData(values=names)).mark_bar().encode(x="cost:Q", color=alt.Color("name:N", legend=legend))
    )
    svg = printed_svg(made(chart.properties(width=700)), "column")
    assert float(fromstring(svg).get("viewBox").split()[2]) <= 3.5 * 72 / 0.7


def test_what_cannot_be_so_narrow_is_scaled_down_as_a_whole(tmp_path):
    import altair as alt

    wide = alt.hconcat(*(bars().properties(width=100) for _ in range(5)))
    write_figure(made(wide), tmp_path)
    assert png_size(tmp_path / "costs.png")[0] == 1050


@pytest.mark.parametrize("character", ["\x00", "\x1f", "\ufffe", "\uffff", "\ud800"])
def test_characters_that_no_svg_can_hold(character, tmp_path):
    """What draws would end the whole process at them."""
    import altair as alt

    names = [{"name": f"a{character}b", "cost": 1}]
    chart = alt.Chart(alt.InlineData(values=names)).mark_bar().encode(x="cost:Q", y="name:N")
    svg = write_figure(made(chart, title=f"c{character}d"), tmp_path, titled=True)[0].read_text()
    texts = ["".join(one.itertext()) for one in fromstring(svg).iter()]
    assert {"a\ufffdb", "c\ufffdd"} <= set(texts)


def test_a_title_stands_above_only_where_asked_for():
    title = "A title of so many words that they do not fit into a single line of a column in print"
    plain, titled = (printed_svg(made(bars(), title=title), "column", titled=titled) for titled in (False, True))
    assert "many words" not in plain
    assert "A title of so many words" in titled


def test_menus_are_not_printed_and_what_they_are_set_to_is():
    import altair as alt

    menu = alt.param("shown", bind=alt.binding_select(options=["plain"]), value="plain")
    chart = bars().add_params(menu).transform_filter("datum.name == shown")
    svg = printed_svg(made(chart), "column")
    assert ">plain<" in svg
    assert HOSTILE[:4] not in svg.replace("&lt;", "<")
    data = [{"bind": "a field of the data"}]
    kept = alt.Chart(alt.Data(values=data)).mark_text().encode(text="bind:N").properties(height=40)
    assert "a field of the data" in printed_svg(made(kept), "column")


def test_another_chart_in_print():
    other = bars().properties(title="in print").to_dict()
    svg = printed_svg(made(bars(), printed=other | {"config": {"font": "DejaVu Sans"}}), "column")
    assert "in print" in svg


def test_a_chart_is_printed_alike_twice(tmp_path):
    first, second = (write_figure(made(bars()), tmp_path / name) for name in ("a", "b"))
    for one, other in zip(first, second, strict=True):
        if one.suffix != ".pdf":  # what writes PDF names and orders fonts as it likes
            assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(("suffix", "begins"), [("svg", b"<svg"), ("PDF", b"%PDF"), ("png", b"\x89PNG")])
def test_one_file(suffix, begins, tmp_path):
    path = tmp_path / f"picture.{suffix}"
    write_picture(made(bars()), path)
    assert path.read_bytes().startswith(begins)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file, expected a folder to write to"):
        write_figure(made(bars()), tmp_path / "file")
