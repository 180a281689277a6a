"""Running: workers, stopping, killing, going on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.studies.random_instances import family, run
from hypar_opt.util.errors import InputError

CHAINS = replace(family("chains"), layers=(2, 3), levels=(2, 2))
KILLED = """
from pathlib import Path
from dataclasses import replace
import sys
from hypar_opt.studies.random_instances import run
from hypar_opt.studies.random_instances import family

if __name__ == "__main__":
    chains = replace(family("chains"), layers=(2, 3), levels=(2, 2))
    run(chains, int(sys.argv[2]), accountings=["receiver"], store=Path(sys.argv[1]), workers=int(sys.argv[3]))
"""


def dump(path):
    with closing(sqlite3.connect(path, timeout=600)) as database:
        return list(database.execute("SELECT * FROM rows ORDER BY accounting, chain"))


def rows_so_far(path):
    try:
        return len(dump(path))
    except sqlite3.Error:  # not made yet
        return 0


def children(pid):
    """Return the processes whose parent is `pid`, zombies left out."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(path.parent.name))
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def within(seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "killed.py"
    path.write_text(KILLED, encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_rows_do_not_depend_on_the_workers(tmp_path):
    one, four = tmp_path / "one.sqlite", tmp_path / "four.sqlite"
    alone = run(CHAINS, 40, store=one, workers=1)
    together = run(CHAINS, 40, store=four, workers=4)
    assert dump(one) == dump(four)
    assert len(dump(one)) == 40 * len(alone.accountings)
    assert alone == together


KILLED_OF = 250


@pytest.fixture(scope="module")
def never_killed(tmp_path_factory):
    path = tmp_path_factory.mktemp("never-killed") / "fresh.sqlite"
    run(CHAINS, KILLED_OF, accountings=["receiver"], store=path, workers=1)
    return dump(path)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_campaign_goes_on_and_nothing_is_lost_or_double(tmp_path, script, never_killed, workers):
    path, count = tmp_path / "killed.sqlite", KILLED_OF
    arguments = [sys.executable, str(script), str(path), str(count), str(workers)]
    process = subprocess.Popen(arguments)
    assert within(60, lambda: rows_so_far(path) > 0)
    workers_of_it = children(process.pid)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert within(10, lambda: not any(map(alive, workers_of_it)))  # no worker outlives its parent
    before = dump(path)
    assert 0 < len(before) < count
    subprocess.run(arguments, check=True, timeout=600)
    after = dump(path)
    assert set(before) <= set(after)
    assert after == never_killed
    assert len(after) == count


def test_a_dump_that_lacks_a_row_is_noticed(tmp_path):
    """The comparison above can fail."""
    path, other = tmp_path / "one.sqlite", tmp_path / "other.sqlite"
    run(CHAINS, 5, accountings=["receiver"], store=path, workers=1)
    run(CHAINS, 5, accountings=["receiver"], store=other, workers=1)
    with closing(sqlite3.connect(other)) as database:
        database.execute("DELETE FROM rows WHERE chain = 3")
        database.commit()
    assert dump(path) != dump(other)
    run(CHAINS, 5, accountings=["receiver"], store=other, workers=1)
    assert dump(path) == dump(other)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stop_keeps_what_is_there(tmp_path, workers):
    limits, path = Limits(), tmp_path / "stopped.sqlite"
    heard = []

    def hear(event):
        heard.append(event)
        if event.kind == "phase":
            limits.stop.set()

    outcome = run(CHAINS, 5000, accountings=["receiver"], store=path, workers=workers, limits=limits, listener=hear)
    assert 0 < outcome.chains < 5000
    assert not outcome.complete
    assert outcome.tallies[0].decided == outcome.chains == len(dump(path))
    assert {event.source for event in heard} == {"campaign"}
    first = heard[0].progress
    assert (first.done, first.total, first.unit) == (0, 5000, "chains")
    assert next(event.text for event in heard if event.text).startswith("1 of 5,000 chains, ")


def test_a_limit_that_is_over_measures_nothing():
    limits = Limits()
    limits.stop.set()
    outcome = run(CHAINS, 5, workers=1, limits=limits)
    assert (outcome.chains, outcome.tallies[0].decided, outcome.tallies[0].low) == (0, 0, None)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
def test_what_a_worker_had_that_is_ended_from_outside_is_measured_again(tmp_path):
    path, before = tmp_path / "broken.sqlite", set(children(os.getpid()))
    ended = []

    def hear(event):
        if not ended and event.kind == "phase":
            ours = [pid for pid in set(children(os.getpid())) - before if b"spawn_main" in cmdline(pid)]
            ended.append(ours[0])
            os.kill(ours[0], signal.SIGKILL)

    outcome = run(CHAINS, 120, accountings=["receiver"], store=path, workers=2, listener=hear)
    assert len(ended) == 1
    assert outcome.complete
    alone = tmp_path / "alone.sqlite"
    assert outcome == run(CHAINS, 120, accountings=["receiver"], store=alone, workers=1)
    assert dump(path) == dump(alone)


def cmdline(pid):
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.parametrize(
    ("count", "options", "message"),
    [
        (0, {}, "count: expected at least 1 chain"),
        (10**9 + 1, {}, "count: expected at least 1 chain and at most 1,000,000,000, got 1000000001"),
        (10**20, {}, "count: expected at least 1 chain and at most 1,000,000,000"),
        (2.5, {}, "count: expected at least 1 chain"),
        (1, {"seed": -1}, "seed: expected a number"),
        (1, {"workers": 0}, "workers: expected from 1 to 1024"),
        (1, {"accountings": ["full"]}, "no accounting is called 'full'"),
    ],
)
def test_what_cannot_be_run_is_refused(count, options, message):
    with pytest.raises(InputError, match=message):
        run(CHAINS, count, **options)


def test_a_large_count_takes_no_memory_and_no_time_before_the_first_chain():
    run(CHAINS, 1, workers=1)  # imports are not what is measured
    limits, heard = Limits(deadline=time.monotonic() + 2), []
    tracemalloc.start()
    outcome = run(CHAINS, 10**9, accountings=["receiver"], workers=1, limits=limits, listener=heard.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert heard
    assert 0 < outcome.chains < 10**9
    assert peak < 100 * 2**20


@pytest.mark.slow
def test_algorithm_1_is_exact_on_hundreds_of_chains():
    """Other ones than the 10,000 of reports/campaigns."""
    outcome = run(family("one-level"), 400, seed=1)
    assert outcome.complete
    assert outcome.faulty == ()
    for tally in outcome.tallies:
        assert (tally.decided, tally.undecided) == (400, 0)
        # the optimum of the published tables is measured by what has to move in front of the pools
        assert (tally.missed > 0) == (tally.plan != "hypar-dp"), tally
    with_levels = run(replace(family("one-level"), levels=(2, 2)), 100, seed=1)
    assert all(tally.missed for tally in with_levels.tallies)  # the same networks: the check can fail


@pytest.mark.slow
def test_algorithm_1_agrees_with_all_assignments_on_many_chains():
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.solve import solve
    from hypar_opt.studies.random_instances import draw, instance_of

    one = family("one-level")
    for index in range(400):
        accounting = ("published", "as-evaluated", "receiver", "leaf-exact")[index % 4]
        problem = NetworkProblem(instance_of(draw(one, 1, index).document(accounting)))
        greedy, every = solve(problem, "hypar-dp"), solve(problem, "brute-force")
        assert every.status == "OPTIMAL"
        assert greedy.objective == every.objective, index
