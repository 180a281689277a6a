"""Records that the modules of a package add to a table."""

from __future__ import annotations

import sys

import pytest

from hypar_opt.util.lazy import records_of

MODULE = """
from types import SimpleNamespace
THINGS = ({records},)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "of_things"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "of_things"]:
        del sys.modules[name]


def _add(folder, module, **ranks):
    records = ", ".join(f"SimpleNamespace(name={name!r}, rank={rank})" for name, rank in ranks.items())
    (folder / f"{module}.py").write_text(MODULE.format(records=records))


def test_a_file_is_all_that_a_record_needs(package):
    _add(package, "one", a=2, b=1)
    (package / "other.py").write_text("")
    assert [one.name for one in records_of("of_things", [str(package)], "THINGS")] == ["b", "a"]
    _add(package, "two", c=1, d=0)
    assert [one.name for one in records_of("of_things", [str(package)], "THINGS")] == ["d", "b", "c", "a"]
