"""What a scheduler's time for each batch means: the simulation beside the calculation, and batches that are chosen."""

from __future__ import annotations

import pytest

from hypar_opt.executor.pieces import BATCH_S, batch_s
from reports.benchmarks.handing_out import calculated, simulated


@pytest.mark.parametrize(
    ("count", "task_s", "length_s", "share"),
    [(10, 0.001, 0.25, 1), (100, 0.001, 0.05, 0.5), (1000, 0.0002, 0.05, 0.25), (1000, 0.001, 2.0, 1)],
)
def test_what_can_be_spent_in_batches_at_most(count, task_s, length_s, share):
    assert calculated(count, task_s, length_s) == pytest.approx(share)


@pytest.mark.parametrize(("count", "task_s", "length_s"), [(20, 0.01, 0.1), (20, 0.001, 0.2), (1, 0.01, 0.03)])
def test_the_simulation_comes_to_no_more_and_close_to_it_with_batches_ahead(count, task_s, length_s):
    most = calculated(count, task_s, length_s)
    alone, ahead = (simulated(count, task_s, length_s, given) for given in (1, 2))
    assert alone <= ahead + 0.01
    assert 0.97 * most <= ahead <= 1.01 * most


def test_one_worker_with_nothing_ahead_waits_for_the_scheduler():
    assert simulated(1, 1.0, 1.0, 1) == pytest.approx(0.5, abs=0.1)


def test_batches_of_many_workers_last_longer():
    assert [batch_s(count) for count in (1, 2, 100, 1000)] == [BATCH_S, BATCH_S, BATCH_S, 2.0]
    assert all(calculated(count, 0.001, batch_s(count) / 2) == 1 for count in (1, 10, 125, 1000))
