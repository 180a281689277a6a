"""The store of Parquet files: the same rows as SQLite's, each once, after any end; what it refuses, and leaves."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.report.random_instances import document, write_files
from hypar_opt.studies.random_instances import (
    CampaignOutcome,
    CampaignStore,
    Family,
    ParquetStore,
    family,
    open_recorded,
    open_store,
)
from hypar_opt.studies.random_instances.store import folder as store_folder
from hypar_opt.studies.random_instances.store import parquet, row_files
from hypar_opt.studies.random_instances.tally import tallies
from hypar_opt.util.errors import HyparError, InputError
from tests.studies.random_instances.synthetic_rows import CHAINS, synthetic

NAMES = ("published", "leaf-exact", "receiver")


def tree(folder):
    """Return all that is in a folder but the lock, whose holder may be told of."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.name != "_lock"}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """Twenty chains under one accounting, in files as a killed campaign leaves them."""
    path = tmp_path / "chains.parquet"
    store = ParquetStore(path, CHAINS, 0)
    for start in (10, 0, 5, 15):
        store.add([synthetic(chain) for chain in range(start, start + 5)])
    with store._open:  # as after a kill: nothing is merged
        return path


def files(folder, accounting="receiver"):
    return sorted(path.name for path in (folder / f"accounting={accounting}").glob("rows-*"))


def outcome(store, count, names=NAMES):
    return CampaignOutcome(CHAINS, 0, count, names, store.complete(count, names), tallies(store, count, names))


ROWS = st.lists(
    st.lists(st.tuples(st.integers(0, 12), st.sampled_from(NAMES)), max_size=8), max_size=5
)  # fmt: skip


@settings(max_examples=8)
@given(ROWS, st.integers(1, 14), st.integers(1, 4), st.booleans())
def test_both_stores_give_the_same_rows_and_tables(tmp_path_factory, drawn, count, small_files, reopened):
    path = tmp_path_factory.mktemp("both")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "SMALL_FILES", small_files)
        patch.setattr(parquet, "ROWS", 6)
        patch.setattr(row_files, "AT_A_TIME", 2)
        stores = [CampaignStore(None, CHAINS, 0), ParquetStore(path / "x.parquet", CHAINS, 0)]
        for batch in drawn:
            if reopened:
                with stores[1]:
                    pass
                stores[1] = ParquetStore(path / "x.parquet", CHAINS, 0)
            for store in stores:
                store.add([synthetic(*one) for one in batch])
        sqlite, ours = stores
        with sqlite, ours:
            for name in NAMES:
                assert list(sqlite.rows(count, name)) == list(ours.rows(count, name))
            assert list(sqlite.missing(count, NAMES)) == list(ours.missing(count, NAMES))
            assert sqlite.complete(count, NAMES[:2]) == ours.complete(count, NAMES[:2])
            assert list(sqlite.extents().items()) == list(ours.extents().items())
            both = [outcome(store, count) for store in stores]
        with open_recorded(path / "x.parquet") as read:
            assert outcome(read, count) == both[0] == both[1]
    folders = [path / "of-sqlite", path / "of-parquet"]
    for one, place in zip(both, folders, strict=True):
        write_files(one, [], place)
    assert tree(folders[0]) == tree(folders[1])


def test_a_path_says_which_kind_it_is(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "file.parquet").touch()
    for name, kind in {"there": ParquetStore, "new.parquet": ParquetStore, "file.parquet": CampaignStore,
                       "new": CampaignStore, "new.sqlite": CampaignStore}.items():  # fmt: skip
        with open_store(tmp_path / name, CHAINS, 0) as opened:
            opened.add([synthetic(3)])
        with open_recorded(tmp_path / name) as opened:
            assert type(opened) is kind
            assert list(opened.rows(9, "receiver")) == [synthetic(3)]
            assert opened.identity.family == CHAINS


def test_it_goes_on_where_it_was_and_leaves_one_small_file(folder):
    assert len(files(folder)) == 4
    with ParquetStore(folder, CHAINS, 0) as opened:
        assert list(opened.missing(22, ["receiver"])) == [(20, ("receiver",)), (21, ("receiver",))]
        opened.add([synthetic(chain) for chain in range(22)])  # what is there is the same
        assert [row.chain for row in opened.rows(22, "receiver")] == list(range(22))
        assert [row.chain for row in opened.rows(7, "receiver")] == list(range(7))
    assert files(folder) == ["rows-00000006.parquet"]
    with open_recorded(folder) as opened:
        assert opened.extents() == {"receiver": 22}


def test_large_files_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS", 4)
    with ParquetStore(tmp_path / "x.parquet", CHAINS, 0) as opened:
        opened.add([synthetic(chain) for chain in range(10)])
        before = files(opened.path)
        opened.add([synthetic(chain) for chain in range(10, 13)])
    sizes = [row_files.describe(opened.path / "accounting=receiver" / name).count for name in files(opened.path)]
    assert len(before) == 3
    assert sizes == [4, 4, 5]


def test_what_a_kill_leaves_behind_counts_once(folder):
    """A merge that was ended before it removed what it had merged, and a file that was not written to its end."""
    place = folder / "accounting=receiver"
    kept = {path.name: path.read_bytes() for path in place.glob("rows-*")}
    row_files.merge(place / "rows-00000005.parquet", row_files_of(place))
    for name, content in kept.items():
        (place / name).write_bytes(content)
    (place / ".hypar-opt.abc").write_bytes(b"PAR1 half a fi")
    with open_recorded(folder) as read:
        assert [row.chain for row in read.rows(99, "receiver")] == list(range(20))
    assert len(files(folder)) == 5  # who only reads removes nothing
    with ParquetStore(folder, CHAINS, 0) as opened:
        assert opened.complete(99, ["receiver"]) == 20
    assert sorted(path.name for path in place.iterdir()) == ["rows-00000005.parquet"]


def row_files_of(place):
    return [row_files.describe(path) for path in sorted(place.glob("rows-*"))]


def test_an_end_by_an_error_merges_nothing(folder):
    with pytest.raises(KeyboardInterrupt), ParquetStore(folder, CHAINS, 0):
        raise KeyboardInterrupt
    assert len(files(folder)) == 4
    with ParquetStore(folder, CHAINS, 0):  # and the folder is free
        pass


def test_one_writes_at_a_time_and_any_may_read(folder):
    with ParquetStore(folder, CHAINS, 0):
        with pytest.raises(InputError, match=rf"another campaign \(process {os.getpid()}\); one at a time may: wait"):
            ParquetStore(folder, CHAINS, 0)
        with open_recorded(folder) as read:
            assert read.extents() == {"receiver": 20}
    with ParquetStore(folder, CHAINS, 0):
        pass


def test_who_reads_while_files_are_merged_reads_what_was_there(folder):
    with open_recorded(folder) as read:
        with ParquetStore(folder, CHAINS, 0) as opened:
            opened.add([synthetic(20)])
        assert files(folder) == ["rows-00000006.parquet"]
        assert [row.chain for row in read.rows(99, "receiver")] == list(range(20))


def test_a_folder_is_listed_anew_where_files_are_merged_meanwhile(folder, monkeypatch):
    describe, calls = row_files.describe, []

    def late(path, **keep):
        calls.append(path)
        if len(calls) == 1:
            with ParquetStore(folder, CHAINS, 0):
                pass
        return describe(path, **keep)

    monkeypatch.setattr(store_folder, "describe", late)
    with open_recorded(folder) as read:
        assert [row.chain for row in read.rows(99, "receiver")] == list(range(20))


def written_then_interrupted(store, name, rows):
    store._files[name].append(row_files.write_rows(store._next(name), [row.values() for row in rows]))
    raise KeyboardInterrupt


def merged_then_interrupted(store, name, least):
    row_files.merge(store._next(name), store._files[name])
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("method", "instead"), [("_write", written_then_interrupted), ("_merge", merged_then_interrupted)]
)
def test_what_was_written_before_an_interruption_is_not_written_again(folder, monkeypatch, method, instead):
    rows = [synthetic(chain) for chain in range(20, 25)]
    with pytest.raises(KeyboardInterrupt), ParquetStore(folder, CHAINS, 0) as opened:
        monkeypatch.setattr(ParquetStore, method, instead)
        try:
            opened.add(rows)
        finally:
            monkeypatch.undo()
            opened.add([*rows, synthetic(25)])  # as campaigns do with what waits
    with ParquetStore(folder, CHAINS, 0) as opened:
        assert [row.chain for row in opened.rows(99, "receiver")] == list(range(26))


def test_what_was_replaced_stays_until_what_replaces_it_was_looked_at(folder):
    place = folder / "accounting=receiver"
    small = row_files_of(place)
    kept = {one.path: one.path.read_bytes() for one in small}
    merged = row_files.merge(place / "rows-00000005.parquet", small)
    for path, content in kept.items():
        path.write_bytes(content)
    content = bytearray(merged.path.read_bytes())
    content[100:200] = bytes(100)
    merged.path.write_bytes(content)
    with pytest.raises(InputError, match="rows-00000005"):
        ParquetStore(folder, CHAINS, 0)
    assert all(path.exists() for path in kept)


def test_a_row_that_is_there_with_another_result_ends_the_campaign(folder):
    before = tree(folder)
    with ParquetStore(folder, CHAINS, 0) as opened:
        with pytest.raises(HyparError, match="chain 3 under receiver is there with another result"):
            opened.add([synthetic(30), synthetic(3, batch=8)])
        with pytest.raises(HyparError, match="chain 31 under receiver is there with another result"):
            opened.add([synthetic(31), synthetic(31, batch=8)])
        assert tree(folder) == before


def rewrite(folder, **changed):
    """Write a row of the first file anew, with other values."""
    path = folder / "accounting=receiver" / "rows-00000001.parquet"
    rows = [list(values) for values in row_files.read_rows(row_files.describe(path))]
    for column, value in changed.items():
        rows[2][row_files.COLUMNS.index(column)] = value
    path.unlink()
    row_files.write_rows(path, rows)


DAMAGE = {
    "gap": ({"gap": "7"}, "chain 12 under 'receiver': its gap cannot be '7'; the store is damaged"),
    "gap_float": ({"gap_float": 0.123}, "its gap_float cannot be 0.123"),
    "cost": ({"greedy": "1e9"}, "its greedy cannot be '1e9'"),
    "seed": ({"seed": 3}, "its seed cannot be 3"),
    "nothing": ({"batch": None}, "its batch cannot be None"),
    "twice": ({"chain": 3}, "chain 3 stands behind 11; the file is damaged"),
    "out of order": ({"chain": 14}, "chain 13 stands behind 14; the file is damaged"),
    "another's chain": ({"chain": 12, "layers": 99}, "its layers cannot be 99"),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_a_row_that_cannot_be_is_refused(folder, case):
    changed, message = DAMAGE[case]
    rewrite(folder, **changed)
    before = tree(folder)
    with pytest.raises(InputError) as caught:
        ParquetStore(folder, CHAINS, 0)
    assert message in str(caught.value)
    assert tree(folder) == before
    with pytest.raises(InputError), open_recorded(folder) as read:
        list(read.rows(99, "receiver"))


def test_a_chain_in_two_files_is_refused(folder):
    place = folder / "accounting=receiver"
    (place / "rows-00000009.parquet").write_bytes((place / "rows-00000001.parquet").read_bytes())
    with pytest.raises(InputError, match=r"rows-00000009.parquet: chain 10 under receiver is there twice"):
        ParquetStore(folder, CHAINS, 0)
    with pytest.raises(InputError, match="chain 10 under receiver is there twice"):
        open_recorded(folder)


def garble(path):
    path.write_bytes(b"PAR1" + bytes(200))


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-20])


def other_columns(path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"chain": [1]}), path)


def in_the_middle(path):
    content = bytearray(path.read_bytes())
    content[40:400] = bytes(360)
    path.write_bytes(content)


def renamed(path):
    path.rename(path.with_name("mine.parquet"))


def unknown_accounting(path):
    path.parent.rename(path.parent.with_name("accounting=recever"))


def a_note(path):
    (path.parents[1] / "notes.txt").write_text("mine", encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (garble, "rows-00000001.parquet: is no Parquet file, or a damaged one: "),
        (cut_short, "rows-00000001.parquet: is no Parquet file, or a damaged one: "),
        (in_the_middle, "rows-00000001.parquet: is no Parquet file, or a damaged one: "),
        (other_columns, "expected family string, seed int64, chain int64, layers int64"),
        (renamed, "mine.parquet: is no file that a campaign has written; expected files of a campaign, as rows-0"),
        (unknown_accounting, "expected folders as accounting=published; did you mean 'receiver'?"),
        (a_note, "notes.txt: is nothing that a campaign has written; expected folders as accounting="),
    ],
)
def test_damaged_and_foreign_files_are_named_and_left(folder, change, message):
    change(folder / "accounting=receiver" / "rows-00000001.parquet")
    before = tree(folder)
    with pytest.raises(InputError) as caught:
        ParquetStore(folder, CHAINS, 0)
    assert message in str(caught.value)
    assert tree(folder) == before


@pytest.mark.parametrize(
    ("one", "seed", "message"),
    [
        (CHAINS, 1, "_campaign.json: seed: holds another campaign: its is 0, this one's 1; name another file"),
        (family("linear"), 0, "its name is chains, this one's linear"),
        (replace(CHAINS, batch=(1, 8)), 0, r"its batch is [1, 1024], this one's [1, 8]"),
    ],
)
def test_another_campaigns_folder_is_refused(folder, one, seed, message):
    before = tree(folder)
    with pytest.raises(InputError) as caught:
        ParquetStore(folder, one, seed)
    assert message in str(caught.value)
    assert tree(folder) == before


IDENTITIES = {
    "no JSON": ("{", "_campaign.json: cannot be read as JSON"),
    "no object": ("[]", "_campaign.json: expected an object with format, family and seed"),
    "format": ({"format": "hypar-opt/campaign/0"}, "format: expected hypar-opt/campaign/1, got hypar-opt/campaign/0;"),
    "seed": ({"seed": -1}, "seed: expected a number from 0 to 2,147,483,647, got -1"),
    "family": ({"family": {"name": "x"}}, "family: expected an object with name, layers, levels, batch"),
    "range": ({"family": {**CHAINS.document(), "layers": [3, 2]}}, "family: layers: expected a range within 1"),
}


@pytest.mark.parametrize("case", IDENTITIES)
def test_who_reads_is_told_what_is_wrong_with_what_a_folder_says_of_itself(folder, case):
    changed, message = IDENTITIES[case]
    path = folder / "_campaign.json"
    text = changed if isinstance(changed, str) else json.dumps(json.loads(path.read_text()) | changed)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        open_recorded(folder)
    assert message in str(caught.value)
    with pytest.raises(InputError):
        ParquetStore(folder, CHAINS, 0)


def test_a_family_of_ones_own_is_read_back(tmp_path):
    own = Family("mine", "words", layers=(2, 2), batch=(7, 7), choices=("dp", "mp"))
    for name in ("x.parquet", "x.sqlite"):
        with open_store(tmp_path / name, own, 5):
            pass
        with open_recorded(tmp_path / name) as read:
            assert read.identity.family.document() == own.document()
            assert read.identity.seed == 5
            assert read.extents() == {}


def test_what_is_no_store_is_said_to_be_none(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    for name, message in {
        "none": "is not there",
        "full": "a folder of something else",
        "full/x": "something else",
    }.items():
        with pytest.raises(InputError, match=message):
            open_recorded(tmp_path / name)
    with pytest.raises(InputError, match="a folder of something else"):
        ParquetStore(tmp_path / "full", CHAINS, 0)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["x"]
    with pytest.raises(InputError, match="cannot be made a folder"):
        ParquetStore(tmp_path / "full" / "x" / "y.parquet", CHAINS, 0)


def test_others_read_the_folder_as_one_table(folder):
    import pyarrow.parquet as pq

    table = pq.read_table(folder)
    assert table.num_rows == 20
    assert set(table["accounting"].to_pylist()) == {"receiver"}
    gaps = {row["chain"]: row["gap"] for row in table.to_pylist()}
    assert gaps == {chain: synthetic(chain).gap for chain in range(20)}


def test_the_document_says_nothing_of_the_store(folder):
    with open_recorded(folder) as read:
        found = document(outcome(read, 20, ("receiver",)))
    gaps = [Fraction(row.gap) for row in map(synthetic, range(20)) if row.gap is not None]
    assert found["tallies"][0]["missed"] == sum(gap > 0 for gap in gaps)
    assert Fraction(found["tallies"][0]["largest_exact"]) == max(gaps)
