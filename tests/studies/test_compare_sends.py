"""Two schedules of a collective: which chunks they do not send alike, and what either comes to."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hypar_opt.report.compare_sends import changed_rows, send_comparison_document, send_comparison_headline
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.solve import solve
from hypar_opt.studies.compare_plans import compare_plans
from hypar_opt.util.errors import InputError


@pytest.fixture(scope="module")
def problem():
    return problem_of("torus-4x4-gather")


@pytest.fixture(scope="module")
def plan(problem):
    return solve(problem, "shifted-trees")


def test_chunks_that_go_other_ways_are_told(problem, plan):
    found = compare_plans(plan, solve(problem, "ring"), problem)
    assert found.more == 11
    assert [one.rerouted for one in found.changed] == [True] * 16
    assert found.changed[0].over == (4, 15)
    assert "16 of 16 chunks go other ways; the second less the first: +11 steps" in send_comparison_headline(found)
    document = json.loads(json.dumps(send_comparison_document(found)))
    assert (document["plans"][1]["steps"], len(document["chunks"]), len(found.to_frame())) == (15, 16, 16)


def test_the_same_ways_at_other_times_are_told_apart(problem, plan):
    moved = {name: text.replace("@4", "@5") for name, text in plan.strategies.items()}
    later = replace(plan, strategies=moved, objective=5, bound=4, status=type(plan.status).FEASIBLE)
    found = compare_plans(plan, later, problem)
    assert {row["goes"] for row in changed_rows(found)} == {"the same ways at other times"}
    assert "the schedules are the same" in send_comparison_headline(compare_plans(plan, plan, problem))


def test_what_is_no_schedule_is_not_compared(problem, plan):
    broken = replace(plan, strategies={**plan.strategies, "a0": ""})
    with pytest.raises(InputError, match="has nothing of it"):
        compare_plans(plan, broken, problem)
