"""Every step alone, on small random graphs, against trying everything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from presolve_checks import assignments, optimum, unfaithful

from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import Memory
from hypar_opt.costgraph.presolve import NoPlan
from hypar_opt.costgraph.presolve.aggregation import merge_followers
from hypar_opt.costgraph.presolve.capacity_tightening import forbid_crowded
from hypar_opt.costgraph.presolve.elimination import eliminate_leaves, eliminate_paths, solve_isolated
from hypar_opt.costgraph.presolve.reduction import NoValue
from hypar_opt.costgraph.presolve.rows import simplify_memory
from hypar_opt.costgraph.presolve.separable import fold_separable
from hypar_opt.costgraph.presolve.value_removal import drop_dominated, drop_forbidden, drop_unsupported
from tests.instance.strategy_graph.drawing import draw

SEEDS = range(100)
STEPS = {
    reduce.__name__: reduce
    for reduce in (
        merge_followers,
        forbid_crowded,
        drop_forbidden,
        drop_unsupported,
        simplify_memory,
        fold_separable,
        drop_dominated,
        eliminate_leaves,
        eliminate_paths,
        solve_isolated,
    )
}


def made(name, seeds=SEEDS):
    """Yield tables, and what a step makes of them, where it does anything."""
    for seed in seeds:
        tables = compile_graph(draw(seed, 5, 3))
        try:
            result = STEPS[name](tables)
        except (NoPlan, NoValue):
            assert optimum(tables) is None
            continue
        if result is not None:
            yield tables, *result


@pytest.mark.parametrize("name", STEPS)
def test_a_step_keeps_the_optimum_and_maps_both_ways(name):
    count = 0
    for before, after, step in made(name):
        assert step.before is before
        assert step.removed > 0 or name == "simplify_memory"
        assert unfaithful(before, after, step) is None
        count += 1
    assert count >= 10


@pytest.mark.parametrize("name", STEPS)
def test_a_step_says_which_variables_are_left(name):
    for before, after, step in made(name, range(30)):
        assert len(step.variables) == after.count
        for one in assignments(after)[:5]:
            whole = step.expand(one)
            kept = np.array_equal(before.sizes[step.variables], after.sizes)
            assert not kept or np.array_equal(whole[step.variables], one)


@pytest.mark.parametrize("name", STEPS)
def test_tables_that_cost_more_after_a_step_are_noticed(name):
    noticed = [
        unfaithful(before, after.replace(constant=after.constant + 1), step) is not None
        for before, after, step in made(name)
        if optimum(before) is not None
    ]
    assert noticed
    assert all(noticed)


@pytest.mark.parametrize("name", ["merge_followers", "simplify_memory", "fold_separable", "eliminate_leaves"])
def test_memory_forgotten_by_a_step_is_noticed(name):
    assert any(
        unfaithful(before, after.replace(memory=replace(after.memory, room=after.memory.room + 2)), step)
        for before, after, step in made(name)
    )


def test_dominance_that_does_not_look_at_memory_is_noticed():
    blind = [
        unfaithful(tables, step.after, step)
        for tables in (compile_graph(draw(seed, 5, 3)) for seed in SEEDS)
        if (made := drop_dominated(tables.replace(memory=Memory.none()))) is not None
        and (step := replace(made[1], before=tables))
    ]
    assert any(blind)


def test_followers_mapped_wrongly_are_noticed():
    wrong = [
        unfaithful(before, after, replace(step, values=np.roll(step.values, 1)))
        for before, after, step in made("merge_followers")
        if optimum(before) is not None and before.sizes.min() == before.sizes.max()
    ]
    assert wrong
    assert any(wrong)
