"""Algorithms of collectives on arrays that they are not made for: a schedule, or a refusal that names another."""

from __future__ import annotations

from random import Random

import pytest

from hypar_opt import solve
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of
from tests.helpers import each

NAMES = (
    "bidirectional-ring", "ring-2d", "recursive-doubling", "rabenseifner", "hierarchical", "double-binary-tree",
    "parameter-server", "parameter-server-sharded",
)  # fmt: skip
ARRAYS = (
    ("mesh", {"dims": [2, 3]}), ("mesh", {"dims": [3, 3]}), ("mesh", {"dims": [5]}), ("torus", {"dims": [4, 2]}),
    ("torus", {"dims": [3, 2, 2]}), ("ring", {"accelerators": 7}), ("hypercube", {"accelerators": 8}),
    ("bigraph", {"switches": 2, "accelerators": 6}), ("fat-tree", {"ports": 2}),
    ("mesh", {"dims": [2, 3], "group": ["a5", "a0", "a2"]}), ("mesh", {"dims": [3, 3], "group": ["a8", "a0"]}),
)  # fmt: skip
GOALS = (
    {}, {"objective": "rounds", "steps": 40}, {"objective": "time"}, {"objective": "time", "messages": "joined"}
)  # fmt: skip
JOINED = {**GOALS[-1], "link": {"bandwidth": 3, "latency": 1}}
COLLECTIVES = ("all-gather", "reduce-scatter", "all-reduce", "broadcast")


def drawn(random):
    """Draw an array, a collective, and what of it is to be least."""
    topology, shape = random.choice(ARRAYS)
    collective = random.choice(COLLECTIVES)
    root = {"root": shape.get("group", ["a1"])[0]} if collective == "broadcast" else {}
    link = {"bandwidth": random.choice([3, 100]), "latency": random.choice([0, 1, 5])}
    said = {**shape, **root, **random.choice(GOALS), "chunks": random.randint(1, 3), "link": link}
    return collective_of(topology, collective, bytes=5040, **said)


@each("seed", range(250), quick=12)
def test_there_is_a_schedule_or_another_formulation_is_named(seed):
    random = Random(seed)
    instance, name = drawn(random), NAMES[seed % len(NAMES)]
    try:
        plan = solve(instance, name)
    except Refusal as refused:
        assert "; try " in str(refused)
        assert name not in ("rabenseifner", "double-binary-tree", "parameter-server", "parameter-server-sharded")
        return
    assert plan.status in (Status.OPTIMAL, Status.FEASIBLE), (plan.native_status, plan.note)
    assert plan.objective >= plan.bound


@pytest.mark.parametrize("collective", ["all-reduce", "all-to-all"])
def test_what_is_not_searched_is_constructed(collective):
    plan = solve(collective_of("mesh", collective, dims=[2, 3], chunks=2, bytes=120, **JOINED))
    assert (plan.status, plan.formulation) == (Status.FEASIBLE, "collective-cp-sat")
    assert "not searched" in plan.note


@pytest.mark.parametrize(
    ("name", "said", "why"),
    [
        ("bidirectional-ring", {"topology": "mesh", "dims": [3, 3]}, "no Hamiltonian cycle.*try multitree"),
        ("ring-2d", {"topology": "ring", "accelerators": 4}, "of two dimensions or more; try ring"),
        ("ring-2d", {"dims": [3, 3], "group": ["a0", "a1"]}, "only some take part; try multitree"),
        (
            "recursive-doubling",
            {"topology": "ring", "accelerators": 5, "group": ["a0", "a2", "a4"]},
            "try rabenseifner",
        ),
        ("hierarchical", {"topology": "mesh", "dims": [3], "group": ["a0", "a2"]}, "have no way but through others"),
        ("parameter-server", {"collective": "all-to-all", "dims": [2, 2]}, "each goes to one; try collective-cp-sat"),
        ("rabenseifner", {"dims": [16, 16], "chunks": 33}, "2,162,688 sends, at most 2,097,152; try multitree"),
        ("collective-milp", {"dims": [2, 2], "collective": "all-gather", **JOINED}, "may be joined to messages"),
    ],
)
def test_what_an_algorithm_is_not_for_it_declines(name, said, why):
    collective = said.pop("collective", "all-reduce")
    with pytest.raises(Refusal, match=why):
        solve(collective_of(said.pop("topology", "torus"), collective, **said), name)
