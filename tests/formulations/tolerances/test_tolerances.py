"""Random problems of large numbers, a plan just at a limit, by everything that hands numbers to CBC or HiGHS."""

from __future__ import annotations

import json

import pytest
from helpers import problem_of

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance.read import load
from hypar_opt.solver.solve import solve
from tests.formulations.tolerances.drawing import KINDS, strategy_graph
from tests.formulations.tolerances.judging import BARE, FORMULATIONS, judged

BLOCK = 25
COUNTS = {
    ("network", "milp-cbc"): 150,
    ("network", "milp-highs"): 150,
    ("strategy graph", "milp-cbc"): 150,
    ("strategy graph", "milp-highs"): 150,
    ("strategy graph", "portfolio"): 250,
    ("placement", BARE): 250,
}
"""How many problems of a kind, by formulation; a block of each in the quick tests."""
BLOCKS = [
    (*key, start) for start in range(0, max(COUNTS.values()), BLOCK) for key, count in COUNTS.items() if start < count
]
EACH = [(kind, name) for kind, names in FORMULATIONS.items() for name in names if name != "joint-dp"]
SLOW = [(*each, start) for each in EACH for start in range(5000, 5100, BLOCK)]
FOUND = (
    (1000003, 473, (13744, 572, 17929, 10), 2, 32859025498, "published", 172157847488),
    (4096, 4096, (17412, 2151, 1024, 4096), 1, 1114750176, "receiver", 989310176),
)
"""Networks whose memory a plan just fits: batch, input, features, levels, memory, accounting, least communication."""


def check(kind, name, start):
    for seed in range(start, start + BLOCK):
        case = KINDS[kind](seed)
        status, said = judged(name, case)
        assert status == ("INFEASIBLE" if case.least is None else "OPTIMAL"), f"{kind} {seed}: {said}"


@pytest.mark.sampled(len(COUNTS))
@pytest.mark.parametrize(("kind", "name", "start"), BLOCKS)
def test_every_answer_is_exact(kind, name, start):
    check(kind, name, start)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name", "start"), SLOW)
def test_every_answer_is_exact_of_many_more(kind, name, start):
    check(kind, name, start)


def test_the_problems_cover_what_they_should():
    graphs = [strategy_graph(seed) for seed in range(200)]
    least = [case.least for case in graphs if case.least is not None]
    assert 10 < len(graphs) - len(least) < 50
    assert sum(value > 10**13 for value in least) > 5
    assert sum(value < 10**3 for value in least) > 5
    tight = [case for case in graphs if any(_used(case.graph, one) for one in case.graph.capacities)]
    assert len(tight) > 50, "limits are beyond what any plan uses"


def _used(graph, capacity):
    """Return whether some values together use more than a capacity."""
    most = sum(int(use.dense(object).max()) for use in capacity.usages.values())
    return most > capacity.limit


@pytest.mark.parametrize("name", ["milp-cbc", "milp-highs"])
@pytest.mark.parametrize("found", FOUND)
def test_networks_that_were_answered_wrongly(found, name):
    batch, first, features, levels, memory, accounting, least = found
    accelerator = {"model": "as-evaluated", "rate": 1, "memory": {"capacity": memory}}
    accelerator["energy"] = {"add": 0, "multiply": 0, "sram": 0, "dram": 0}
    whole = {
        "schema": "hypar-opt/instance/1",
        "name": "tight",
        "batch": batch,
        "network": {
            "input": [first],
            "layers": [{"name": f"l{i}", "linear": {"features": size}} for i, size in enumerate(features)],
        },
        "array": {
            "topology": "h-tree",
            "levels": levels,
            "placement": "identity",
            "link": {"bandwidth": 1, "energy": 0},
            "accelerator": accelerator,
        },
        "cost": {"accounting": accounting, "choices": ["dp", "mp"], "bytes_per_element": 4},
    }
    problem = problem_of(whole)
    solution = load_formulation(name).solve(problem.graph, Run(name))
    assert (solution.status, solution.bound) == ("OPTIMAL", least)


@pytest.mark.parametrize("name", ["milp-cbc", "milp-highs", "portfolio"])
def test_a_strategy_graph_whose_usages_doubles_cannot_tell_apart(name, tmp_path):
    large = 2**53
    nodes = {
        "intervals": [[1, 1], [1, 1], [0, 1], [0, 1]],
        "costs": [[42, 1], [10, 17], [43, 27], [10, 28, 11, 8]],
        "usages": [[0, 10], [10, 10], [0, large + 1], [large + 1, 10, large, large + 1]],
    }
    whole = {"name": "tight", "nodes": nodes, "edges": {"nodes": [], "costs": []}, "usage_limit": 2 * large + 1}
    path = tmp_path / "tight.json"
    path.write_text(json.dumps({"problem": whole}))
    plan = solve(load(str(path)), name)
    assert (plan.status, plan.objective) == ("OPTIMAL", 49)
