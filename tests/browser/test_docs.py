"""The documentation's site, as a browser shows it from a web server of this machine."""

from __future__ import annotations

import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.docs.site import build

pytestmark = pytest.mark.browser
PAGES = (
    "index.html", "quick-start.html", "model.html", "instances.html", "commands.html", "commands/solve.html",
    "formulations/milp.html",
    "extending/cost-model.html", "reports/audit/audit.html", "api/index.html",
)  # fmt: skip
DARK = ("index.html", "quick-start.html", "formulations/milp.html", "extending/cost-model.html")


CLIPPED = """() => [...document.querySelectorAll("article math")].filter((formula) => {
    let box = formula.parentElement;
    while (box !== document.body && getComputedStyle(box).overflowX === "visible") box = box.parentElement;
    const scrolls = getComputedStyle(box).overflowX === "auto";
    const parts = [formula, ...formula.querySelectorAll("*")];
    const right = Math.max(...parts.map((one) => one.getBoundingClientRect().right));
    const reach = right - box.getBoundingClientRect().left + box.scrollLeft;
    const room = scrolls ? box.scrollWidth : Math.min(box.clientWidth, document.documentElement.clientWidth);
    return reach > room + 1 || (scrolls && box.scrollHeight > box.clientHeight + 1);
}).map((formula) => formula.getAttribute("alttext"))"""
"""Formulae of which something is beyond the box around them, and cannot be scrolled to; or only by scrolling down."""


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing about who asked for what."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the site was built."""
    return build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def address(folder):
    """The site's address while it is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def show(open_page, address):
    """Return a function that opens a page of the site; what it asks for elsewhere fails the test."""

    def shown(name, **options):
        return open_page(f"{address}/{name}", allowed=f"{re.escape(address)}/|(data|blob):", offline=False, **options)

    return shown


@pytest.mark.parametrize(("name", "scheme"), [*((name, "light") for name in PAGES), *((name, "dark") for name in DARK)])
def test_a_page_is_accessible_and_asks_for_nothing_elsewhere(name, scheme, show, accessible, screenshot):
    page = show(name, color_scheme=scheme)
    page.wait_for_load_state("networkidle")
    accessible(page)
    if scheme == "light":
        screenshot(page)


@pytest.mark.parametrize("opened", ["from a server", "as a file"])
def test_the_search_finds_a_page(opened, show, open_page, folder):
    page = show("index.html") if opened == "from a server" else open_page((folder / "index.html").as_uri())
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("chordal", delay=20)
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    assert "topology.html" in found.get_attribute("href")
    found.click()
    page.wait_for_url("**/topology.html*")
    assert "chordal" in page.locator("article").inner_text()


def test_formulae_have_a_size_and_a_text(show):
    page = show("model.html")
    formula = page.locator("math[display=block]").first
    box = formula.bounding_box()
    assert box["width"] > 100
    assert box["height"] > 10
    assert formula.get_attribute("alttext").startswith("F_{l+1}")


@pytest.mark.parametrize("width", [390, 1400])
def test_no_formula_is_clipped_and_no_page_scrolls_sideways_for_one(width, folder, open_page, screenshot):
    pages = [path for path in sorted(folder.rglob("*.html")) if "<math" in path.read_text(encoding="utf-8")]
    assert len(pages) > 20
    page = open_page(pages[0].as_uri())
    page.set_viewport_size({"width": width, "height": 900})
    found = {}
    for path in pages:
        page.goto(path.as_uri())
        sideways = page.evaluate("() => document.documentElement.scrollWidth > document.documentElement.clientWidth")
        found[path.relative_to(folder).as_posix()] = (page.evaluate(CLIPPED), sideways)
    assert {name: said for name, said in found.items() if said != ([], False)} == {}
    page.goto((folder / "formulations" / "local-polytope.html").as_uri())
    screenshot(page)


def test_a_clipped_formula_is_noticed(folder, open_page):
    page = open_page((folder / "model.html").as_uri())
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.evaluate(CLIPPED) == []
    page.add_style_tag(content=".md-typeset .formula { overflow: hidden }")
    assert page.evaluate(CLIPPED)[0].startswith("F_{l+1}")


def test_the_keyboard_reaches_wide_tables(show):
    page = show("reports/audit/audit.html")
    table = page.locator(".wide").first
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.wide').scrollLeft > 0")


def test_every_link_of_the_home_page_leads_somewhere(show, address):
    page = show("index.html")
    links = {link.split("#")[0] for link in page.locator("article a").evaluate_all("all => all.map(a => a.href)")}
    assert len(links) > 10
    for link in sorted(links):
        assert page.request.get(link).ok, link
