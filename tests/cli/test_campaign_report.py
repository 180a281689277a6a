"""hypar-opt campaign report: what a campaign's store says, without drawing or solving."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest
from executor.shuffled import ShuffledWorkers

from hypar_opt.cli.group import cli
from hypar_opt.instance import load
from hypar_opt.report.charts.campaign_gaps import campaign_gaps_figure
from hypar_opt.studies import random_instances
from hypar_opt.studies.random_instances import gap_spool, open_store, recorded_outcome
from hypar_opt.studies.random_instances import run as run_campaign
from hypar_opt.util.errors import InputError, Refusal
from tests.studies.random_instances.synthetic_rows import CHAINS, synthetic

NAMES = ("published", "leaf-exact", "receiver")
TABLES = ("campaign.csv", "campaign.md", "campaign.json")


@pytest.fixture(params=["x.sqlite", "x.parquet"])
def store(request, tmp_path):
    """Forty chains under three accountings."""
    path = tmp_path / request.param
    with open_store(path, CHAINS, 0) as opened:
        opened.add([synthetic(chain, name) for chain in range(40) for name in NAMES])
    return path


def test_it_is_what_the_campaign_says(run, tmp_path):
    """Of the same rows: byte for byte the tables that the campaign writes."""
    few = replace(CHAINS, layers=(2, 3), levels=(2, 2))
    for name in ("one.sqlite", "two.parquet"):
        run_campaign(few, 6, store=tmp_path / name, workers=1, accountings=["published", "receiver"])
        options = (
            "--layers",
            "2-3",
            "--levels",
            2,
            "--count",
            6,
            "--accounting",
            "published",
            "--accounting",
            "receiver",
        )
        ran = run("campaign", *options, "--no-shrink", "--store", tmp_path / name, "-o", tmp_path / "campaign")
        told = run("campaign", "report", tmp_path / name, "-o", tmp_path / "report")
        assert (told.code, told.err) == (0, "")
        assert told.out.splitlines()[:-1] == ran.out.splitlines()[:-1]
        for file in TABLES:
            assert (tmp_path / "campaign" / file).read_bytes() == (tmp_path / "report" / file).read_bytes()


def test_nothing_is_drawn_solved_or_written(run, store, monkeypatch):
    before = sorted((path, path.stat().st_mtime_ns) for path in store.parent.rglob("*") if path.name != "_lock")
    for name in ("draw", "measure", "shrink_worst"):
        monkeypatch.setattr(random_instances, name, None)
    ran = run("campaign", "report", store, "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["chains"], found["complete"], found["counterexamples"]) == (0, 40, True, [])
    assert found["accountings"] == ["published", "receiver", "leaf-exact"]
    assert sorted((path, path.stat().st_mtime_ns) for path in store.parent.rglob("*") if path.name != "_lock") == before


def test_a_part_of_it(run, store):
    found = json.loads(run("campaign", "report", store, "--count", 50, "--accounting", "receiver", "--json").out)
    assert (found["count"], found["chains"], found["complete"], len(found["tallies"])) == (50, 40, False, 1)


def test_the_figure_is_of_the_tallies(store):
    outcome = recorded_outcome(store)
    figure = campaign_gaps_figure(outcome)
    rows = (
        figure.spec["data"]["values"]
        if "values" in figure.spec["data"]
        else next(iter(figure.spec["datasets"].values()))
    )
    for one in outcome.tallies:
        mine = [row for row in rows if row["curve"] == f"{one.accounting}, {one.plan}"]
        assert mine[0]["share"] == one.fraction
        assert (mine[-1]["gap"], mine[-1]["share"]) == (float(one.largest), 0)
        assert [row["gap"] for row in mine[1:]] == list(one.percentiles)
        assert float(one.median) == one.percentiles[49]
    nothing = replace(outcome, tallies=tuple(replace(one, percentiles=()) for one in outcome.tallies))
    with pytest.raises(Refusal, match="no chain was missed"):
        campaign_gaps_figure(nothing)


@pytest.mark.slow
def test_figures_are_written_beside_the_tables(run, store, tmp_path):
    ran = run("campaign", "report", store, "-o", tmp_path / "out", "--figures")
    assert ran.code == 0, ran.err
    assert {*TABLES, "gaps.svg", "gaps.pdf", "gaps.png"} <= {path.name for path in (tmp_path / "out").iterdir()}


def test_a_report_into_the_store_is_refused_as_it_would_be_no_store_then(run, tmp_path):
    path = tmp_path / "x.parquet"
    with open_store(path, CHAINS, 0) as opened:
        opened.add([synthetic(3)])
    for words in (["campaign", "report", path], ["campaign", "--store", path, "--count", 4]):
        for output in (path, path / "inside"):
            ran = run(*words, "-o", output)
            assert (ran.code, ran.out) == (2, "")
            assert f"--output: expected a folder outside the store '{path}'" in ran.err.replace("\n", "")
    assert run("campaign", "report", path).code == 0


def test_no_folder_is_made_where_there_is_no_store(run, tmp_path):
    assert run("campaign", "report", tmp_path / "none", "-o", tmp_path / "out").code == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [["--json", "report", "x"], ["--count", 3, "report"], ["--", "report"]])
def test_the_other_command_stands_first(run, words):
    ran = run("campaign", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "'report' is a command of its own, which stands first: hypar-opt campaign report" in " ".join(
        ran.err.split()
    )


def test_gaps_that_find_no_room_on_the_disk_are_told_of(run, store, monkeypatch):
    def full(*_, **__):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(gap_spool, "sqlite3", SimpleNamespace(connect=full, Error=sqlite3.Error))
    ran = run("campaign", "report", store)
    assert (ran.code, ran.out) == (2, "")
    assert "in a temporary file: database or disk is full; TMPDIR names a folder" in " ".join(ran.err.split())


BAD = {
    "nothing there": (["none.sqlite"], "none.sqlite: is not there, expected a campaign's store: a folder of Parquet"),
    "no store": (["full"], "full: a folder of something else, expected a campaign's, which has _campaign.json"),
    "no rows": (["empty.parquet"], "empty.parquet: has no rows yet"),
    "no file": ([], "Missing argument 'STORE'"),
    "figures nowhere": (["empty.parquet", "--figures"], "say where with -o DIR"),
    "an option of the campaign": (["empty.parquet", "--levels", "2"], "No such option"),
    "no chains": (["empty.parquet", "--count", "0"], "--count"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_usage_is_explained(run, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").touch()
    with open_store(tmp_path / "empty.parquet", CHAINS, 0):
        pass
    arguments, message = BAD[case]
    ran = run("campaign", "report", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err.replace("\n", " ")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"accountings": ["collective"]}, "accounting: has no rows of 'collective'; there are some of published, rec"),
        ({"accountings": ["recever"]}, "did you mean 'receiver'?"),
        ({"count": 0}, "count: expected at least 1 chain"),
    ],
)
def test_what_is_not_in_it_is_named(store, wanted, message):
    with pytest.raises(InputError) as caught:
        recorded_outcome(store, **wanted)
    assert message in str(caught.value)


def test_a_damaged_row_is_named(run, tmp_path):
    path = tmp_path / "x.parquet"
    with open_store(path, CHAINS, 0) as opened:
        opened.add([synthetic(3, gap="7")])
    ran = run("campaign", "report", path)
    assert (ran.code, ran.out) == (2, "")
    assert "chain 3 under 'receiver': its gap cannot be '7'; the store is damaged" in ran.err.replace("\n", " ")


def test_a_result_that_cannot_be_true_exits_1(run, tmp_path):
    with open_store(tmp_path / "x.sqlite", CHAINS, 0) as opened:
        opened.add([synthetic(3, greedy="1", optimum="2", optimum_status="OPTIMAL")])
    ran = run("campaign", "report", tmp_path / "x.sqlite", "--json")
    assert (ran.code, json.loads(ran.out)["faulty"]) == (1, [{"accounting": "receiver", "chain": 3}])
    assert "that of chain 3 of family chains" in ran.err


def test_the_first_word_is_a_family_or_the_other_command():
    campaign = cli.get_command(None, "campaign")
    assert campaign.make_context("campaign", ["report", "x"]).command.name == "report"
    assert campaign.make_context("campaign", ["linear", "--count", "3"]).params["family"] == "linear"
    assert campaign.make_context("campaign", []).params["family"] == "chains"


KEPT = "3 processes died while they ran it"


def test_what_was_set_aside_is_told_until_it_has_rows(run, store, tmp_path):
    """Chain 41 is behind the last that has a row; chain 3 has rows by now."""
    with open_store(store, CHAINS, 0) as opened:
        opened.put_aside(3, NAMES, KEPT)
        opened.put_aside(41, ("published", "receiver"), KEPT)
    path = tmp_path / "report" / "set-aside" / "chain-41.yaml"
    ran = run("campaign", "report", store, "--accounting", "receiver", "-o", path.parents[1], "--json")
    found = json.loads(ran.out)
    assert (ran.code, ran.err) == (1, f"error: chain 41, under receiver, is set aside: {KEPT}; {path}\n")
    assert (found["chains"], found["count"]) == (40, 42)
    (one,) = found["set_aside"]
    assert (one["chain"], one["accountings"], one["why"]) == (41, ["receiver"], KEPT)
    assert load(path).name == one["instance"]["name"] == "chains-0-41"
    assert KEPT in (path.parents[1] / "campaign.md").read_text(encoding="utf-8")
    shown = run("campaign", "report", store)
    assert "40 of 42 chains, 1 set aside" in " ".join(shown.out.split())
    assert shown.err.startswith(f"error: chain 41, under published, receiver, is set aside: {KEPT}; python -c ")
    with open_store(store, CHAINS, 0) as opened:
        opened.add([synthetic(chain, name) for chain in (40, 41) for name in NAMES])
    ran = run("campaign", "report", store, "-o", path.parents[1], "--json")
    assert (ran.code, ran.err, json.loads(ran.out)["set_aside"], path.exists()) == (0, "", [], False)


def test_chains_before_a_count_only(run, store):
    with open_store(store, CHAINS, 0) as opened:
        opened.put_aside(41, NAMES, KEPT)
    ran = run("campaign", "report", store, "--count", 40)
    assert (ran.code, ran.err) == (0, "")


def test_the_report_of_a_campaign_with_chains_set_aside_is_what_that_wrote(tmp_path):
    few = replace(CHAINS, layers=(2, 3), levels=(2, 2))
    for name in ("one.sqlite", "two.parquet"):
        with ShuffledWorkers(1, lambda piece: piece.chain in (2, 5)) as workers:
            outcome = run_campaign(few, 6, store=tmp_path / name, workers=workers, accountings=["receiver"])
        assert [one.index for one in outcome.set_aside] == [2, 5]
        assert recorded_outcome(tmp_path / name) == outcome


@pytest.mark.parametrize("name", ["x.sqlite", "x.parquet"])
@pytest.mark.parametrize("entry", [["recever", 1, KEPT], ["receiver", -1, KEPT], ["receiver", 1, ""]])
def test_what_cannot_have_been_set_aside_is_damage(tmp_path, name, entry):
    with open_store(tmp_path / name, CHAINS, 0) as opened:
        opened.put_aside(1, ["receiver"], KEPT)
    if name == "x.parquet":
        file = tmp_path / name / "_set_aside.json"
        file.write_text(json.dumps([entry]), encoding="utf-8")
    else:
        file = tmp_path / name
        with closing(sqlite3.connect(file)) as database:
            database.execute("UPDATE set_aside SET accounting = ?, chain = ?, why = ?", entry)
            database.commit()
    with pytest.raises(InputError, match="expected an accounting, a chain and why it was set aside") as raised:
        open_store(tmp_path / name, CHAINS, 0)
    assert raised.value.file == file


@pytest.mark.parametrize(("text", "said"), [("{", "cannot be read as JSON"), ("{}", "expected a list")])
def test_a_file_of_what_was_set_aside_that_is_none(tmp_path, text, said):
    with open_store(tmp_path / "x.parquet", CHAINS, 0):
        pass
    (tmp_path / "x.parquet" / "_set_aside.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        open_store(tmp_path / "x.parquet", CHAINS, 0)
