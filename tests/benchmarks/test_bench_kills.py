"""A campaign whose workers are killed at random, as the benchmark runs it, and that it would see what goes wrong."""

from __future__ import annotations

from contextlib import closing
from random import Random
from sqlite3 import connect

import pytest

from hypar_opt.report.random_instances import write_files
from hypar_opt.studies.random_instances import family, run
from reports.benchmarks import kills
from reports.benchmarks.kills import STORE, Ended, compared, moment, recorded

COUNT, KILLS = 200, 4


def test_every_kill_is_due_before_the_end_and_after_the_last_one():
    moments = [moment(kill, 50, 5000) for kill in range(50)]
    assert moments == sorted(moments)
    assert moments[0] >= 0 and moments[-1] < 5000 * 50 / 51


@pytest.mark.slow
def test_four_kills_during_two_hundred_chains_change_no_row(tmp_path):
    (tmp_path / "killed").mkdir()
    outcome = run(family("chains"), COUNT, accountings=["receiver"], store=tmp_path / STORE, workers=1)
    write_files(outcome, [], tmp_path / "tables")
    alone = Ended(*recorded(tmp_path), [], 0, 0)
    arguments = ["--accounting", "receiver", "--on", "dask:2"]
    ended = compared(tmp_path / "killed", COUNT, arguments, KILLS, alone)
    assert (len(ended.rows), ended.kills, ended.set_aside) == (COUNT, KILLS, [])


ROWS = [("chains", 0, chain, "receiver", Random(chain).random()) for chain in range(4)]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (Ended(ROWS[:3], [b"3"], [], 1, 0), None, "rows are missing"),
        (Ended(ROWS[:3], [b"3"], [2], 1, 0), None, "rows are missing"),
        (Ended([*ROWS[:3], (*ROWS[3][:4], 7)], [b"4"], [], 1, 0), None, "rows are missing, or other ones"),
        (Ended([*ROWS, ROWS[0]], [b"4"], [], 1, 0), None, "other rows"),
        (Ended(ROWS, [b"other"], [], 1, 0), None, "other tables"),
        (Ended(ROWS[:3], [b"3"], [3], 1, 0), Ended(ROWS[:3], [b"4"], [], 0, 0), "other rows"),
        (Ended(ROWS[:3], [b"3"], [3], 1, 0), Ended(ROWS, [b"4"], [], 0, 0), None),
    ],
)
def test_what_would_be_wrong_is_seen(monkeypatch, tmp_path, first, second, said):
    ends = [first, second]
    monkeypatch.setattr(kills, "campaign", lambda *_: ends.pop(0))
    if said is None:
        assert compared(tmp_path, 4, [], 1, Ended(ROWS, [b"4"], [], 0, 0)) == first
        return
    with pytest.raises(AssertionError, match=said):
        compared(tmp_path, 4, [], 1, Ended(ROWS, [b"4"], [], 0, 0))


def test_rows_are_read_in_order(tmp_path):
    with closing(connect(tmp_path / "chains.sqlite")) as database:
        database.execute("CREATE TABLE rows (chain, accounting)")
        database.executemany("INSERT INTO rows VALUES (?, ?)", [(2, "b"), (1, "b"), (3, "a")])
        database.commit()
    (tmp_path / "tables").mkdir()
    for name in kills.TABLES:
        (tmp_path / "tables" / name).write_text(name, encoding="utf-8")
    assert recorded(tmp_path) == ([(3, "a"), (1, "b"), (2, "b")], [name.encode() for name in kills.TABLES])
