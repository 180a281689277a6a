"""The report in a browser, from disk, with the network off."""

import csv
import re

import pytest

from tests.browser.chromium import chromium
from tests.browser.report_cases import HOSTILE, hostile_report, small_report
from tests.browser.waiting import eventually

pytestmark = pytest.mark.browser
PAGES = ("index.html", "lenet-c.html", "sfc.html", "audit.html")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return small_report(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return hostile_report(tmp_path_factory.mktemp("hostile"))


def drawn(page):
    """Draw all figures that can be seen, without scrolling to them, and wait."""
    page.evaluate("document.querySelectorAll('[data-drawing]').forEach(window.hyparCharts.draw)")
    page.wait_for_selector("[data-drawing]:not([data-state=drawn], [data-state=failed])", state="detached")
    assert page.locator("[data-state=failed]").count() == 0


def column(page, name):
    """Return the texts of a column of the table of all results, as they stand now."""
    headings = page.locator("#summary thead tr").first.locator("th").all_inner_texts()
    at = [heading.strip() for heading in headings].index(name)
    return [text.strip() for text in page.locator(f"#summary tbody tr > :nth-child({at + 1})").all_inner_texts()]


def points(page, front, number):
    """Return whether a front comes to show the plan of its point of a number."""
    return eventually(page, lambda: front.locator("[data-said]").inner_text().startswith(f"Point {number}: "))


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(open_page, accessible, screenshot, report, name):
    page = open_page((report / name).as_uri())
    drawn(page)
    accessible(page)
    screenshot(page)


WIDE = """places => places.filter(one => one.clientWidth).map(one => ({
    id: one.closest("figure").id,
    over: one.scrollWidth - one.clientWidth,
    scrolls: getComputedStyle(one).overflowX === "auto",
    said: one.matches(".wide") && one.previousElementSibling.matches(".more:not([hidden])"),
}))"""
"""Of every chart that is shown: how many pixels do not fit, and what is done about it."""


@pytest.mark.parametrize("name", ["index.html", "lenet-c.html"])
def test_no_chart_is_cut_without_a_word_on_a_phone(open_page, screenshot, report, name):
    page = open_page((report / name).as_uri())
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()  # a chart that was drawn for a wide window only says that it is wider
    drawn(page)
    shown = page.locator("[data-drawing]").evaluate_all(WIDE)
    assert shown
    for chart in shown:
        assert chart["over"] <= 1 or (chart["scrolls"] and chart["said"]), chart
    assert not {"costs", "comparison", "front", "scaling"} & {chart["id"] for chart in shown if chart["over"] > 1}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(page)


AT_THE_END = """places => places.filter(one => one.clientWidth).map(one => {
    one.scrollLeft = one.scrollWidth;
    const svg = one.querySelector("svg").getBoundingClientRect(), place = one.getBoundingClientRect();
    const texts = [...one.querySelectorAll("svg text")].map(text => text.getBoundingClientRect());
    const seen = texts.filter(box => box.width);
    return {
        id: one.closest("figure").id,
        beyond: svg.right - place.right,
        cut: Math.max(0, ...seen.map(box => Math.max(box.right - svg.right, svg.left - box.left))),
        bar: one.offsetHeight - one.clientHeight,
        wide: one.scrollWidth > one.clientWidth + 1,
    };
})"""
"""Of every chart that is shown, scrolled to its right edge: what is still beyond it, letters cut, the scrollbar."""


@pytest.fixture(scope="module")
def with_scrollbars():
    """Start a browser that shows scrollbars, which the others hide; one in a thread of its own."""
    from concurrent.futures import ThreadPoolExecutor

    from playwright.sync_api import sync_playwright

    def looked_at(url, script):
        with sync_playwright() as playwright:
            started = playwright.chromium.launch(
                executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"],
                ignore_default_args=["--hide-scrollbars"],
            )  # fmt: skip
            page = started.new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
            page.goto(url)
            drawn(page)
            return page.locator("[data-drawing]").evaluate_all(script)

    with ThreadPoolExecutor(1) as pool:
        yield lambda url, script: pool.submit(looked_at, url, script).result()


@pytest.mark.parametrize("name", ["index.html", "lenet-c.html"])
def test_on_a_phone_every_right_edge_can_be_reached_and_the_scrollbar_is_seen(with_scrollbars, report, name):
    shown = with_scrollbars((report / name).as_uri(), AT_THE_END)
    assert shown
    assert any(chart["wide"] for chart in shown) == (name != "index.html")
    for chart in shown:
        assert chart["beyond"] <= 1, chart
        assert chart["cut"] <= 1, chart
        assert (chart["bar"] >= 8) == chart["wide"], chart


def test_a_chart_that_comes_to_fit_says_nothing_more(open_page, report):
    page = open_page((report / "lenet-c.html").as_uri())
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()  # a chart that was drawn for a wide window only says that it is wider
    drawn(page)
    assert page.locator(".more:not([hidden])").count()
    page.set_viewport_size({"width": 1280, "height": 900})
    assert eventually(page, lambda: not page.locator(".more:not([hidden])").count())


def test_what_is_wide_fits_a_narrow_window(open_page, screenshot, report):
    page = open_page((report / "lenet-c.html").as_uri())
    page.set_viewport_size({"width": 420, "height": 800})
    drawn(page)
    screenshot(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 420


def test_charts_are_drawn_when_they_come_into_view(open_page, report):
    page = open_page((report / "lenet-c.html").as_uri())
    page.wait_for_selector("[data-state=drawn]")
    last = page.locator("[data-drawing]").last
    assert last.get_attribute("data-state") is None
    last.scroll_into_view_if_needed()
    page.wait_for_selector("#scaling ~ figure [data-state=drawn]")


def test_results_are_sorted_by_number_and_filtered(open_page, report):
    page = open_page((report / "index.html").as_uri())
    button = page.get_by_role("columnheader", name="Cost").get_by_role("button")
    button.click()
    page.wait_for_selector("#summary th[aria-sort=ascending]")  # rows move after the click, not in it
    costs = [text.split()[:2] for text in column(page, "Cost")]
    at = [costs.index(cost) for cost in (["16.07", "MB"], ["51.66", "MB"], ["680.8", "MB"], ["16.89", "GB"])]
    assert at == sorted(at)  # texts sort otherwise
    button.click()
    page.wait_for_selector("#summary th[aria-sort=descending]")
    assert column(page, "Cost")[0].startswith("16.89 GB")

    page.get_by_label("Only rows whose Instance is").select_option("sfc")
    assert set(column(page, "Instance")) == {"sfc"}
    page.get_by_label("Only rows whose Status is").select_option("OPTIMAL")
    assert set(column(page, "Formulation")) == {"joint-dp", "brute-force"}
    page.get_by_label("Only rows whose Status is").select_option("")
    page.get_by_label("Search all columns").fill("greedy")
    assert column(page, "Formulation") == ["hypar-dp"]
    page.get_by_label("Search all columns").fill("no such thing")
    assert page.get_by_text("no row is like that").is_visible()


def test_the_best_of_each_instance_are_marked_ties_too(open_page, report):
    page = open_page((report / "index.html").as_uri())
    marked = page.locator("#summary tbody tr:has(.best)").all_inner_texts()
    assert sum(text.startswith("lenet-c") for text in marked) == 3
    assert sum(text.startswith("sfc") for text in marked) == 3
    assert not any("data-parallel" in text for text in marked)
    assert page.locator("#summary .best").first.text_content().strip().endswith("(best)")


def test_results_and_numbers_are_beside_the_page(open_page, report):
    page = open_page((report / "index.html").as_uri())
    link = page.get_by_role("link", name="All results as CSV")
    rows = rows_of(report / link.get_attribute("href"))
    shown = list(zip(column(page, "Instance"), column(page, "Formulation"), column(page, "Status"), strict=True))
    assert [(row["instance"], row["formulation"], row["status"]) for row in rows] == shown
    for name in PAGES:
        opened = open_page((report / name).as_uri())
        for href in opened.eval_on_selector_all("a[href]", "(all) => all.map((one) => one.getAttribute('href'))"):
            assert href.startswith("#") or (report / href).is_file(), href


def test_on_hover_stand_the_numbers_of_the_csv(open_page, report):
    page = open_page((report / "lenet-c.html").as_uri())
    figure = page.locator("figure#plan-joint-dp")
    figure.scroll_into_view_if_needed()
    page.wait_for_selector("figure#plan-joint-dp [data-state=drawn]")
    rows = rows_of(report / figure.get_by_role("link", name="Numbers as CSV").get_attribute("href"))
    cells = [row for row in rows if row["level"].isdigit()]
    marks = figure.locator("svg .mark-rect.role-mark [aria-label]")
    assert len(cells) == 4 * 4
    for at in range(len(cells)):
        marks.nth(at).hover(force=True)  # its letter is above it
        page.wait_for_selector("#vg-tooltip-element.visible")
        said = hovered(page)
        row = next(one for one in cells if one["layer"] == said["layer"] and one["level"] == said["level"])
        shown = [said[name] for name in ("intra-layer bytes", "F read, bytes", "E sent back, bytes")]
        assert shown == [row["intra"], row["feature"], row["error"]]
        page.mouse.move(0, 0)


def hovered(page):
    """Return what the tooltip says, numbers without their groups of three."""
    cells = page.eval_on_selector_all(
        "#vg-tooltip-element tr", "(all) => all.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return {key.strip().rstrip(":"): re.sub(r"(?<=\d),(?=\d{3})", "", value.strip()) for key, value in cells}


def test_the_keyboard_reaches_every_mark_and_shows_what_hover_does(open_page, report):
    page = open_page((report / "lenet-c.html").as_uri())
    page.wait_for_selector("figure#plan-joint-dp [data-state=drawn]")
    figure = page.locator("figure#plan-joint-dp")
    assert figure.locator("svg [tabindex='0']").count() == 1
    figure.locator("svg [tabindex='0']").focus()
    page.wait_for_selector("#vg-tooltip-element.visible")
    seen = {page.evaluate("document.activeElement.getAttribute('aria-label')")}
    for key in ("ArrowRight", "ArrowDown", "End"):
        page.keyboard.press(key)
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label not in seen
        seen.add(label)
        assert page.locator("#vg-tooltip-element.visible").count() == 1
        assert figure.locator("svg [tabindex='0']").count() == 1
    page.keyboard.press("Escape")
    assert page.locator("#vg-tooltip-element.visible").count() == 0


def test_the_links_of_each_level_can_be_shown(open_page, screenshot, report):
    page = open_page((report / "lenet-c.html").as_uri())
    drawn(page)
    figure = page.locator("figure#links-joint-dp")
    picture = "(figure) => figure.querySelector('svg').outerHTML"
    before = figure.evaluate(picture)
    options = figure.locator("form.vega-bindings select option").all_inner_texts()
    assert len(options) == 5  # all, and four levels
    figure.locator("form.vega-bindings select").select_option(index=2)
    assert eventually(page, lambda: figure.evaluate(picture) != before)
    screenshot(page)


def test_a_plan_is_chosen_from_the_list(open_page, report):
    page = open_page((report / "lenet-c.html").as_uri())
    assert page.locator("#plan-of-data-parallel").is_hidden()
    page.get_by_label("Plan", exact=True).first.select_option("data-parallel")
    assert page.locator("#plan-of-data-parallel").is_visible()
    page.wait_for_selector("#plan-of-data-parallel [data-state=drawn]")


def test_a_point_of_the_front_shows_its_plan(open_page, screenshot, report):
    page = open_page((report / "lenet-c.html").as_uri())
    drawn(page)
    whole = page.locator("[data-front]")
    assert points(page, whole, 1)
    marks = whole.locator("svg .role-mark [aria-label]")
    first = whole.locator("[data-plan] tbody").inner_text()
    marks.last.click()
    assert points(page, whole, 2)
    assert whole.locator("[data-plan] tbody").inner_text() != first
    assert whole.locator("[data-plan] .changed").count() > 0
    screenshot(page)
    marks.first.focus()
    page.keyboard.press("Enter")
    assert points(page, whole, 1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert points(page, whole, 2)


def test_an_address_names_a_point_of_the_front_and_leads_to_its_file(open_page, report):
    page = open_page(f"{(report / 'lenet-c.html').as_uri()}#point-2")
    whole = page.locator("[data-front]")
    assert points(page, whole, 2)
    assert whole.locator("[data-link]").get_attribute("href") == "#point-2"
    assert (report / whole.locator("[data-file]").get_attribute("href")).name == "point-2.json"
    assert "fronts/lenet-c/point-2.json" in whole.locator(".copyable code").inner_text()
    page.evaluate("location.hash = '#point-1'")
    assert points(page, whole, 1)
    page.evaluate("location.hash = '#point-99'")
    assert points(page, whole, 1)


def test_links_are_switched_between_time_and_bytes(open_page, screenshot, report):
    page = open_page((report / "lenet-c.html").as_uri())
    drawn(page)
    figure = page.locator("figure#links-joint-dp")
    assert figure.locator("svg text", has_text=re.compile(r"^[\d.]+ m?s$")).count() > 1
    picture = "(figure) => figure.querySelector('svg').outerHTML"
    before = figure.evaluate(picture)
    figure.locator("form.vega-bindings input[value=bytes]").check()
    assert eventually(page, lambda: figure.evaluate(picture) != before)
    assert figure.locator("svg text", has_text=re.compile(r"^[\d.]+ [kM]B$")).count() > 1
    screenshot(page)


def test_claims_are_filtered_by_verdict_and_words(open_page, report):
    page = open_page((report / "audit.html").as_uri())
    assert page.locator("[data-count]").inner_text() == "2 of 2 claims"
    page.get_by_label("Verdict", exact=True).select_option("refuted")
    assert page.locator("article:visible").count() == 1
    assert "made up for this test" in page.locator("article:visible").inner_text()
    page.get_by_label("with the words").fill("no such words")
    assert page.locator("[data-count]").inner_text() == "0 of 2 claims"


@pytest.mark.parametrize("clipboard", [True, False])
def test_a_command_is_copied(open_page, report, clipboard):
    page = open_page((report / "audit.html").as_uri())
    if clipboard:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        page.evaluate(
            "document.execCommand = (what) => { window.copied = getSelection().toString(); return what === 'copy'; }"
        )
    line = page.locator("article").first.locator(".copyable")
    line.get_by_role("button").click()
    page.wait_for_selector("[role=status]:text('Copied')", state="attached")  # the button says so for a while only
    copied = page.evaluate("navigator.clipboard ? navigator.clipboard.readText() : window.copied")
    assert copied == line.locator("code").inner_text()
    assert re.match(r"hypar-opt ", copied)


def test_hostile_names_are_text(open_page, accessible, screenshot, hostile):
    for path in sorted(hostile.glob("*.html")):
        page = open_page(path.as_uri())
        drawn(page)
        assert "taken" not in page.title().replace(HOSTILE[0], "").replace(HOSTILE[1], "")
        assert page.locator("img").count() == 0
        assert page.eval_on_selector_all("script", "(all) => all.every((one) => one.src || one.type.endsWith('json'))")
        assert page.eval_on_selector_all("a", "(all) => all.every((one) => one.protocol === 'file:')")
        accessible(page)
        screenshot(page, path.stem)
    page = open_page(next(path for path in hostile.glob("*.html") if path.stem != "index").as_uri())
    drawn(page)
    for name in HOSTILE:
        assert name in page.locator("main").inner_text()


def test_without_scripts_all_plans_and_numbers_are_there(open_page, report):
    page = open_page((report / "lenet-c.html").as_uri(), java_script_enabled=False)
    assert "Scripts are off" in page.locator("main").inner_text()
    assert page.locator("#plan-of-data-parallel").is_visible()
    assert page.locator("figure#plan-joint-dp figcaption").is_visible()


def test_charts_are_printed_whole(open_page, report):
    page = open_page((report / "lenet-c.html").as_uri())
    page.set_viewport_size({"width": 794, "height": 1123})  # A4
    drawn(page)
    page.emulate_media(media="print")
    wide = (
        "(all) => all.filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth).length"
    )
    assert page.locator("svg.marks").count() > 5
    assert page.eval_on_selector_all("svg.marks", wide) == 0
