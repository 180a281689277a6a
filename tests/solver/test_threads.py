"""A callback hears the events of a run, and what it raises reaches whoever asked, soon."""

from __future__ import annotations

import time
from threading import Event

import pytest

from hypar_opt import Limits, compare, solve
from hypar_opt.formulation.run import Run
from hypar_opt.solver import threads
from hypar_opt.solver.threads import in_thread


@pytest.mark.parametrize("formulation", ["joint-dp", "cp-sat", "milp-highs", "hypar-dp"])
def test_every_event_is_told(formulation):
    events = []
    plan = solve("lenet-c", formulation, time_limit=60, workers=2, callback=events.append)
    assert {event.source for event in events} <= {formulation, "solve"}
    values = [event.value for event in events if event.kind == "incumbent"]
    assert values[-1] == plan.objective
    assert values == sorted(values, reverse=True)


def test_a_listener_hears_the_same():
    told, heard = [], []
    solve("lenet-c", callback=told.append, listener=heard.append)
    assert told == heard != []


class Enough(Exception):
    pass


@pytest.mark.parametrize(
    ("name", "formulation"),
    [("lenet-c", "joint-dp"), ("vgg-e", "cp-sat"), ("vgg-e", "milp-highs"), ("five-operators", "portfolio")],
)
def test_what_it_raises_ends_the_run(name, formulation):
    calls = []

    def stop(event):
        calls.append(event)
        raise Enough(event.kind)

    began, limits = time.monotonic(), Limits()
    with pytest.raises(Enough):
        solve(name, formulation, limits=limits, callback=stop)
    assert len(calls) == 1
    assert time.monotonic() - began < 60
    assert not limits.stop.is_set()  # which is the caller's


def test_a_failing_listener_is_a_warning():
    def fail(event):
        raise Enough

    with pytest.warns(UserWarning, match="the listener failed and hears no more: Enough"):
        assert solve("lenet-c", listener=fail).status == "OPTIMAL"


def test_the_callers_flag_ends_a_run_with_a_callback():
    limits = Limits()
    limits.stop.set()
    assert solve("vgg-e", "cp-sat", limits=limits, callback=lambda event: None).status == "NO_SOLUTION"


def test_what_is_left_behind_tells_nobody(monkeypatch):
    """A search that does not stop goes on telling, and whoever listens by then listens to something else."""
    monkeypatch.setattr(threads, "GRACE_S", 0.05)
    heard, behind, told = [], Event(), Event()
    limits = Limits()
    run = Run("stubborn", limits, listener=heard.append)

    def work(inside):
        inside.phase("in time")
        limits.stop.set()
        behind.wait(60)
        inside.phase("too late")
        told.set()

    assert in_thread(work, run, lambda why: why) == "did not stop within 0 s"
    behind.set()
    assert told.wait(60)
    assert [event.text for event in heard] == ["in time"]


def test_comparisons_have_one():
    events = []
    compare(["lenet-c"], ["hypar-dp", "joint-dp"], callback=events.append)
    assert [event.source for event in events if event.kind == "progress"].count("compare") == 3  # none, one, both
    with pytest.raises(ZeroDivisionError):
        compare(["lenet-c"], ["hypar-dp", "joint-dp"], callback=lambda event: 1 / 0)


def test_what_cannot_be_called():
    with pytest.raises(TypeError, match="callback: expected a function of an event or None, got 5"):
        solve("lenet-c", callback=5)
