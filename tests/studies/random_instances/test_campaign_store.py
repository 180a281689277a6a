"""The store: what it takes, what it refuses, and that nothing is lost or double."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from hypar_opt.studies.random_instances import FAMILIES, CampaignStore, family, measure, open_recorded, run
from hypar_opt.util.errors import HyparError, InputError

CHAINS = replace(family("chains"), layers=(2, 3), levels=(2, 2))


def dump(path):
    with closing(sqlite3.connect(path)) as database:
        return list(database.execute("SELECT * FROM rows ORDER BY accounting, chain"))


def change(path, *statements):
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


@pytest.fixture
def store(tmp_path):
    """A store with 20 chains under one accounting."""
    path = tmp_path / "chains.sqlite"
    run(CHAINS, 20, accountings=["receiver"], store=path, workers=1)
    return path


def test_a_larger_count_goes_on_and_another_accounting_joins(store, monkeypatch):
    measured = []
    from hypar_opt.studies.random_instances import measurement

    monkeypatch.setattr(
        measurement, "measure", lambda f, s, i, names: measured.append((i, names)) or measure(f, s, i, names)
    )
    before = dump(store)
    outcome = run(CHAINS, 25, accountings=["published", "receiver"], store=store, workers=1)
    assert measured == [
        *((i, ("published",)) for i in range(20)),
        *((i, ("published", "receiver")) for i in range(20, 25)),
    ]
    assert (outcome.chains, outcome.complete, len(dump(store))) == (25, True, 50)
    assert set(before) < set(dump(store))


def test_a_complete_store_is_only_summed_up(store, monkeypatch):
    from hypar_opt.studies.random_instances import measurement

    first = run(CHAINS, 20, accountings=["receiver"], workers=1)
    monkeypatch.setattr(measurement, "measure", None)
    assert run(CHAINS, 20, accountings=["receiver"], store=store, workers=1) == first
    assert run(CHAINS, 10, accountings=["receiver"], store=store, workers=1).tallies[0].decided == 10
    assert len(dump(store)) == 20


@pytest.mark.parametrize(
    ("one", "seed", "message"),
    [
        (CHAINS, 1, "seed: holds another campaign: its is 0, this one's 1"),
        (FAMILIES["linear"], 0, "its name is chains, this one's linear"),
        (replace(CHAINS, batch=(1, 8)), 0, r"its batch is \[1, 1024\], this one's \[1, 8\]"),
    ],
)
def test_another_campaigns_store_is_refused(store, one, seed, message):
    before = store.read_bytes()
    with pytest.raises(InputError, match=message):
        run(one, 20, seed=seed, store=store, workers=1)
    assert store.read_bytes() == before


def test_another_format_is_refused(store):
    change(store, "UPDATE campaign SET value = 'hypar-opt/campaign/0' WHERE field = 'format'")
    with pytest.raises(InputError, match="format: holds another campaign: its is hypar-opt/campaign/0"):
        run(CHAINS, 20, store=store, workers=1)


def test_a_store_that_does_not_say_its_family_is_refused(store):
    change(store, "DELETE FROM campaign WHERE field = 'family'")
    with pytest.raises(InputError, match="it does not say its own"):
        run(CHAINS, 20, store=store, workers=1)


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but somebody's notes\n" * 100, encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"notes.txt: cannot be used as a campaign's store: file is not a database"):
        run(CHAINS, 5, store=path, workers=1)
    assert path.read_bytes() == before


def test_a_database_of_something_else_is_left_as_it_is(tmp_path):
    path = tmp_path / "other.sqlite"
    change(path, "CREATE TABLE rows (x)", "INSERT INTO rows VALUES (1)")
    before = path.read_bytes()
    with pytest.raises(InputError, match="an SQLite database of something else"):
        run(CHAINS, 5, store=path, workers=1)
    assert path.read_bytes() == before


@pytest.mark.parametrize("where", ["middle", "end"])
def test_a_damaged_store_is_left_as_it_is(store, where):
    whole = bytearray(store.read_bytes())
    if where == "middle":
        whole[4096:8192] = bytes(range(256)) * 16
    else:
        del whole[len(whole) // 2 :]
    store.write_bytes(whole)
    with pytest.raises(InputError, match="cannot be used as a campaign's store"):
        run(CHAINS, 25, store=store, workers=1)
    assert store.read_bytes() == bytes(whole)


def test_places_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(InputError, match="unable to open database file"):
        run(CHAINS, 5, store=tmp_path / "none" / "x.sqlite", workers=1)


def test_a_row_that_is_there_with_another_result_ends_the_campaign(store):
    (row,) = measure(CHAINS, 0, 3, ["receiver"])
    with CampaignStore(store, CHAINS, 0) as opened:
        opened.add([row])  # the same again
        with pytest.raises(HyparError, match="chain 3 under receiver is there with another result"):
            opened.add([measure(CHAINS, 0, 30, ["receiver"])[0], replace(row, greedy="1")])
    assert len(dump(store)) == 20  # of a batch that fails nothing is written


def test_two_campaigns_share_a_store_without_doubles(store):
    with CampaignStore(store, CHAINS, 0) as one, CampaignStore(store, CHAINS, 0) as other:
        rows = [measure(CHAINS, 0, index, ["receiver"])[0] for index in range(20, 24)]
        one.add(rows[:3])
        other.add(rows[1:])
        one.add(rows)
    assert [values[2] for values in dump(store)] == list(range(24))


def test_an_interrupted_batch_leaves_no_trace(store, monkeypatch):
    rows = [measure(CHAINS, 0, index, ["receiver"])[0] for index in (20, 21)]
    with CampaignStore(store, CHAINS, 0) as opened:
        monkeypatch.setattr(type(rows[1]), "values", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            opened.add(rows)
    assert len(dump(store)) == 20


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "empty.sqlite"
    path.touch()
    assert run(CHAINS, 2, accountings=["receiver"], store=path, workers=1).complete
    assert len(dump(path)) == 2


DAMAGE = [
    ("gap", "'abc'", "'abc'"),
    ("gap", "'1/0'", "'1/0'"),
    ("gap", "x'00ff'", r"b'.x00.xff'"),
    ("gap", "'1'", "'1'"),
    ("gap", "NULL", "None"),
    ("gap_float", "7.5", "7.5"),
    ("gap_float", "'none'", "'none'"),
    ("optimum", "'7'", "'7'"),
    ("optimum", "'0'", "'0'"),
    ("greedy", "'1e999999999'", "'1e999999999'"),
    ("greedy", "'8/2'", "'8/2'"),
    ("greedy", "NULL", "None"),
    ("greedy_status", "'FINE'", "'FINE'"),
    ("optimum_status", "'FEASIBLE'", "'FEASIBLE'"),
    ("published_plan", "'8'", "'8'"),
    ("chain", "-1", "-1"),
    ("chain", "1000000000", "1000000000"),
    ("chain", "'three'", "'three'"),
    ("accounting", "'full'", "'full'"),
    ("family", "'linear'", "'linear'"),
    ("seed", "1", "1"),
    ("layers", "99", "99"),
    ("levels", "'two'", "'two'"),
    ("batch", "0", "0"),
    ("choices", "'dmo'", "'dmo'"),
    ("sha256", "x'00'", "b'.x00'"),
    ("sha256", "'no'", "'no'"),
]


@pytest.mark.parametrize(("column", "value", "shown"), DAMAGE)
def test_a_row_that_cannot_be_is_refused(store, column, value, shown):
    change(store, f"UPDATE rows SET {column} = {value} WHERE chain = 3")
    before = store.read_bytes()
    with pytest.raises(InputError, match=r"chain .* under .*: its .* cannot be .*; the store is damaged") as caught:
        run(CHAINS, 25, store=store, workers=1)
    assert str(caught.value).startswith(f"{store}: chain {'' if column == 'chain' else 3}")
    if column not in ("optimum", "greedy", "optimum_status") or value in ("'0'", "'1e999999999'", "'8/2'"):
        assert re.search(f"its {column} cannot be {shown};", str(caught.value))
    assert store.read_bytes() == before


def test_a_row_damaged_meanwhile_is_refused(store):
    with CampaignStore(store, CHAINS, 0) as opened:
        change(store, "UPDATE rows SET gap = '1/0' WHERE chain = 3")
        with pytest.raises(InputError, match="chain 3 under 'receiver': its gap cannot be '1/0'"):
            list(opened.rows(20, "receiver"))


def test_what_may_be_undecided_is_not_damaged(store):
    change(store, "UPDATE rows SET optimum_status = 'FEASIBLE', gap = NULL, gap_float = NULL WHERE chain = 3")
    change(store, "UPDATE rows SET optimum_status = 'DECLINED', optimum = NULL, gap = NULL, gap_float = NULL "
                  "WHERE chain = 4")  # fmt: skip
    outcome = run(CHAINS, 20, accountings=["receiver"], store=store, workers=1)
    assert (outcome.tallies[0].decided, outcome.tallies[0].undecided) == (18, 2)


@pytest.mark.parametrize("value", ["x'fffe'", "'[1'", "'" + "[" * 100_000 + "'", "'3'"])
def test_a_store_whose_family_is_no_text_of_ours_is_refused(store, value):
    change(store, f"UPDATE campaign SET value = {value} WHERE field = 'family'")
    with pytest.raises(InputError, match="family: holds another campaign"):
        run(CHAINS, 20, store=store, workers=1)


def test_the_query_in_the_documentation_is_true(store):
    page = (Path(__file__).parents[3] / "docs" / "campaigns.md").read_text(encoding="utf-8")
    query = re.search(r'sqlite3 chains.sqlite "(.*?)"', page, re.DOTALL)[1]
    with closing(sqlite3.connect(store)) as database:
        found = list(database.execute(query))
    outcome = run(CHAINS, 20, accountings=["receiver"], store=store, workers=1)
    worst = outcome.tallies[0].worst
    assert len(found) == 10
    assert [chain for chain, *_ in found][: len(worst)] == list(worst)[:10]


def test_a_full_disk_is_called_one(store):
    rows = [measure(CHAINS, 0, index, ["receiver"])[0] for index in range(20, 24)]
    many = [replace(row, chain=100 * n + row.chain) for n in range(100) for row in rows]
    with CampaignStore(store, CHAINS, 0) as opened:
        opened._database.all("PRAGMA max_page_count = 1")  # no less than there are
        with pytest.raises(InputError, match="cannot be used as a campaign's store: database or disk is full"):
            opened.add(many)
    assert len(dump(store)) == 20


def test_what_a_killed_campaign_had_half_written_is_undone_by_who_only_reads(store):
    """Pages are in the file before their transaction ends; whoever may not write is refused by SQLite then."""
    journal = Path(f"{store}-journal")
    with closing(sqlite3.connect(store, isolation_level=None)) as writing:
        writing.execute("PRAGMA cache_size = 1")
        writing.execute("BEGIN IMMEDIATE")
        writing.execute(
            "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO rows "
            "SELECT family, seed, i, accounting, layers, levels, batch, choices, sha256, greedy_status, "
            "optimum_status, greedy, optimum, gap, gap_float, published_plan FROM rows, n WHERE chain = 0"
        )
        half, undo = store.read_bytes(), journal.read_bytes()
        writing.execute("ROLLBACK")
    store.write_bytes(half)
    journal.write_bytes(undo)
    with open_recorded(store) as read:
        assert [row.chain for row in read.rows(10**6, "receiver")] == list(range(20))


def test_two_campaigns_begin_one_store_at_once(tmp_path):
    """The second waits for the first to make the tables; without a lock from the beginning it could not."""
    path, ended = tmp_path / "new.sqlite", []
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        def begin():
            with CampaignStore(path, CHAINS, 0) as opened:
                ended.append(opened.complete(5, ["receiver"]))

        thread = Thread(target=begin)
        thread.start()
        time.sleep(0.5)
        assert ended == []
        other.execute("ROLLBACK")
        thread.join(timeout=600)
    assert ended == [0]


def test_what_is_missing_is_looked_up_as_it_is_used(store):
    with CampaignStore(store, CHAINS, 0) as opened:
        endless = opened.missing(10**9, ["published", "receiver"])
        assert [next(endless) for _ in range(20)] == [(chain, ("published",)) for chain in range(20)]
        assert next(endless) == (20, ("published", "receiver"))
        assert [chain for chain, _ in opened.missing(9000, ["receiver"])] == list(range(20, 9000))
        assert opened.complete(10, ["receiver"]) == 10
        assert opened.complete(10**9, ["receiver"]) == 20
        assert opened.complete(10**9, ["published", "receiver"]) == 0


def test_rows_come_in_order_from_more_than_a_window(store, monkeypatch):
    monkeypatch.setattr("hypar_opt.studies.random_instances.store.sqlite.WINDOW", 7)
    with CampaignStore(store, CHAINS, 0) as opened:
        assert [row.chain for row in opened.rows(20, "receiver")] == list(range(20))
        assert [row.chain for row in opened.rows(14, "receiver")] == list(range(14))
        assert [chain for chain, _ in opened.missing(30, ["receiver"])] == list(range(20, 30))
