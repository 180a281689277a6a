"""The page of an instance of operators in a browser, wide and narrow, with the network off."""

import pytest

from hypar_opt.cli.invoke import invoke
from tests.browser.test_report import WIDE, drawn

pytestmark = pytest.mark.browser
WORDS = ("gpt2-block", "--batch", "8", "--array", "a100-2x8", "-f", "joint-dp", "--time-limit", "5")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("operators") / "report"
    assert invoke(["report", *WORDS, "-o", str(folder), "-q"]) == 0
    return folder


@pytest.mark.parametrize("width", [1400, 390, 320])
def test_the_page_of_operators(open_page, accessible, screenshot, report, width):
    page = open_page((report / "gpt2-block.html").as_uri())
    page.set_viewport_size({"width": width, "height": 900})
    page.reload()
    drawn(page)
    for chart in page.locator("[data-drawing]").evaluate_all(WIDE):
        assert chart["over"] <= 1 or (chart["scrolls"] and chart["said"]), chart
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cells = page.locator("#plan-joint-dp [aria-label*=': batch']")
    assert cells.count() > 0
    assert page.locator("[data-plan] tbody tr").count() > 0  # the words of the front's first point
    accessible(page)
    screenshot(page)


def test_collectives_are_sorted_and_filtered(open_page, report):
    page = open_page((report / "gpt2-block.html").as_uri())
    table = page.locator("#table-by-operator")
    count = table.locator("tbody tr").count()
    page.locator("#table-by-operator_wrapper input[type=search]").fill("fc_proj")
    assert 0 < table.locator("tbody tr").count() < count
    assert all("fc_proj" in text for text in table.locator("tbody tr th").all_inner_texts())
