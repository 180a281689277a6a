"""Zones that others search: the same points by the same plans, whoever answers, in whatever order."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass

import pytest
from executor.here import Here
from executor.shuffled import KILLED, ShuffledWorkers
from front_cases import unrelated_chains

from formulations.cp_sat import FORMULATION as CP_SAT
from formulations.fronts import asking
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.solver.pareto import _spread

CASES = (
    unrelated_chains(1, variables=5, levels=2),
    unrelated_chains(2, variables=3, levels=1, criteria=3),
)


def front(graphs, workers=None, **limits):
    """Return the front that cp-sat finds with one thread a search."""
    return CP_SAT.front(graphs, Run("cp-sat", Limits(workers=1, **limits), spread=_spread(workers)))


@pytest.mark.parametrize("graphs", CASES, ids=["two criteria", "three"])
def test_points_and_plans_are_those_of_one_process_in_whatever_order_answers_come(graphs):
    alone = front(graphs, memory_bytes=1)
    assert alone.complete and len(alone.points) > 1
    for seed in range(2):
        with ShuffledWorkers(seed) as workers:
            assert front(graphs, workers, memory_bytes=1) == alone


def test_zones_are_asked_about_before_their_turn_and_of_two_criteria_none_in_vain(monkeypatch):
    searched = counted(monkeypatch)
    alone = front(CASES[0])
    asked, searched[:] = set(searched), []
    workers = Here()
    assert front(CASES[0], workers) == alone
    assert len(searched) == len(set(searched)) and set(searched) == asked
    assert all(len(batch) == 1 for batch in workers.batches)


def counted(monkeypatch):
    """Note the zones that are searched."""
    searched, search = [], asking.least_sum

    def least_sum(model, corner, run):
        searched.append(corner)
        return search(model, corner, run)

    monkeypatch.setattr(asking, "least_sum", least_sum)
    return searched


def test_a_zone_that_kills_leaves_the_front_incomplete_with_what_is_known():
    alone = front(CASES[0], memory_bytes=1)
    asked = []

    def kills(piece):
        asked.append(piece)
        return len(asked) > 3

    found = front(CASES[0], Here(kills), memory_bytes=1)
    assert (found.complete, found.native_status) == (False, f"a search was set aside: {KILLED}")
    assert set(found.points) < set(alone.points)


@dataclass(frozen=True)
class Answered:
    """An answer as `Run.spread` yields them."""

    piece: asking.ZonePiece
    result: object
    killed: str = ""


def test_an_answer_that_is_not_in_its_zone_is_no_point():
    graphs = CASES[0]
    whole = front(graphs)

    def spread(function, pieces, limits):
        for piece in pieces:
            yield Answered(piece, (whole.points[0].choices,))

    with pytest.raises(RuntimeError, match="not allowed, or not in the zone that was asked about"):
        CP_SAT.front(graphs, Run("cp-sat", spread=spread))


def test_where_time_is_over_what_others_have_found_is_kept():
    """The first zone is never answered; those asked about ahead of it are, and their points are on the front."""
    graphs = CASES[0]
    whole, limits, late = front(graphs), Limits(workers=1), []

    def spread(function, pieces, limits):
        late.append(next(pieces))
        for piece in pieces:
            yield Answered(piece, function(piece, limits))
        limits.stop.set()

    found = CP_SAT.front(graphs, Run("cp-sat", limits, spread=spread))
    assert not found.complete and found.native_status == "stopped before the last point"
    alone = front(graphs, deadline=time.monotonic())
    assert set(alone.points) < set(found.points) < set(whole.points)
    assert found.excess is not None and found.excess > 0


def test_a_question_is_small_and_says_all():
    (piece,) = [asking.ZonePiece(pickle.dumps(CASES[0]), (float("inf"), 10))]
    limits = Limits(workers=1)
    assert asking.answered(piece, limits) == asking.answered(pickle.loads(pickle.dumps(piece)), limits)
    limits.stop.set()
    assert asking.answered(piece, limits) is None
