"""Small problems of large numbers with a plan at a limit, one below it or one above it, and what their best plan costs.

Every plan is looked at, in Python's integers. Numbers have any magnitude up to 10^15, and many of them differ by 1.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Capacity, CostGraph, Memory, Tables, graph_of, offsets
from hypar_opt.costgraph.placement import PlacementGraph, Usage
from hypar_opt.instance import read_instance
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Graph: TypeAlias = CostGraph | PlacementGraph

DIGITS = 15
"""Of the largest numbers."""
STEPS = (-1, 0, 1)
"""How far a limit lies above what a plan uses."""
MODELS = (
    ("published", ["dp", "mp"]),
    ("as-evaluated", ["dp", "mp"]),
    ("receiver", ["dp", "mp", "op"]),
    ("leaf-exact", ["dp", "mp", "op"]),
)


@dataclass(frozen=True)
class Case:
    """A problem, and the least that a plan of it costs; None where it has none."""

    graph: Graph
    least: int | None


class Numbers:
    """Numbers of one magnitude: near one another, halves and doubles, some small ones."""

    def __init__(self, rng: Random, digits: float = DIGITS) -> None:
        self.rng, self.base = rng, int(10 ** rng.uniform(0, digits))

    def __call__(self) -> int:
        kind = self.rng.randrange(6)
        near = self.base + self.rng.randint(-1, 1)
        return max(0, (near, near, near // 2, self.rng.randrange(self.base + 1), self.rng.randrange(20), 0)[kind])

    def array(self, count: int) -> np.ndarray:
        return np.array([self() for _ in range(count)], dtype=np.int64)


def network(seed: int) -> Case:
    """A network of linear layers on two or four accelerators whose memory is what some plan needs, or 1 off."""
    rng = Random(f"network {seed}")
    accounting, choices = rng.choice(MODELS)
    levels = rng.randint(1, 2)
    most = rng.uniform(0, 6)
    sizes = [int(10 ** rng.uniform(0, most)) for _ in range(rng.randint(2, 3 if levels == 2 else 4))]
    document = {
        "schema": "hypar-opt/instance/1",
        "name": f"network-{seed}",
        "batch": int(10 ** rng.uniform(0, most)),
        "network": {
            "input": [int(10 ** rng.uniform(0, most))],
            "layers": [{"name": f"fc{i}", "linear": {"features": size}} for i, size in enumerate(sizes)],
        },
        "array": {"topology": "h-tree", "levels": levels, "accelerator": {"memory": {"capacity": 10**30}}},
        "cost": {"accounting": accounting, "choices": choices, "bytes_per_element": rng.choice([2, 4, 6])},
    }
    document["array"] |= {"link": {"bandwidth": 1, "energy": 0}, "placement": "identity"}
    document["array"]["accelerator"] |= {
        "model": "as-evaluated",
        "rate": 1,
        "energy": {"add": 0, "multiply": 0, "sram": 0, "dram": 0},
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "instance.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        graph = NetworkProblem(read_instance(path)).graph
    return _limited(graph, rng)


def strategy_graph(seed: int) -> Case:
    """Variables with tables, some entries forbidden, and one limit on what they use at a few times."""
    rng = Random(f"strategy graph {seed}")
    cost, use = Numbers(rng), Numbers(rng)
    sizes = np.array([rng.randint(1, 4) for _ in range(rng.randint(2, 5))])
    count = len(sizes)
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count) if rng.random() < 0.5]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    unary = cost.array(int(sizes.sum()))
    edges = cost.array(int((sizes[ends[:, 0]] * sizes[ends[:, 1]]).sum()))
    share = rng.choice([0, 0, 0.1])
    for costs in (unary, edges):
        costs[[rng.random() < share for _ in costs]] = FORBIDDEN
    rows = rng.randint(1, 2)
    firsts = [rng.randrange(rows) for _ in range(count)]
    spans = np.array([(first, rng.randint(first + 1, rows)) for first in firsts])
    usages = use.array(int(sizes.sum()))
    memory = Memory(np.arange(count), spans, offsets(sizes), usages, np.full(rows, 10**18), np.arange(rows))
    tables = Tables(sizes, unary, ends, edges, memory)
    every = list(product(*map(range, sizes.tolist())))
    used = [memory.used(np.array(one)) for one in every]
    room = int(max(rng.choice(used))) + rng.choice(STEPS)
    tables = tables.replace(
        memory=Memory(memory.holders, spans, memory.starts, usages, np.full(rows, room), memory.moments)
    )
    graph, shift = graph_of(tables)
    fits = (one for one, use in zip(every, used, strict=True) if max(use) <= room and tables.allowed(one))
    least = min((_cost(tables, one) for one in fits), default=None)
    return Case(graph, None if least is None else least - shift)


def placement(seed: int) -> Case:
    """Two or four leaves on up to four sites; exchanges cost anything, and links may take time."""
    rng = Random(f"placement {seed}")
    cost, volume = Numbers(rng, DIGITS), Numbers(rng, rng.choice([1, 3, 6]))
    levels = rng.choice([1, 1, 1, 2])
    sites = rng.randint(1 << levels, 4)
    upper = np.triu(cost.array(sites * sites).reshape(sites, sites), 1)
    usage = _ring(sites, rng, cost) if rng.random() < 0.5 else None
    graph = PlacementGraph(halves(levels), upper + upper.T, tuple(volume() for _ in range(levels)), usage)
    return Case(graph, min(_placed(graph, one) for one in permutations(range(sites), graph.leaves)))


KINDS = {"network": network, "strategy graph": strategy_graph, "placement": placement}


def _limited(graph: CostGraph, rng: Random) -> Case:
    """Set the limits of a graph's capacities to what a random plan uses, or 1 off."""
    own = [cost.dense(object) for cost in graph.unary_costs]
    pairs = {pair: cost.dense(object) for pair, cost in graph.edge_costs.items()}
    usages = [{i: use.dense(object) for i, use in one.usages.items()} for one in graph.capacities]
    masks = [np.ones(v.size, dtype=bool) if v.mask is None else v.mask for v in graph.variables]
    every = list(product(*(np.flatnonzero(mask).tolist() for mask in masks)))

    def cost(plan: Sequence[int]) -> int:
        alone = sum(int(one[i]) for one, i in zip(own, plan, strict=True))
        return alone + sum(int(table[plan[a], plan[b]]) for (a, b), table in pairs.items())

    def used(plan: Sequence[int]) -> list[int]:
        return [sum(int(use[plan[i]]) for i, use in one.items()) for one in usages]

    limits = [most + rng.choice(STEPS) for most in used(rng.choice(every))]
    least = min(
        (cost(plan) for plan in every if all(a <= b for a, b in zip(used(plan), limits, strict=True))), default=None
    )
    capacities = [Capacity(one.name, limit, one.usages) for one, limit in zip(graph.capacities, limits, strict=True)]
    return Case(graph.replace(capacities=tuple(capacities)), least)


