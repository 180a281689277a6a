"""Compiling operators ends at the time limit, and there is no plan then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.interrupt import Interrupted


@pytest.mark.parametrize("objective", ["communication", "compute-time"])
def test_a_limit_that_is_over_while_operators_are_compiled_leaves_no_plan(objective):
    instance = load("gpt2-block", array="a100-2x8", objective=objective)
    limits = Limits()

    def stop(event):
        if event.text.startswith("compiling"):
            limits.stop.set()

    plan = solve(instance, limits=limits, listener=stop)
    assert (plan.status, plan.strategies, plan.bound) == (Status.NO_SOLUTION, None, None)
    assert plan.native_status.startswith("stopped while")


@pytest.mark.parametrize("asked", [1, 3, 5])
def test_compiling_asks_more_often_the_more_operators_there_are(asked):
    problem = OperatorProblem(load("gpt2-small"))
    left = iter([False] * asked)
    components = replace(problem.components, over=lambda: next(left, True))
    with pytest.raises(Interrupted):
        _ = components.operators.costgraph
