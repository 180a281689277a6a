"""The site: complete, and nothing on it from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import hypar_opt
from hypar_opt.cli.group import SUMMARIES
from tests.docs.site import build

pytestmark = pytest.mark.slow
"""Making the site takes 20 s."""
FETCHING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "audio": "src", "video": "src"}


class Fetched(HTMLParser):
    """What a browser would fetch for a page, and how many formulae it has."""

    def __init__(self, text):
        super().__init__()
        self.urls, self.formulae = [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.formulae += tag == "math"
        if tag in FETCHING and found.get(FETCHING[tag]):
            self.urls.append(found[FETCHING[tag]])
        if tag == "link" and found.get("rel") not in ("canonical", "next", "prev"):
            self.urls.append(found["href"])


@pytest.fixture(scope="module")
def every(site):
    return {str(path.relative_to(site)): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}


def test_nothing_is_fetched_from_elsewhere(every, site):
    outside = {url for text in every.values() for url in Fetched(text).urls if re.match(r"(https?:)?//", url)}
    assert outside == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", styles) == []


def test_formulae_are_drawn_without_a_script(every):
    assert Fetched(every["model.html"]).formulae > 10
    assert [name for name, text in every.items() if "arithmatex" in text] == []


def test_marks_are_filled_in(every):
    assert [name for name, text in every.items() if "<!-- generated" in text] == []
    assert all(f'<h1 id="{name}">' in every[f"commands/{name}.html"] for name in SUMMARIES)


def test_the_public_interface_is_documented(every):
    assert [name for name in hypar_opt.__all__ if f"hypar_opt.{name}" not in every["api/index.html"]] == []
    assert all("no documentation" not in text for text in every.values())


@pytest.mark.parametrize(
    ("page", "function"),
    [
        ("formulations/milp.html", "formulations.milp.model.conservation"),
        ("formulations/cp-sat.html", "formulations.cp_sat.model.conservation"),
        ("formulations/placement.html", "formulations.placement.milp.model.follows"),
        ("formulations/joint-dp.html", "hypar_opt.costgraph.minplus.minplus"),
    ],
)
def test_code_stands_beside_the_mathematics(page, function, every):
    text = every[page]
    assert Fetched(text).formulae
    assert re.search(rf'id="{re.escape(function)}".*?<details[^>]* open', text, re.DOTALL)


def test_a_broken_link_fails_the_build(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[gone](gone.md)", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text("site_name: x\nvalidation: {links: {not_found: warn}}\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"gone\.md"):
        build(tmp_path / "site", "--config-file", str(tmp_path / "mkdocs.yml"))
