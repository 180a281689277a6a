"""The store: what it takes, what it refuses, and that nothing is lost or double."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from hypar_opt.campaign import FAMILIES, Store, family, measure, run
from hypar_opt.errors import HyparError, InputError

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
    from hypar_opt.campaign import pool

    monkeypatch.setattr(pool, "measure", lambda f, s, i, names: measured.append((i, names)) or measure(f, s, i, names))
    before = dump(store)
    outcome = run(CHAINS, 25, accountings=["published", "receiver"], store=store, workers=1)
    assert measured == [
        *((i, ("published",)) for i in range(20)),
        *((i, ("published", "receiver")) for i in range(20, 25)),
    ]
    assert (outcome.chains, outcome.complete, len(dump(store))) == (25, True, 50)
    assert set(before) < set(dump(store))


def test_a_complete_store_is_only_summed_up(store, monkeypatch):
    from hypar_opt.campaign import pool

    first = run(CHAINS, 20, accountings=["receiver"], workers=1)
    monkeypatch.setattr(pool, "measure", None)
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
    for path in (tmp_path, tmp_path / "none" / "x.sqlite"):
        with pytest.raises(InputError, match="unable to open database file"):
            run(CHAINS, 5, store=path, workers=1)


def test_a_row_that_is_there_with_another_result_ends_the_campaign(store):
    (row,) = measure(CHAINS, 0, 3, ["receiver"])
    with Store(store, CHAINS, 0) as opened:
        opened.add([row])  # the same again
        with pytest.raises(HyparError, match="chain 3 under receiver is there with another result"):
            opened.add([measure(CHAINS, 0, 30, ["receiver"])[0], replace(row, greedy="1")])
    assert len(dump(store)) == 20  # of a batch that fails nothing is written


def test_two_campaigns_share_a_store_without_doubles(store):
    with Store(store, CHAINS, 0) as one, Store(store, CHAINS, 0) as other:
        rows = [measure(CHAINS, 0, index, ["receiver"])[0] for index in range(20, 24)]
        one.add(rows[:3])
        other.add(rows[1:])
        one.add(rows)
    assert [values[2] for values in dump(store)] == list(range(24))


def test_an_interrupted_batch_leaves_no_trace(store, monkeypatch):
    rows = [measure(CHAINS, 0, index, ["receiver"])[0] for index in (20, 21)]
    with Store(store, CHAINS, 0) as opened:
        monkeypatch.setattr(type(rows[1]), "values", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            opened.add(rows)
    assert len(dump(store)) == 20


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "empty.sqlite"
    path.touch()
    assert run(CHAINS, 2, accountings=["receiver"], store=path, workers=1).complete
    assert len(dump(path)) == 2
