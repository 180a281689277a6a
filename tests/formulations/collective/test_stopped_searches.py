"""Searches of collectives that are stopped: what they have is a schedule, or nothing, and never more than is proven."""

from __future__ import annotations

from threading import Event

import pytest

from hypar_opt import Limits, solve
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of


@pytest.mark.parametrize("name", ["collective-cp-sat", "multitree", "ring", "shifted-trees"])
@pytest.mark.parametrize("collective", ["all-gather", "all-reduce"])
def test_a_search_that_is_stopped_at_once(name, collective):
    stop = Event()
    stop.set()
    try:
        plan = solve(collective_of("torus", collective, dims=[4, 4]), name, limits=Limits(stop=stop))
    except Refusal as refused:
        assert "was found" in str(refused)  # a ring is looked for before it is accepted
        return
    assert plan.status in (Status.OPTIMAL, Status.FEASIBLE, Status.NO_SOLUTION)
    assert plan.objective is None or plan.objective >= plan.bound
