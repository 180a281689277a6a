"""Certificates of small strategy graphs, and what can be done to them."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import replace
from fractions import Fraction

import numpy as np
from make import archive, npy

from hypar_opt.costgraph import Duals
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.verification.certificate.of_graph import write_graph_certificate
from tests.instance.strategy_graph.drawing import best, cost, draw, plans

GRAPH = ("intervals", "sizes", "costs", "usages", "ends", "places", "tables")
PROOF = ("ties", "links", "messages", "prices", "plan")


def drawn(seed, presolved=True):
    """A problem that has a plan, of a seed or of a later one."""
    graph = replace(draw(seed), sha256=hashlib.sha256(str(seed).encode()).hexdigest())
    found = GraphProblem(graph, presolved=presolved)
    return drawn(seed + 1000, presolved) if best(graph) is None or found.refuted is not None else found


def random_duals(tables, rng, scale=3):
    """Messages and prices that mean nothing."""
    sizes = Duals.zero(tables)
    first, second = (rng.integers(-60, 60, len(one)) for one in (sizes.first, sizes.second))
    return Duals(scale, first, second, rng.integers(0, 9, tables.memory.rows))


def plan_of(problem, choices, status=Status.FEASIBLE):
    """A plan as solving gives it."""
    total = Fraction(cost(problem.instance, np.array(choices)))
    strategies = {str(node): str(choice) for node, choice in enumerate(choices)}
    name, digest = problem.instance.name, problem.instance.sha256
    return Plan(name, digest, "milp-highs", status, "", strategies, None, total, None, 0.0, 0, costs={"total": total})


def written(problem, duals, plan):
    """A certificate as a file."""
    file = io.BytesIO()
    write_graph_certificate(file, problem, duals, plan)
    return file


def opened(file):
    """The header and the arrays of a certificate."""
    with zipfile.ZipFile(file) as members:
        header = json.loads(members.read("header.json"))
        arrays = {one: np.load(io.BytesIO(members.read(f"{one}.npy"))) for one in GRAPH + PROOF}
    return header, arrays


def digest(arrays, names):
    """The digest of some arrays."""
    found = hashlib.sha256()
    for name in names:
        found.update(f"{name} {len(arrays[name])}\n".encode() + arrays[name].astype("<i8").tobytes())
    return found.hexdigest()


def closed(header, arrays, renewed=True):
    """A certificate of a header and arrays; digests are renewed or kept."""
    if renewed:
        problem = header["problem"] | {"arrays_sha256": digest(arrays, GRAPH)}
        header = header | {"problem": problem, "arrays_sha256": digest(arrays, PROOF)}
    members = [(f"{name}.npy", npy(np.asarray(arrays[name]).astype("<i8"))) for name in GRAPH + PROOF]
    return archive([("header.json", json.dumps(header)), *members])


def formula(graph, arrays, scale):
    """The bound by its formula, of a certificate in which nobody follows; in Python's integers, over all values."""
    values = [range(size) for size in graph.sizes.tolist()]
    times, prices = arrays["prices"].reshape(-1, 2).T.tolist()
    first, given = 0, {}
    for i, j in arrays["links"].reshape(-1, 2).tolist():
        middle, last = first + len(values[i]), first + len(values[i]) + len(values[j])
        given[i, j] = arrays["messages"][first:middle].tolist(), arrays["messages"][middle:last].tolist()
        first = last
    own, pairs = {}, {}
    for i, choices in enumerate(values):
        start, end = graph.intervals[i].tolist()
        price = sum(p for t, p in zip(times, prices, strict=True) if start <= t < end)
        for a in choices:
            at = graph.starts[i] + a
            charged = sum(m[side][a] for link, m in given.items() for side in (0, 1) if link[side] == i)
            own[i, a] = [int(graph.costs[at])], int(graph.usages[at]) * price + charged
    for e, (i, j) in enumerate(graph.ends.tolist()):
        for a in values[i]:
            for b in values[j] if j >= 0 else (0,):
                one = int(graph.edge_costs[graph.edge_starts[e] + a * (len(values[j]) if j >= 0 else 1) + b])
                if j < 0 or (i == j and a == b):
                    own[i, a][0].append(one)
                elif i != j:
                    pairs.setdefault((min(i, j), max(i, j)), {}).setdefault((a, b) if i < j else (b, a), []).append(one)

    def allowed(costs):
        return all(one < 10**18 for one in costs)

    crowd_out(graph, values, lambda i, a: allowed(own[i, a][0]), lambda i, a: own[i, a][0].append(10**18))
    total = -sum(prices) * graph.usage_limit
    for i, choices in enumerate(values):
        total += min((sum(own[i, a][0]) << scale) + own[i, a][1] for a in choices if allowed(own[i, a][0]))
    for (i, j), table in pairs.items():
        first, second = given.get((i, j), ([0] * len(values[i]), [0] * len(values[j])))
        total += min(
            (sum(costs) << scale) - first[a] - second[b]
            for (a, b), costs in table.items()
            if allowed(costs) and allowed(own[i, a][0]) and allowed(own[j, b][0])
        )
    return -((-total) >> scale)


def crowd_out(graph, values, allowed, forbid):
    """Forbid what does not fit at some time beside the least of all others, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for time in sorted(set(graph.intervals[:, 0].tolist())):
            live = [i for i, (start, end) in enumerate(graph.intervals.tolist()) if start <= time < end]
            takes = {i: {a: int(graph.usages[graph.starts[i] + a]) for a in values[i] if allowed(i, a)} for i in live}
            least = sum(min(one.values()) for one in takes.values())
            for i, one in takes.items():
                for a, usage in one.items():
                    if least - min(one.values()) + usage > graph.usage_limit:
                        forbid(i, a)
                        changed = True


__all__ = ["best", "closed", "cost", "drawn", "formula", "opened", "plan_of", "plans", "random_duals", "written"]
