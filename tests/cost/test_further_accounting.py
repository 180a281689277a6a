"""One accounting more, by its record alone: everybody knows of it."""

from __future__ import annotations

import pytest
from cost.further import changes_of, record_of, spelt, told

from hypar_opt.instance.accountings import ACCOUNTINGS, GSPMD

pytestmark = pytest.mark.slow
"""A process of its own reads the changed package anew."""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    return told(tmp_path_factory.mktemp("further"), record_of("cost-model.md"), "asking_of_accountings.py")


def test_it_takes_three_places():
    assert list(changes_of("cost-model.md")) == [
        "hypar_opt/instance/accountings.py",
        "hypar_opt/evaluation/communication/levels.py",
        "hypar_opt/verification/certificate/check.py",
    ]


def test_it_is_one_more(said):
    assert set(said["accountings"]) == {*ACCOUNTINGS, "sender"}


@pytest.mark.parametrize("place", ["options", "schema", "form", "page"])
def test_all_are_offered(said, place):
    of_operators = [GSPMD] if place in ("options", "page") else []  # what both kinds of instances have stands there
    assert said[place] == [*said["accountings"], *of_operators]


def test_arrays_are_compared_under_those_that_say_what_a_level_exchanges(said):
    assert said["compare-arrays"] == [name for name in said["accountings"] if name not in ("leaf-exact", "collective")]


def test_what_is_offered_is_accepted(said):
    """By instance files, by the server, and by claims."""
    assert said["taken"] == {"instance": "sender", "server": "sender", "claim": "sender"}


def test_no_name_is_spelt_elsewhere():
    """What is of one accounting only stands in its record; the judge and the checker are told apart from that."""
    apart = ("evaluation", "verification/certificate", "studies/random_instances", "instance/hardware/accelerator")
    assert spelt(ACCOUNTINGS, apart) == []
