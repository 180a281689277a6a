"""The hooks of the documentation's site, imported as mkdocs imports them; and the site."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from tests.docs.blocks import ROOT
from tests.docs.site import build

HOOKS = ("commands", "fields", "generated", "mathml", "notebooks", "reading", "report_pages")


@pytest.fixture(scope="session")
def hooks():
    """Return the modules beside the hooks by name."""
    folder = str(ROOT / "docs" / "_build")
    sys.path.insert(0, folder)
    try:
        return SimpleNamespace(**{name: __import__(name) for name in HOOKS})
    finally:
        sys.path.remove(folder)
        for name in HOOKS:  # names as common as these are nobody else's
            sys.modules.pop(name, None)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of a site that was just built."""
    return build(tmp_path_factory.mktemp("site"))
