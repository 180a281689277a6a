"""Zones that others search: the same points by the same plans, whoever answers, in whatever order."""

from __future__ import annotations

import pickle
import time
from dataclasses import replace

import pytest
from executor.here import Here
from executor.shuffled import KILLED, ShuffledWorkers
from front_cases import unrelated_chains

from formulations.cp_sat import FORMULATION as CP_SAT
from formulations.fronts import asking
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.solver.pareto import spread_by
from hypar_opt.util.errors import RecomputationError

CASES = (
    unrelated_chains(4, variables=3, levels=2),
    unrelated_chains(2, variables=3, levels=1, criteria=3),
)


def front(graphs, workers=None, **limits):
    """Return the front that cp-sat finds with one thread a search."""
    spread = None if workers is None else spread_by(workers)
    return CP_SAT.front(graphs, Run("cp-sat", Limits(workers=1, **limits), spread=spread))


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


def test_of_three_criteria_a_point_may_make_answers_useless_but_changes_nothing(monkeypatch):
    graphs, searched = CASES[1], counted(monkeypatch)
    alone = front(graphs)
    needed, searched[:] = set(searched), []
    assert front(graphs, Here()) == alone
    assert needed < set(searched) and len(searched) == len(set(searched))


def counted(monkeypatch):
    """Note the zones that are searched."""
    searched, search = [], asking.least_sum

    def least_sum(model, corner, run):
        searched.append(corner)
        return search(model, corner, run)

    monkeypatch.setattr(asking, "least_sum", least_sum)
    return searched


def test_a_zone_that_kills_leaves_the_front_incomplete_with_what_is_known():
    """What was asked beside it is waited for and used, nothing more is asked, and the workers can go on."""
    alone, asked = front(CASES[0], memory_bytes=1), []

    def kills(piece):
        asked.append(piece)
        return len(asked) == 4

    workers = Here(kills)
    found = front(CASES[0], workers, memory_bytes=1)
    assert (found.complete, found.native_status) == (False, f"the search of a zone was set aside: {KILLED}")
    assert set() < set(found.points) < set(alone.points)
    assert not workers.is_stopped and front(CASES[0], workers, memory_bytes=1) == alone


def tampering(change):
    """Return workers, as a run has them, whose answers are changed on their way."""

    def spread(function, pieces, limits):
        for piece in pieces:
            yield piece, change(piece, function(piece, limits)), ""

    return spread


def emptied(piece, answer):
    return replace(answer, found=None)


def of_another_zone(piece, answer):
    return asking.answered(replace(piece, corner=(0,) * len(piece.corner)), Limits(workers=1))


@pytest.mark.parametrize("change", [emptied, of_another_zone])
def test_that_a_zone_is_empty_is_believed_of_the_answer_to_this_question_alone(change):
    with pytest.raises(RecomputationError, match="damaged, or answers something else"):
        CP_SAT.front(CASES[0], Run("cp-sat", Limits(workers=1), spread=tampering(change)))


def test_after_a_damaged_answer_nobody_goes_on_searching():
    """Whoever waits for the workers' end would wait for searches of which a stop tells nobody any more."""
    ended = []

    def spread(function, pieces, limits):
        try:
            yield from tampering(emptied)(function, pieces, limits)
        finally:
            ended.append(True)

    with pytest.raises(RecomputationError) as error:  # which holds all frames
        CP_SAT.front(CASES[0], Run("cp-sat", Limits(workers=1), spread=spread))
    assert ended and error.tb is not None


def test_a_plan_that_is_not_in_its_zone_is_no_point():
    plan = front(CASES[0]).points[0].choices

    def elsewhere(piece, answer):
        return asking.ZoneAnswer.to(piece, plan)

    with pytest.raises(RecomputationError, match="not in the zone"):
        CP_SAT.front(CASES[0], Run("cp-sat", Limits(workers=1), spread=tampering(elsewhere)))


def test_where_time_is_over_what_others_have_found_is_kept():
    """The first zone is never answered; those asked about ahead of it are, and their points are on the front."""
    graphs = CASES[0]
    whole, limits, late = front(graphs), Limits(workers=1), []

    def spread(function, pieces, limits):
        late.append(next(pieces))
        for piece in pieces:
            yield piece, function(piece, limits), ""
        limits.stop.set()

    found = CP_SAT.front(graphs, Run("cp-sat", limits, spread=spread))
    assert not found.complete and found.native_status == "stopped before the last point"
    alone = front(graphs, deadline=time.monotonic())
    assert set(alone.points) < set(found.points) <= set(whole.points)
    assert found.excess is not None and found.excess > 0


def test_a_worker_whose_time_is_over_before_ours_ends_the_search():
    """Its clock is ahead: nobody asks it again and again."""
    found = CP_SAT.front(CASES[0], Run("cp-sat", Limits(workers=1), spread=tampering(lambda piece, answer: None)))
    assert (found.complete, found.native_status) == (False, "stopped before the last point")


def test_a_question_is_small_and_says_all():
    piece = asking.ZonePiece(pickle.dumps(CASES[0]), (float("inf"), 10))
    limits = Limits(workers=1)
    assert len(pickle.dumps(piece)) < 20_000
    assert asking.answered(piece, limits) == asking.answered(pickle.loads(pickle.dumps(piece)), limits)
    limits.stop.set()
    assert asking.answered(piece, limits) is None
