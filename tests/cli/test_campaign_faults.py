"""Campaigns by the command that are stopped, killed, or go on elsewhere: nothing is lost, and no process stays."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import psutil
import pytest
from cli.conftest import PROGRAM

from hypar_opt.executor.dask.clusters import SETTINGS
from hypar_opt.formulation.run import Limits
from hypar_opt.instance import load
from hypar_opt.studies.random_instances import family
from hypar_opt.studies.random_instances import run as run_campaign
from hypar_opt.studies.random_instances.measurement import measure_piece

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")]
WAIT_S = 60
"""Within which processes have to be gone; it takes a second or so."""
ENDLESS = 100_000


def rows(path):
    """Return all rows of a store."""
    with closing(sqlite3.connect(path, timeout=WAIT_S)) as database:
        return list(database.execute("SELECT * FROM rows ORDER BY accounting, chain"))


def campaign(store, count, *more):
    of = ["--count", str(count), "--accounting", "receiver", "--no-shrink", "--json", "--store", str(store)]
    return ["campaign", *of, *more]


@pytest.fixture
def begun():
    """Return a function that begins a campaign in a session of its own; what it has begun is killed at the end."""
    started = []

    def begin(*arguments):
        """Return the process, once its store has rows, and the processes below it."""
        process = subprocess.Popen(
            [PROGRAM, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        started.append([psutil.Process(process.pid)])
        store = arguments[arguments.index("--store") + 1]
        while process.poll() is None and not has_rows(store):
            time.sleep(0.05)
        assert process.poll() is None, process.communicate()
        started[-1] += started[-1][0].children(recursive=True)
        assert len(started[-1]) > 1
        return process, started[-1][1:]

    yield begin
    for one in (one for those in started for one in those if one.is_running()):
        one.kill()


def has_rows(store):
    try:
        return bool(rows(store))
    except sqlite3.Error:
        return False


def through(path, count):
    """Return the rows of a campaign that was never stopped."""
    run_campaign(family("chains"), count, accountings=["receiver"], store=path, workers=1)
    return rows(path)


def test_ctrl_c_keeps_what_is_done_and_leaves_no_process(begun, tmp_path):
    """A terminal sends it to all processes of the group, workers included, which leave it to the command."""
    store = tmp_path / "chains.sqlite"
    process, below = begun(*campaign(store, ENDLESS, "--on", "dask:1"))
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=WAIT_S)
    found = json.loads(out)
    assert (process.returncode, found["complete"], found["set_aside"]) == (130, False, [])
    assert err == ""
    assert found["chains"] == len(rows(store)) > 0
    assert psutil.wait_procs(below, WAIT_S)[1] == []


def test_a_killed_command_leaves_no_process_and_goes_on_here(begun, tmp_path):
    store = tmp_path / "chains.sqlite"
    process, below = begun(*campaign(store, ENDLESS, "--on", "dask:1"))
    process.kill()
    process.wait()
    assert psutil.wait_procs(below, WAIT_S)[1] == []
    there = rows(store)
    count = 2 + max(row[2] for row in there)
    outcome = run_campaign(family("chains"), count, accountings=["receiver"], store=store, workers=1)
    assert outcome.complete and {*there} < {*rows(store)}
    assert rows(store) == through(tmp_path / "through.sqlite", count)


def stopping(piece, limits):
    """Stop the campaign while its eleventh chain is measured."""
    if piece.chain == 10:
        limits.stop.set()
    return measure_piece(piece, limits)


def test_what_was_begun_here_goes_on_by_dask(run, tmp_path, monkeypatch):
    store, count = tmp_path / "chains.sqlite", 40
    with monkeypatch.context() as patched:
        patched.setattr("hypar_opt.studies.random_instances.campaign.measure_piece", stopping)
        limits = Limits()
        run_campaign(family("chains"), count, accountings=["receiver"], store=store, workers=1, limits=limits)
    there = rows(store)
    assert [row[2] for row in there] == [*range(11)]
    ran = run(*campaign(store, count, "--on", "dask:1"))
    assert (ran.code, json.loads(ran.out)["complete"]) == (0, True)
    assert rows(store)[:11] == there
    assert rows(store) == through(tmp_path / "through.sqlite", count)


def killing(piece, limits):
    """Kill the process that measures the first chain."""
    if piece.chain == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return measure_piece(piece, limits)


def test_a_chain_that_kills_workers_of_dask_is_set_aside_with_its_instance(run, tmp_path, monkeypatch):
    """One that dies is enough here, as it takes a while until there is another; usually it takes three."""
    monkeypatch.setitem(SETTINGS, "distributed.scheduler.allowed-failures", 0)
    store, path = tmp_path / "chains.sqlite", tmp_path / "report" / "set-aside" / "chain-0.yaml"
    with monkeypatch.context() as patched:
        patched.setattr("hypar_opt.studies.random_instances.campaign.measure_piece", killing)
        ran = run(*campaign(store, 3, "--on", "dask:1", "-o", str(tmp_path / "report")))
    assert ran.code == 1
    said = f"error: chain 0, under receiver, is set aside: 1 workers died while they ran it; {path}\n"
    assert ran.err == said
    assert [one["chain"] for one in json.loads(ran.out)["set_aside"]] == [0]
    assert load(path).name == "chains-0-0"
    assert [row[2] for row in rows(store)] == [1, 2]
    told = run("campaign", "report", store, "-o", tmp_path / "report", "--json")
    assert (told.code, told.err, json.loads(told.out)) == (1, said, json.loads(ran.out))
    ran = run(*campaign(store, 3, "--workers", "1", "-o", str(tmp_path / "report")))
    assert (ran.code, ran.err, path.exists()) == (0, "", False)
    assert rows(store) == through(tmp_path / "through.sqlite", 3)
