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


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing about who asked for what."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The site's address while it is served."""
    folder = build(tmp_path_factory.mktemp("site"))
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


def test_the_search_finds_a_page(show):
    page = show("index.html")
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("chordal", delay=20)
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    assert "topology.html" in found.get_attribute("href")


def test_formulae_have_a_size_and_a_text(show):
    page = show("model.html")
    formula = page.locator("math[display=block]").first
    box = formula.bounding_box()
    assert box["width"] > 100
    assert box["height"] > 10
    assert formula.get_attribute("alttext").startswith("F_{l+1}")


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