def _cost(tables: Tables, plan: Iterable[int]) -> int:
    return tables.constant + sum(tables.terms(list(plan)).tolist())


def _ring(sites: int, rng: Random, cost: Numbers) -> Usage:
    """Return the links of a ring, each in both directions, of any slowness; exchanges take them all the shorter way."""
    slow = cost.array(sites)
    ends = [(u, (u + 1) % sites) for u in range(sites)] + [((u + 1) % sites, u) for u in range(sites)]
    starts, links = [0], []
    for u in range(sites):
        for v in range(sites):
            ahead = (v - u) % sites
            if 2 * ahead <= sites:
                links += [(u + i) % sites for i in range(ahead)]
            else:
                links += [sites + (u - 1 - i) % sites for i in range(sites - ahead)]
            starts.append(len(links))
    slowness = np.concatenate([slow, slow])
    used = np.array(links, dtype=np.int64)
    return Usage(np.array(starts), used, slowness[used], np.array(ends), slowness)


def _placed(graph: PlacementGraph, placed: Sequence[int]) -> int:
    """Return what a placement costs, as the definition has it."""
    total = graph.base * sum(graph.volumes)
    for h, volume in enumerate(graph.volumes):
        bit, busy = 1 << graph.levels - 1 - h, {}
        for leaf in (one for one in range(graph.leaves) if not one & bit):
            u, v = placed[leaf], placed[leaf | bit]
            total += volume * int(graph.pair_costs[u, v])
            for source, target in ((u, v), (v, u)) if graph.usage is not None else ():
                row = source * graph.sites + target
                for entry in range(int(graph.usage.starts[row]), int(graph.usage.starts[row + 1])):
                    link = int(graph.usage.links[entry])
                    busy[link] = busy.get(link, 0) + int(graph.usage.costs[entry])
        total += volume * max(busy.values(), default=0)
    return total
