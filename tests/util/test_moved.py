"""Modules under their old names: the same ones, and a warning."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib import import_module

import pytest

import hypar_opt
from hypar_opt.util.moved import MOVED, new_name


@pytest.mark.parametrize("old", sorted(MOVED))
def test_every_old_name_leads_to_a_module(old):
    sys.modules.pop(f"hypar_opt.{old}", None)
    with pytest.warns(DeprecationWarning, match=f"hypar_opt.{old} is hypar_opt.{MOVED[old]} now"):
        assert import_module(f"hypar_opt.{old}") is import_module(f"hypar_opt.{MOVED[old]}")


def test_a_moved_module_is_no_second_one():
    with pytest.warns(DeprecationWarning):
        from hypar_opt.strategy_graph.graph import StrategyGraph as Old
    from hypar_opt.instance.strategy_graph.graph import StrategyGraph

    assert Old is StrategyGraph
    assert (
        import_module("hypar_opt.instance.strategy_graph.graph").__spec__.name
        == "hypar_opt.instance.strategy_graph.graph"
    )


def test_what_has_not_moved_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        import_module("hypar_opt.costgraph.words")
    assert new_name("hypar_opt.instance.instance") is None
    assert new_name("numpy.errors") is None
    with pytest.raises(ModuleNotFoundError, match=r"hypar_opt\.solving\.nothing"):
        import_module("hypar_opt.solving.nothing")


def test_the_checker_runs_under_its_old_name():
    ended = subprocess.run(
        [sys.executable, "-m", "hypar_opt.certificate.check"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, "usage" in ended.stderr.lower() + ended.stdout.lower()) == (2, True), ended


def test_a_name_that_was_public_leads_to_what_it_is_called_now():
    with pytest.warns(DeprecationWarning, match="hypar_opt.Problem is NetworkProblem now"):
        assert hypar_opt.Problem is hypar_opt.NetworkProblem


def test_a_class_that_has_another_name_now():
    module = import_module("hypar_opt.instance.objective.function")
    with pytest.warns(DeprecationWarning, match=r"function.Aim|Aim is ObjectiveFunction now"):
        assert module.Aim is module.ObjectiveFunction
    with pytest.raises(AttributeError, match="has no attribute 'Objektive'"):
        _ = module.Objektive
