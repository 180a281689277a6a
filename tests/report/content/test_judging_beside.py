"""Claims that are judged in a process of their own."""

import multiprocessing
import os
import signal
import time

import pytest
from workers_here import Here

from hypar_opt.executor import KilledWorkers, LostWorkers
from hypar_opt.formulation.run import Limits
from hypar_opt.report.content import judged_beside
from hypar_opt.report.content.claims_process import ENDED
from hypar_opt.studies.claims import audit, read_claims

LIMITS = Limits(workers=1)


@pytest.mark.slow
def test_verdicts_are_those_of_the_audit_and_are_counted():
    claims = read_claims("hypar-hpca19").claims[:4]
    events = []
    with judged_beside(claims, LIMITS, None, events.append) as judged:
        rows, faults = judged()
    assert rows == tuple(audit(claims))
    assert faults == ()
    assert [event.progress.done for event in events][-1] == 4
    assert {(event.source, event.progress.total, event.progress.unit) for event in events} == {("audit", 4, "claims")}


def test_no_claims_need_no_process(monkeypatch):
    monkeypatch.setattr("hypar_opt.report.content.claims_process.open_workers", None)
    with judged_beside((), LIMITS, None, None) as judged:
        assert judged() == ((), ())


@pytest.mark.slow
def test_a_stop_ends_it_with_what_it_has():
    limits = Limits(workers=1)
    claims = read_claims("hypar-hpca19").claims
    with judged_beside(claims, limits, None, None) as judged:
        limits.stop.set()
        rows, faults = judged()
    assert len(rows) < len(claims)
    assert faults == ()


@pytest.mark.slow
def test_a_process_that_is_killed_is_replaced():
    claims = read_claims("hypar-hpca19").claims[:2]
    with judged_beside(claims, LIMITS, None, None) as judged:
        while not multiprocessing.active_children():
            time.sleep(0.01)
        for child in multiprocessing.active_children():
            os.kill(child.pid, signal.SIGKILL)
        assert judged() == (tuple(audit(claims)), ())


def test_processes_that_are_killed_again_and_again_are_a_fault():
    with judged_beside(read_claims("hypar-hpca19").claims[:1], LIMITS, None, None, Here(killed)) as judged:
        assert judged() == ((), (ENDED,))


def killed(_):
    raise KilledWorkers("3 processes died while they ran it")


def test_workers_that_are_given_judge():
    claims = read_claims("hypar-hpca19").claims[:1]
    with judged_beside(claims, LIMITS, None, None, Here()) as judged:
        assert judged() == (tuple(audit(claims)), ())


def lost(_):
    raise LostWorkers("it went away")


def test_workers_that_are_lost_are_told_to_who_wants_to_know():
    claims, limits, faults = read_claims("hypar-hpca19").claims[:1], Limits(), []
    workers = Here(lost)
    with judged_beside(claims, limits, None, None, workers) as judged:
        with pytest.raises(LostWorkers, match="it went away"):
            judged()
        workers.hear_fault = faults.append
        assert judged() == ((), ())
    assert len(faults) == 1 and limits.stop.is_set()
