"""Charts of plans and links in a browser: what hover shows are the numbers of their tables, menus change them."""

from __future__ import annotations

import re

import pytest

from hypar_opt.instance import load
from hypar_opt.report.charts.links import links_figure, shown_of
from hypar_opt.report.charts.plan_grid import plan_figure
from hypar_opt.report.charts.plan_pair import pair_figure
from hypar_opt.report.content.named_plan import NamedPlan
from hypar_opt.report.pages.environment import as_data
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from tests.browser.waiting import eventually

pytestmark = pytest.mark.browser
NAMES = ("joint-dp", "hypar-dp", "data-parallel")


@pytest.fixture(scope="module")
def plans():
    problem = NetworkProblem(load("lenet-c", array="hypar-row-stationary-16", accounting="receiver"))
    return [NamedPlan(name, problem, solve(problem, name)) for name in NAMES]


@pytest.fixture
def drawn(open_page, tmp_path):
    """Return a function that draws a figure on a page of its own, without evaluating code as text."""
    import vl_convert

    def on_page(figure):
        script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")
        options = '{"renderer": "svg", "actions": false, "ast": true}'
        (tmp_path / "page.html").write_text(
            f"<!doctype html><html lang=en><meta charset=utf-8><title>a chart</title><main id=chart></main>"
            f"<script>{script}</script><script>vegaEmbed('#chart', {as_data(figure.spec)}, {options})</script>",
            encoding="utf-8",
        )
        page = open_page((tmp_path / "page.html").as_uri())
        page.wait_for_selector("#chart svg.marks")
        return page

    return on_page


def away(page):
    """Leave all marks, and wait until nothing is shown beside one."""
    page.mouse.move(0, 0)
    page.wait_for_selector("#vg-tooltip-element.visible", state="detached")


def hover(page, label):
    """Return what is shown beside a mark, by its heading."""
    away(page)
    page.locator(f'#chart svg [aria-label^="{label}"]').first.hover(force=True)
    page.wait_for_selector("#vg-tooltip-element.visible")
    cells = page.locator("#vg-tooltip-element.visible td").all_inner_texts()
    return dict(zip(cells[::2], cells[1::2], strict=True))


def number(text):
    return int(text.replace(",", "").replace("−", "-"))


def test_a_cell_shows_the_numbers_of_the_table(plans, drawn, screenshot):
    figure = plan_figure(plans[0])
    page = drawn(figure)
    for row in figure.table.rows[5:8]:
        shown = hover(page, f"{row['layer'].value}, level {row['level'].value}:")
        assert number(shown["intra-layer bytes"]) == row["intra"].value
        assert number(shown["F read, bytes"]) == row["feature"].value
        assert number(shown["E sent back, bytes"]) == row["error"].value
        assert shown["choice"].startswith(f"{row['choice'].value}: ")
        assert re.match(r"2\^\d × 2 × 4 B × [\d,]+ / 2\^\d$", shown["= formula"])
    screenshot(page)


def test_menus_choose_the_plans(plans, drawn, screenshot, accessible):
    page = drawn(pair_figure(plans))
    page.locator("select[name=first]").select_option(label="joint-dp")
    page.locator("select[name=second]").select_option(label="data-parallel")
    more = plans[2].breakdown.total - plans[0].breakdown.total
    said = page.locator(f'#chart svg text:has-text("+{more:,} B")')
    assert eventually(page, lambda: said.count() == 1)
    words = [one.strategies["fc1"] for one in (plans[0], plans[2])]
    shown = hover(page, " → ".join((f"fc1, {words[0]}", words[1])))
    row = [layer.name for layer in plans[0].problem.work.layers].index("fc1")
    intra = [sum(one.breakdown.intra[row]) for one in (plans[0], plans[2])]
    assert number(shown["first plan, intra-layer, bytes"]) == intra[0]
    assert number(shown["intra-layer, difference"]) == intra[1] - intra[0]
    screenshot(page)
    away(page)  # the tooltip has the looks of the report's pages there, not those of this page
    accessible(page)


def test_levels_of_links_are_switched(plans, drawn, screenshot, accessible):
    figure = links_figure(shown_of(plans[0]))
    page = drawn(figure)
    row = next(row for row in figure.table.rows if row["level_1"].value)
    label = f"{row['from'].value} → {row['to'].value}:"
    assert number(hover(page, label)["bytes"]) == row["load"].value
    page.locator("select[name=level]").select_option(label="level 1: 1 group halved")
    page.wait_for_selector(f'#chart svg [aria-label^="{label} {row["level_1"].value:,} bytes"]')
    assert number(hover(page, label)["bytes"]) == row["level_1"].value
    screenshot(page)
    away(page)  # the tooltip has the looks of the report's pages there, not those of this page
    accessible(page)
