"""Stages on submeshes whose times stand in a table: against all plans, stopped on the way, and where none may be."""

from dataclasses import dataclass, field
from itertools import product
from random import Random

import pytest

from formulations.pipeline.submeshes import FORMULATION as PROGRAMME
from formulations.pipeline.submeshes.paths import FORMULATION as PATHS
from hypar_opt.costgraph.pipeline.submeshes import MovedTensor, Submesh, SubmeshGraph
from hypar_opt.formulation.run import Limits, Run, Stopped
from hypar_opt.formulation.solution import Status
from tests.helpers import each


@dataclass(frozen=True)
class Table:
    """Stages take their layers' sizes and more for each pair; so many layers are allowed at most."""

    sizes: tuple[tuple[int, ...], ...]
    most: int
    pairs: int
    patience: int = 10**9
    asked: list[int] = field(default_factory=list)

    def least(self, kind):
        """Return the sizes, and nothing of pairs."""
        return self.sizes[kind], [0] * self.pairs

    def time(self, kind, layers, limits=None):
        """Return what a stage takes, or stop after so many that were asked for."""
        if limits is not None:
            self.asked.append(kind)
            if len(self.asked) > self.patience:
                raise Stopped
        if len(layers) > self.most:
            return None
        return sum(self.sizes[kind][layer] for layer in layers) + 3 * (len(layers) - 1) * (kind + 1)


def graph_of(seed, most=5, patience=10**9):
    """Return four layers with random reads on four leaves, all submeshes of a size alike."""
    draw = Random(seed)
    order = tuple((a, b) for b in range(4) for a in range(b) if draw.random() < 0.5)
    tensors = tuple(
        MovedTensor(a, tuple(b for first, b in order if first == a), draw.randint(0, 3))
        for a in dict.fromkeys(first for first, _ in order)
    )
    submeshes = tuple(
        Submesh(first, levels, levels, 0 if first == 0 else draw.randint(0, 2), draw.randint(0, 2))
        for levels in (2, 1, 0)
        for first in range(0, 4, 2**levels)
    )
    sizes = tuple(tuple(draw.randint(0, 9) for _ in range(4)) for _ in range(3))
    count = draw.choice((1, 2, 8))
    names = ("a", "b", "c", "d")
    return SubmeshGraph(
        names, order, tensors, submeshes, Table(sizes, most, len(order), patience), 200, 1, count - 1, count
    )


@each("seed", range(40), quick=4)
def test_the_best_of_all_plans(seed):
    graph = graph_of(seed, most=1 + seed % 4)
    plans = product(range(len(graph.submeshes)), repeat=4)
    best = min((graph.value(plan) for plan in plans if graph.feasible(plan)), default=None)
    for formulation in (PROGRAMME, PATHS) if seed % 6 < 2 else (PROGRAMME,):
        found = formulation.solve(graph, Run(formulation.name, Limits(workers=1)))
        assert found.status is (Status.INFEASIBLE if best is None else Status.OPTIMAL)
        assert best is None or graph.value(found.choices) == found.bound == best


@pytest.mark.parametrize("patience", range(4))
def test_what_is_known_when_it_has_to_stop(patience):
    graph = graph_of(7, patience=patience)
    told = []
    run = Run("submesh-dp", listener=told.append)
    found = PROGRAMME.solve(graph, run)
    best = PROGRAMME.solve(graph_of(7), Run("submesh-dp"))
    assert found.bound <= best.bound
    if found.status is not Status.OPTIMAL:
        assert found.native_status == "stopped"
        assert found.choices is None or graph.value(found.choices) >= best.bound
    assert all(event.value <= best.bound for event in told if event.kind == "bound")


def test_over_before_it_begins():
    limits = Limits()
    limits.stop.set()
    for formulation in (PROGRAMME, PATHS):
        assert formulation.solve(graph_of(1), Run(formulation.name, limits)).status is Status.NO_SOLUTION


def test_fewer_stages_are_found_out_than_there_are():
    graph = graph_of(3)
    PROGRAMME.solve(graph, Run("submesh-dp"))
    assert len(set(graph.inside.asked)) <= len(graph.inside.asked) < 3 * 15
