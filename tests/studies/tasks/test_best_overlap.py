"""What overlap is possible at best: by hand, and no worse than the rule that it begins with."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.studies.simulation import TaskGraph
from hypar_opt.studies.tasks import simulated_tasks
from hypar_opt.studies.tasks.of_plan import FIRST_COME, first_come
from hypar_opt.studies.tasks.overlap import overlap_of
from tests.evaluation.links.machines import line
from tests.studies.simulation.steps import compute


@pytest.mark.slow
def test_waiting_for_the_right_task_is_better_than_the_first_that_comes():
    # on a0 the long one comes first, and a1 waits for the short one: 5 + 1 + 4 instead of 1 + 5
    graph = TaskGraph((compute("long", 0, 5), compute("short", 0, 1), compute("then", 1, 4, [1])))
    found = overlap_of(first_come(simulated_tasks("made-up", graph, line(2))), "task-cp-sat")
    assert (found.order, found.ruled.makespan) == (FIRST_COME, 10)
    assert (found.best.status, found.best.objective, found.floor) == (Status.OPTIMAL, 6, 6)
    assert found.replayed == 6
    assert (found.saved, found.most_saved) == (Fraction(2, 5), Fraction(2, 5))
    assert replace(found, best=replace(found.best, objective=None, bound=None)).saved == 0
