"""Formulations of pipelines whose operators may be done in several ways, against all plans there are."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from helpers import each
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt import Limits
from hypar_opt.solver.pipeline_problem import PipelineProblem, PipelineTask
from tests.formulations.pipeline.agreement import check_agreement
from tests.formulations.pipeline.small_ways import random_ways

SEEDS = st.integers(0, 2**32)
LIMITS = Limits(workers=1)


@each("seed", [4, 9, 13, 33, 35, 39, *range(100, 200)], quick=6)
def test_all_formulations_against_all_plans(seed):
    assert check_agreement(seed)


@given(SEEDS)
def test_groups_take_and_keep_what_operators_do(seed):
    problem, draw = PipelineProblem(random_ways(seed, most=6)), Random(seed)
    graph, task = problem.graph, PipelineTask(problem)
    for _ in range(8):
        slots = [draw.randrange(len(graph.slots)) for _ in range(graph.groups)]
        options = [graph.options[graph.slots[slot].option] for slot in slots]
        ways = [draw.randint(0, len(one.ways.get(group, ()))) for group, one in enumerate(options)]
        choices = [slot + way * len(graph.slots) for slot, way in zip(slots, ways, strict=True)]
        judged = problem.judged(task.decode(choices)[0])
        if all(option.allowed[group] for group, option in enumerate(options)):  # else times are of no device
            assert judged.objective == Fraction(graph.value(choices), graph.unit)
        assert (judged.fault is None) == graph.feasible(choices)
        if judged.fault is None:
            again = problem.choices(task.decode(choices)[0])
            assert graph.value(again) == graph.value(choices)
