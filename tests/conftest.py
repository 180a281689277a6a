"""Fixtures of all tests. This file being here also puts `tests` on the path, for `helpers` and `bank`."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import seed, settings

from hypar_opt.formulation import registry as formulation

sys.dont_write_bytecode = False
"""Whatever PYTHONDONTWRITEBYTECODE says: rewriting six thousand asserts takes 9 s, and programs that tests start read
the byte code of the packages, too."""
gc.set_threshold(100_000, 50, 100)
"""As the command line does: what is collected are half a million objects, which would be looked at again and again."""
SAMPLED, OTHERS = settings(derandomize=True, deadline=None, database=None, max_examples=30), 40
"""How many examples of a property the quick tests try, and how many others the slow ones, where it does not say so."""


@dataclass(frozen=True)
class Point:
    """An entry point whose object is already there."""

    name: str
    target: Any
    value: str = "of a test"

    def load(self):
        return self.target


def pytest_addoption(parser):
    parser.addoption("--fast", action="store_true", help="leave out the tests that tests/long.txt lists")


def is_slow_run(config):
    """Return whether what is marked `slow` is run, and nothing else."""
    return config.getoption("markexpr") == "slow"


def tries_others(item):
    """Return whether the slow tests try other examples of a property than the quick ones; those are always the same."""
    test = getattr(item, "obj", None)
    if not getattr(test, "is_hypothesis_test", False):
        return False
    return test._hypothesis_internal_use_settings.max_examples == settings.default.max_examples


def long_tests():
    """Return the tests that took long when they were measured, without their parameters."""
    return set(Path(__file__).with_name("long.txt").read_text(encoding="utf-8").splitlines())


def without_parameters(item):
    """Return the name of a test's function and where it stands."""
    return item.nodeid.partition("[")[0]


def pytest_configure(config):
    settings.register_profile("sampled", SAMPLED)
    settings.register_profile("others", SAMPLED, max_examples=OTHERS)
    settings.load_profile("others" if is_slow_run(config) else "sampled")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Of a test that is marked `sampled(n)`, leave all but the first n of its parameters to the slow tests.

    Properties are in both, with other examples in the slow ones, unless they say themselves how many or take long.
    """
    if config.getoption("fast"):
        long = long_tests()
        config.hook.pytest_deselected(items=[one for one in items if without_parameters(one) in long])
        items[:] = [one for one in items if without_parameters(one) not in long]
    if is_slow_run(config):
        long = long_tests()
        for item in items:
            if tries_others(item) and without_parameters(item) not in long:
                seed(1)(item.obj)
                item.add_marker(pytest.mark.slow)
    seen = Counter()
    for item in items:
        marker = item.get_closest_marker("sampled")
        if marker is None:
            continue
        name = without_parameters(item)
        if seen[name] >= marker.args[0]:
            item.add_marker(pytest.mark.slow)
        seen[name] += 1


@pytest.fixture
def plug_in(monkeypatch):
    """Return a function that adds a formulation to those that are found, until the test ends."""
    real, added = formulation.found, {}
    monkeypatch.setattr(formulation, "found", lambda: {**real(), **added})

    def add(one):
        added[one.name] = Point(one.name, one)
        return one.name

    return add
