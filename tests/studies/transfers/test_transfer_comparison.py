"""Rules beside the optima, recounted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from small_transfers import drawn, problem_of

from hypar_opt import Status, solve
from hypar_opt.instance.read import load
from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.studies.transfers import best_messages, best_whole
from hypar_opt.studies.transfers.comparison import check_recounted, compare_transfers
from hypar_opt.studies.transfers.document import transfer_document
from hypar_opt.studies.transfers.rules import transfer_rules
from hypar_opt.studies.transfers.sending import send_by
from hypar_opt.util.errors import RecomputationError
from tests.helpers import each

SHRUNK = problem_of([6, 1, 0, 0], [1, 1, 6, 2], [3, 0, 0, 0])
"""The shipped task graph, of four layers."""


def test_ratios_are_to_the_optimum_with_cuts():
    found = compare_transfers(SHRUNK, Fraction(1))
    assert found.best.end == 10
    assert {name: found.ratio(name) for name in ("fifo", "priority", "prophet")} == {
        "fifo": Fraction(13, 10), "priority": 1, "prophet": Fraction(3, 2),
    }  # fmt: skip
    assert found.whole.is_optimal


def test_what_is_claimed_falsely_is_found():
    sent = best_messages(SHRUNK)
    first, *others = sent.messages
    with pytest.raises(RecomputationError, match="the optimum of small: "):
        check_recounted("the optimum", replace(sent, messages=(first._replace(begin=Fraction(5)), *others)))


def test_the_shipped_problem_is_one_that_prophet_takes_half_as_long_again_on():
    document = transfer_document(SHRUNK)
    shipped = load("prophet-waits")
    assert [(one.seconds, one.takes) for one in shipped.tasks] == [
        (one.seconds, one.takes) for one in read_task_graph(document).tasks
    ]
    assert send_by(transfer_rules()["prophet"], SHRUNK, Fraction(1)).end == Fraction(3, 2) * best_whole(SHRUNK).sent.end


@pytest.mark.slow
@each("seed", range(3))
def test_the_best_of_whole_gradients_is_the_task_graphs_optimum(seed):
    """A start-up for each gradient is part of its seconds there."""
    problem = drawn(Random(seed), 5, 6)
    alone = tuple(replace(one, seconds=one.seconds + problem.start_up) for one in problem.gradients)
    found = solve(read_task_graph(transfer_document(problem)), "task-cp-sat")
    assert found.status is Status.OPTIMAL
    assert found.objective == best_whole(replace(problem, gradients=alone, start_up=Fraction(0))).sent.end
