"""MultiTree in other orders of trees, and grown as time goes on where links differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from formulations.collective.growing import grown
from formulations.collective.multitree import orders
from formulations.collective.timing import as_soon_as_possible, until
from hypar_opt import solve
from hypar_opt.cost.collective import compile_collective
from hypar_opt.formulation.run import Limits, Run
from tests.collectives import collective_of


def test_orders_are_permutations_that_a_seed_decides():
    drawn = [list(orders(5, seed, 6)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(sorted(order) == [0, 1, 2, 3, 4] for _, order in drawn[0])
    assert [name for name, _ in drawn[0]][:3] == ["as given", "backwards", "shuffled 1"]


def test_another_order_takes_a_step_less():
    instance = collective_of("mesh", dims=[3, 3])
    given, best = solve(instance, "multitree"), solve(instance, "multitree-orders")
    assert (given.objective, best.objective, best.status) == (5, 4, "OPTIMAL")
    assert best.statistics["order"] != "as given"
    assert best.statistics["orders"] > 1


@pytest.mark.parametrize("collective", ["all-gather", "all-reduce"])
def test_trees_grow_as_time_goes_on_where_links_differ(collective):
    # around a square three links are quick; in steps all four would be alike
    links = [{"ends": [f"n{i}", f"n{(i + 1) % 4}"], "bandwidth": 1 if i == 3 else 10} for i in range(4)]
    graph = {"nodes": [{"name": f"n{i}"} for i in range(4)], "links": links}
    instance = collective_of("custom", collective, graph=graph, bytes=40, objective="time")
    plan = solve(instance, "multitree")
    compiled = compile_collective(replace(instance, collective="all-gather"))
    in_steps = until(as_soon_as_possible(compiled, grown(compiled, Run("multitree", Limits()))))
    assert plan.native_status.startswith("trees in turns as time goes on")
    halves = 1 if collective == "all-gather" else 2
    assert plan.objective * compiled.unit < halves * in_steps
