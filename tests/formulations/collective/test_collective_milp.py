"""Flows in time beside CP-SAT's arrivals: the same fewest steps and rounds, and who vouches for whom."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt import load, solve, verify
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.verdict import CheckOutcome
from tests.collectives import collective_of


@st.composite
def small_graphs(draw):
    """Draw a connected graph of three to five accelerators, with links that carry one or two chunks."""
    count = draw(st.integers(3, 5))
    tree = {(draw(st.integers(0, node - 1)), node) for node in range(1, count)}
    more = draw(st.sets(st.sampled_from([(i, j) for j in range(count) for i in range(j)]), max_size=3))
    links = [
        {"ends": [f"n{one}", f"n{other}"], "bandwidth": draw(st.integers(1, 2))} for one, other in sorted(tree | more)
    ]
    return {"nodes": [{"name": f"n{node}"} for node in range(count)], "links": links}


@settings(max_examples=6, deadline=None)
@given(small_graphs(), st.sampled_from(["all-gather", "reduce-scatter", "all-to-all"]), st.booleans())
def test_both_find_the_same(graph, collective, by_rounds):
    goal = {"objective": "rounds", "steps": 4} if by_rounds else {}
    instance = collective_of("custom", collective, graph=graph, **goal)
    first, second = (solve(instance, name) for name in ("collective-cp-sat", "collective-milp"))
    assert (first.status, first.objective) == (second.status, second.objective)
    assert first.status in (Status.OPTIMAL, Status.INFEASIBLE)


@pytest.mark.parametrize(
    ("pairs", "steps"),
    [
        ([(0, 1), (1, 2)], 4),
        ([(0, 1), (1, 2), (2, 3), (0, 3)], 3),
        # two triangles that share a corner: four is what can be counted by hand
        pytest.param([(0, 1), (0, 4), (1, 4), (2, 3), (2, 4), (3, 4)], 5, marks=pytest.mark.slow),
    ],
)
def test_all_reduces_are_searched_as_they_are(pairs, steps):
    links = [{"ends": [f"n{one}", f"n{other}"]} for one, other in pairs]
    nodes = [{"name": f"n{node}"} for node in sorted({node for pair in pairs for node in pair})]
    instance = collective_of("custom", "all-reduce", graph={"nodes": nodes, "links": links})
    plan = solve(instance, "collective-milp")
    assert (plan.status, plan.objective) == (Status.OPTIMAL, steps)
    assert verify(instance, solve(instance, "collective-cp-sat")).outcome is CheckOutcome.CONFIRMED


def test_that_there_is_no_schedule_in_one_step():
    assert solve(replace(load("dgx-1"), steps=1), "collective-milp").status is Status.INFEASIBLE


def test_it_vouches_for_what_no_cut_shows():
    # a star of four: what is in the middle has to get out again
    links = [{"ends": ["hub", f"n{i}"]} for i in range(3)]
    nodes = [{"name": name} for name in ("hub", "n0", "n1", "n2")]
    instance = collective_of("custom", graph={"nodes": nodes, "links": links}, group=["n0", "n1", "n2"])
    plan = solve(instance, "collective-cp-sat")
    verdict = verify(instance, plan)
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert plan.objective == 3


def test_what_it_does_not_search_it_declines():
    with pytest.raises(Refusal, match="more than 4,000 arrivals; try collective-cp-sat"):
        solve(collective_of("ring", "all-reduce", accelerators=8), "collective-milp")
    link = {"bandwidth": 1}
    with pytest.raises(Refusal, match="of all-reduces it counts synchronous steps; try collective-cp-sat"):
        solve(collective_of("ring", "all-reduce", accelerators=3, objective="time", link=link), "collective-milp")
    with pytest.raises(Refusal, match="more than 200,000 flows; try collective-cp-sat"):
        solve(collective_of("mesh", dims=[6, 6]), "collective-milp")
