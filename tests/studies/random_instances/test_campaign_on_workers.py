"""Campaigns on workers: the same rows and summaries in any order, and what kills is set aside."""

from __future__ import annotations

import io
import os
import signal
import sqlite3
import sys
from contextlib import closing, redirect_stdout
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from executor.shuffled import KILLED, ShuffledWorkers
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.executor import EngineSpec, open_workers
from hypar_opt.formulation.run import Limits
from hypar_opt.report.random_instances import write_files
from hypar_opt.studies.random_instances import (
    Family,
    draw,
    family,
    instance_text,
    run,
    shrink_worst,
    shrunk_worst,
)
from hypar_opt.studies.random_instances.measurement import ChainPiece, measure_piece

CHAINS = replace(family("chains"), layers=(2, 2), levels=(2, 2), features=(4, 64), filters=(4, 64))
COUNT = 12


def campaign(folder, workers, count=COUNT):
    """Return the outcome, the rows by accounting and chain, and all that is written."""
    store = folder / "chains.sqlite"
    outcome = run(CHAINS, count, accountings=["receiver"], store=store, workers=workers)
    write_files(outcome, [], folder / "report")
    with closing(sqlite3.connect(store)) as database:
        rows = list(database.execute("SELECT * FROM rows ORDER BY accounting, chain"))
    return outcome, rows, {path.name: path.read_bytes() for path in (folder / "report").rglob("*.*")}


@cache
def alone():
    with TemporaryDirectory() as folder:
        return campaign(Path(folder), 1)


def kills(chains, piece):
    return piece.chain in chains


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6))
def test_rows_and_summaries_are_the_same_in_any_order(seed):
    with TemporaryDirectory() as folder, ShuffledWorkers(seed) as workers:
        assert campaign(Path(folder), workers) == alone()


@pytest.mark.slow
def test_rows_and_summaries_are_the_same_by_processes(tmp_path):
    for count in (1, 2):
        (tmp_path / str(count)).mkdir()
        with open_workers(EngineSpec("local", count), Limits()) as workers:
            assert campaign(tmp_path / str(count), workers) == alone()


def test_what_kills_is_set_aside_and_tried_again(tmp_path):
    with ShuffledWorkers(1, partial(kills, {3, 7})) as workers:
        for _ in range(2):  # the second time it goes on from the store
            outcome, rows, files = campaign(tmp_path, workers)
            assert [one.index for one in outcome.set_aside] == [3, 7]
            assert {one.why for one in outcome.set_aside} == {KILLED}
            assert (outcome.chains, outcome.complete) == (COUNT - 2, False)
            assert outcome.tallies[0].decided + outcome.tallies[0].undecided == COUNT - 2
            assert rows == [row for row in alone()[1] if row[2] not in (3, 7)]
            assert {"chain-3.yaml", "chain-7.yaml"} < set(files)
    assert campaign(tmp_path, 1) == alone()  # and the instance files are away again


@pytest.mark.parametrize("of", [CHAINS, family("deep"), Family("mine", "of somebody", layers=(2, 2))])
def test_what_was_set_aside_can_be_drawn_again(of):
    one = ChainPiece(of, 4, 17, ("receiver", "published")).set_aside("")
    with redirect_stdout(io.StringIO()) as printed:
        exec(one.drawing, {})
    assert printed.getvalue() == instance_text(draw(of, 4, 17).document("receiver")) == instance_text(one.document)


@pytest.mark.slow
def test_the_worst_chains_shrink_the_same_in_any_order():
    outcome = run(family("linear"), 40, accountings=["published", "receiver"], workers=1)
    with ShuffledWorkers(5) as workers:
        assert [*shrunk_worst(outcome, workers, starts=2).found] == shrink_worst(outcome, starts=2)


def test_a_chain_that_kills_as_it_is_shrunk_is_set_aside(tmp_path):
    outcome, _, _ = campaign(tmp_path, 1, count=30)
    worst = outcome.tallies[0].worst[0]
    with ShuffledWorkers(5, partial(kills, {worst})) as workers:
        found = shrunk_worst(outcome, workers)
    assert found.found == ()
    (one,) = found.set_aside
    assert (one.index, one.accountings, one.why) == (worst, ("receiver",), f"{KILLED}, shrinking it")


def killing(piece, limits):
    """Kill the process that measures the first chain."""
    if piece.chain == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return measure_piece(piece, limits)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_chain_that_kills_three_processes_is_set_aside(monkeypatch):
    monkeypatch.setattr("hypar_opt.studies.random_instances.campaign.measure_piece", killing)
    with open_workers(EngineSpec("local", 1), Limits()) as workers:
        outcome = run(CHAINS, 4, accountings=["receiver"], workers=workers)
    assert [one.index for one in outcome.set_aside] == [0]
    assert (outcome.chains, outcome.tallies[0].decided) == (3, 3)
