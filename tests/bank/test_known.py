"""Every exact formulation finds the known optimum of every problem in known.yaml."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
import yaml
from helpers import document, exact_names, problem_of

from hypar_opt.formulation.registry import found
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal

BANK = {one["name"]: one for one in yaml.safe_load(Path(__file__).with_name("known.yaml").read_text(encoding="utf-8"))}


def problem_named(name):
    fields = dict(BANK[name]["instance"])
    return problem_of(document(fields.pop("layers"), fields.pop("input"), **fields))


@pytest.mark.parametrize("formulation", exact_names())
@pytest.mark.parametrize("name", BANK)
def test_the_optimum_is_found_and_proven(name, formulation):
    known = BANK[name]
    plan = solve(problem_named(name), formulation)
    if known["bytes"] is None:
        assert (plan.status, plan.strategies, plan.bound) == ("INFEASIBLE", None, None)
        return
    objective = Fraction(known.get("objective", known["bytes"]))
    assert (plan.status, plan.communication_bytes) == ("OPTIMAL", known["bytes"])
    assert (plan.objective, plan.bound) == (objective, objective)
    assert list(plan.strategies.values()) in known["plans"]


@pytest.mark.parametrize("name", [name for name, known in BANK.items() if known["bytes"] is not None])
def test_the_list_of_optimal_plans_is_complete(name):
    problem = problem_named(name)
    every = product(*(range(variable.size) for variable in problem.graph.variables))
    allowed = {choices: problem.graph.value(choices) for choices in every if problem.graph.feasible(choices)}
    best = [choices for choices, value in allowed.items() if value == min(allowed.values())]
    assert [list(problem.strategies(choices).values()) for choices in best] == BANK[name]["plans"]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", BANK)
def test_no_formulation_beats_the_optimum(name):
    problem = problem_named(name)
    known = BANK[name]["bytes"]
    accepted = 0
    for formulation in found():
        try:
            plan = solve(problem, formulation)
        except Refusal:
            continue
        accepted += 1
        assert plan.status != "ERROR"
        assert plan.communication_bytes is None or plan.communication_bytes >= (known or 0)
        assert (plan.communication_bytes is None) or known is not None
    assert accepted >= len(exact_names())
