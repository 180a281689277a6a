"""Files that docstrings, comments and pages name are there."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.docs.blocks import ROOT

ENDS = "bib|cert|css|csv|gz|html|js|json|md|py|svg|tex|toml|txt|yaml"
FOLDERS = "docs|formulations|hypar_opt|instances|reports|tests"
PATH = re.compile(rf"(?<![\w/.$<{{}}-])((?:{FOLDERS})/[\w./*-]*[\w*]\.(?:{ENDS}))\b")
MADE = re.compile(r"^(?:\+\+\+ b/|```\w+ title=\")([\w./-]+)", re.MULTILINE)
PAGE = re.compile(r"(?<![\w/.-])([\w-]+\.md)\b")
WRITTEN = {"explore.md", "scale.md"}
"""Pages that commands write."""
PLACES = ("hypar_opt/**/*.py", "formulations/**/*.py", "docs/**/*.md", "instances/**/*.yaml", "*.md", "Makefile")


@cache
def sources():
    """Return all files but the page that names what there was."""
    return sorted(path for place in PLACES for path in ROOT.glob(place) if path.name != "CHANGELOG.md")


def unknown_paths(text, folder):
    """Return the paths in a text that are none of a file here, or of one that a patch on the page makes."""
    made = set(MADE.findall(text))
    named = dict.fromkeys(match[1] for match in PATH.finditer(text))
    return [one for one in named if one not in made and not any(ROOT.glob(one)) and not (folder / one).exists()]


def test_paths_that_are_none_are_found():
    text = "see hypar_opt/util/files.py, docs/no-page.md, hypar_opt/cost/*.py and instances/nets/*.yaml\n"
    text += "+++ b/tests/new.py\n"
    assert unknown_paths(text + "tests/new.py", ROOT) == ["docs/no-page.md", "instances/nets/*.yaml"]


def test_there_is_something_to_look_at():
    assert len(sources()) > 500
    assert sum(bool(PATH.search(path.read_text(encoding="utf-8"))) for path in sources()) > 20


@pytest.mark.parametrize("folder", ["hypar_opt", "formulations", "docs", "instances", "."])
def test_what_is_named_is_there(folder):
    found = {
        path.relative_to(ROOT).as_posix(): unknown_paths(path.read_text(encoding="utf-8"), path.parent)
        for path in sources()
        if path.relative_to(ROOT).parts[0] == folder or (folder == "." and path.parent == ROOT)
    }
    assert found
    assert {name: paths for name, paths in found.items() if paths} == {}


def test_pages_that_sources_name_are_there():
    code = [path for path in sources() if path.suffix == ".py"]
    named = {name for path in code for name in PAGE.findall(path.read_text(encoding="utf-8"))}
    folders = (ROOT.glob("*.md"), *((ROOT / folder).rglob("*.md") for folder in ("docs", "instances", "reports")))
    assert named - {path.name for folder in folders for path in folder} - WRITTEN == set()
