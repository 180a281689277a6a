"""A headless browser without a network, and what every page has to keep to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.browser.chromium import MISSING, chromium
from tests.browser.waiting import PATIENCE_MS

SCREENSHOTS = Path(__file__).parents[2] / ".screenshots"


@pytest.fixture(scope="session")
def browser():
    """Start the browser once; where there is none the tests fail, they are not skipped."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    assert path, MISSING
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield started
        started.close()


class Watched:
    """What a page says and asks for while a test looks at it."""

    def __init__(self, page, allowed: str) -> None:
        self.page, self.console, self.outside = page, [], []
        page.on("console", lambda said: self.console.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("request", lambda asked: None if re.match(allowed, asked.url) else self.outside.append(asked.url))


@pytest.fixture
def open_page(browser):
    """Return a function that opens a URL; after the test nothing may have been said or asked for outside."""
    watched = []
    contexts = []

    def opened(url: str, *, allowed: str = r"(file|data|blob):", offline: bool = True, **options):
        context = browser.new_context(offline=offline, viewport={"width": 1280, "height": 900}, **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        watched.append(Watched(page, allowed))
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    for one in watched:
        assert one.console == [], "the page wrote to the console"
        assert one.outside == [], "the page asked for something outside"


@pytest.fixture
def screenshot(request):
    """Return a function that keeps a picture of a page, for whoever changes it."""

    def taken(page, name: str = "") -> Path:
        SCREENSHOTS.mkdir(exist_ok=True)
        stem = re.sub(r"[^a-z0-9-]+", "-", f"{request.node.name}-{name}".lower()).strip("-")
        path = SCREENSHOTS / f"{stem}.png"
        page.screenshot(path=path, full_page=True)
        return path

    return taken


@pytest.fixture
def accessible():
    """Return a function that fails on any serious or critical violation that axe-core finds."""
    from axe_playwright_python.sync_playwright import Axe

    def checked(page) -> None:
        found = Axe().run(page, options={"preload": False}).response["violations"]  # it would fetch styles
        bad = [
            f"{one['id']} ({one['impact']}): {one['help']}: {[node['html'][:200] for node in one['nodes'][:3]]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
        assert not bad, "\n".join(bad)

    return checked
