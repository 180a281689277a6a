"""The packages of the extras: as pyproject.toml has them, and what is said where one is missing."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from hypar_opt.util.errors import HyparError, MissingPackage
from hypar_opt.util.extras import EXTRAS, counted_versions, missing, require, versions

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = PROJECT["optional-dependencies"]
TRIED = [name for name, extra in EXTRAS.items() if extra.is_in_all]
"""What most installs have, and these tests too."""


def package(requirement):
    return re.split(r"[\[<>=~]", requirement)[0].lower()


@pytest.mark.parametrize("extra", TRIED)
def test_an_extra_brings_what_its_record_names(extra):
    distributions = packages_distributions()
    brought = {package(one) for one in DECLARED[extra] if package(one) != PROJECT["name"]}
    assert {distributions[module][0].lower() for module in EXTRAS[extra].modules} == brought


def test_no_package_of_an_extra_is_in_the_lean_install():
    lean = {package(one) for one in PROJECT["dependencies"]}
    assert not lean & {package(one) for extra in EXTRAS for one in DECLARED[extra]}


def test_all_brings_every_extra_and_tests_and_benchmarks_have_all():
    assert DECLARED["all"] == [f"hypar-opt[{','.join(TRIED)}]"]
    assert any("all" in one and one.startswith("hypar-opt[") for one in DECLARED["test"])
    assert DECLARED["bench"][0] == "hypar-opt[all]"


@pytest.mark.parametrize("extra", TRIED)
def test_a_missing_package_is_an_error_with_the_command_that_installs_it(extra, monkeypatch):
    require(extra)
    for module in EXTRAS[extra].modules:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)  # which imports take for a module that is not there
            with pytest.raises(MissingPackage) as raised:
                require(extra)
        said = f"{EXTRAS[extra].purpose} {module}, which is not installed: pip install 'hypar-opt[{extra}]'"
        assert str(raised.value) == said
        assert isinstance(raised.value, HyparError) and isinstance(raised.value, ImportError)


def test_what_no_extra_brings_is_not_missed(monkeypatch):
    monkeypatch.setitem(sys.modules, "somebodys_solver", None)
    assert missing(("somebodys_solver", "numba")) is None


def test_versions_are_of_the_extras_too():
    assert {"numpy", "altair", "numba", "simpy", "starlette"} <= versions().keys()
    assert not {"hypar-opt[report]", "pytest", "mkdocs-material"} & versions().keys()


def test_a_third_partys_formulations_count(tmp_path, monkeypatch):
    before = counted_versions()
    about = tmp_path / "their_search-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: their-search\nVersion: 1.2\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[hypar_opt.formulations]\ntheirs = theirs:SEARCH\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert counted_versions() == before | {"their-search": "1.2"}
