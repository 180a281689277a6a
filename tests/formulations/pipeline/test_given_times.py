"""Stages that take what a table says, no sum over their groups: pipeline-dp against all plans."""

from dataclasses import dataclass, replace
from itertools import product
from random import Random

import numpy as np
import pytest

from formulations.pipeline.down_sets import FORMULATION
from hypar_opt.costgraph.pipeline import StageGraph, StageOption
from hypar_opt.costgraph.pipeline.given_times import BEYOND
from hypar_opt.costgraph.pipeline.option import integers
from hypar_opt.formulation.registry import load_formulation, refusal
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Status
from tests.helpers import each


@dataclass(frozen=True)
class Squared:
    """Stages take the square of their groups' sum, a third of it on two devices; none has more than three groups."""

    sizes: tuple[int, ...]
    most: int = 10**6

    def over(self, members):
        """Return times between down-sets."""
        return SquaredBetween(self, members)

    def time(self, option, groups):
        """Return what a stage takes."""
        return None if len(groups) > 3 else sum(self.sizes[group] for group in groups) ** 2 // (1, 3)[option]


@dataclass(frozen=True, eq=False)
class SquaredBetween:
    """The same of down-sets."""

    times: Squared
    members: np.ndarray

    def between(self, one, others):
        """Return times by option."""
        found = []
        for option in range(2):
            own = [np.flatnonzero(self.members[:, end] & ~self.members[:, one]).tolist() for end in others.tolist()]
            times = [self.times.time(option, groups) for groups in own]
            found.append(np.array([BEYOND if time is None else time for time in times], dtype=np.int64))
        return found


def tabled(seed):
    """Return a graph of four or five groups on three devices, whose stages take squares."""
    draw = Random(seed)
    count = draw.randint(4, 5)
    sizes = tuple(draw.randint(1, 9) for _ in range(count))
    order = tuple((a, b) for b in range(count) for a in range(b) if draw.random() < 0.4)
    none, zero, every = integers([]), integers([0] * count), np.ones(count, dtype=bool)
    options = tuple(
        StageOption(0, devices, integers([size**2 // share for size in sizes]), none, zero, None, every, zero, devices)
        for devices, share in ((1, 1), (2, 3))
    )
    names = tuple(f"g{group}" for group in range(count))
    weights = draw.choice(((0, 1), (1, 0), (1, 3)))
    return StageGraph(names, order, none, (), (3,), options, True, False, *weights, given_times=Squared(sizes))


@each("seed", range(60), quick=6)
def test_table_against_all_plans(seed):
    graph = tabled(seed)
    plans = product(range(len(graph.slots)), repeat=graph.groups)
    best = min((graph.value(one) for one in plans if graph.feasible(one)), default=None)
    found = FORMULATION.solve(graph, Run("pipeline-dp"))
    if best is None:
        assert found.status is Status.INFEASIBLE
        return
    assert found.status is Status.OPTIMAL
    assert graph.feasible(found.choices)
    assert graph.value(found.choices) == found.bound == best


@pytest.mark.parametrize("name", ["pipeline-cp-sat", "pipeline-milp", "pipeline-equal"])
def test_sums_are_expected_elsewhere(name):
    graph = tabled(0)
    run = Run(name)
    assert "pipeline-dp" in refusal(load_formulation(name), graph, run)
    assert refusal(load_formulation(name), replace(graph, given_times=None), run) is None
