"""hypar-opt campaign."""

from __future__ import annotations

import csv
import json
import signal
import sqlite3
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from executor.shuffled import KILLED, ShuffledWorkers

from hypar_opt.cli.options import process_age_s
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.report.random_instances import write_files
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.campaign import MixedRow
from hypar_opt.studies.random_instances import CampaignOutcome, family, instance_of
from hypar_opt.studies.random_instances.measurement import ChainPiece
from hypar_opt.studies.random_instances.tally import tally
from hypar_opt.util.errors import InputError

SMALL = ("--layers", "2-3", "--levels", "2", "--workers", "1")
BAD = {
    "unknown family": (["chain"], "no family is called 'chain'; there are chains, linear, "),
    "unknown accounting": (["--accounting", "recever"], "did you mean 'receiver'?"),
    "accounting that does not fit": (["--choices", "dmo", "--accounting", "as-evaluated"], "does not fit"),
    "range of text": (["--levels", "few"], "expected a number or a range such as 2-4, got 'few'"),
    "range the wrong way": (["--levels", "4-2"], "levels: expected a range within 1 to 12, got 4 to 2"),
    "too many levels": (["--levels", "40"], "levels: expected a range within 1 to 12"),
    "no chains": (["--count", "0"], "--count"),
    "no workers": (["--workers", "0"], "--workers"),
    "no such engine": (["--on", "locla"], "did you mean 'local'?"),
    "two numbers of workers": (["--on", "local:2", "--workers", "3"], "--workers 3 is --on local:3, and --on is given"),
    "two numbers of workers of a mixed family": (["mixed", "--on", "local:2", "--workers", "3"], "choose one"),
    "no starts": (["--starts", "0"], "--starts"),
    "too many chains": (["--count", "99999999999999999999"], "is not in the range 1<=x<=1000000000"),
    "no time": (["--time-limit", "0"], "--time-limit': expected a positive number of seconds"),
    "endless time": (["--time-limit", "inf"], "--time-limit': expected a positive number of seconds"),
    "time that is no number": (["--time-limit", "nan"], "--time-limit': expected a positive number of seconds"),
    "store without a name": (["--store", ""], "'--store': expected a name, got none"),
    "store in a folder that is not there": (["--store", "none/"], "there is no folder 'none'; make it, or name one"),
    "folder without a name": (["-o", ""], "'--output': expected a name, got none"),
    "two machines": (["--json", "--json-lines"], "choose one"),
    "store that is a folder": (["--store", str(Path(__file__).parent)], "a folder of something else, expected a camp"),
}  # fmt: skip


def rows(path):
    try:
        with closing(sqlite3.connect(path, timeout=600)) as database:
            return database.execute("SELECT COUNT(*), COUNT(DISTINCT accounting || chain) FROM rows").fetchone()
    except sqlite3.Error:
        return 0, 0


@pytest.mark.slow
def test_a_table_and_the_counterexamples(run):
    ran = run("campaign", *SMALL, "--count", 60, "--accounting", "receiver", "--accounting", "leaf-exact")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("family chains (layers 2 to 3, levels 2, choices dm), seed 0: all 60 chains. A sample")
    assert "optimum of published" in ran.out
    assert "95 % interval" in ran.out
    assert "receiver: chain " in ran.out
    assert "schema: hypar-opt/instance/1" in ran.out


def test_json_has_all_numbers(run):
    ran = run("campaign", *SMALL, "--count", 60, "--accounting", "receiver", "--json")
    found = json.loads(ran.out)
    (tally,) = found["tallies"]
    assert (found["complete"], found["chains"], tally["decided"], tally["undecided"]) == (True, 60, 60, 0)
    assert tally["low"] < tally["fraction"] == tally["missed"] / 60 < tally["high"]
    assert tally["median"] <= tally["ninetieth"] <= tally["ninety_ninth"] <= tally["largest"]
    (shrunk,) = found["counterexamples"]
    assert shrunk["chain"] == tally["worst"]
    assert int(shrunk["greedy"]) > int(shrunk["optimum"])


def test_json_lines_end_with_the_result(run):
    ran = run("campaign", *SMALL, "--count", 40, "--no-shrink", "--json-lines")
    events = [json.loads(line) for line in ran.out.splitlines()]
    assert {event["event"] for event in events[:-1]} == {"phase", "progress"}
    (*_, counted) = (event for event in events if event["event"] == "progress")
    assert (counted["done"], counted["total"], counted["unit"], counted["eta_s"]) == (40, 40, "chains", None)
    assert events[-1]["event"] == "result"
    assert events[-1]["counterexamples"] == []


def test_files_hold_the_summary_and_instances_that_can_be_solved(run, tmp_path):
    ran = run("campaign", *SMALL, "--count", 60, "--accounting", "receiver", "-o", tmp_path / "new" / "folder")
    folder = tmp_path / "new" / "folder"
    assert ran.out.splitlines()[-1].startswith(f"written: {folder / 'campaign.csv'}")
    (line,) = csv.DictReader((folder / "campaign.csv").open(encoding="utf-8"))
    assert (line["accounting"], line["decided"]) == ("receiver", "60")
    assert "| accounting" in (folder / "campaign.md").read_text(encoding="utf-8")
    assert json.loads((folder / "campaign.json").read_text(encoding="utf-8"))["count"] == 60
    (shrunk,) = folder.glob("chains-0-*-receiver.yaml")
    assert load(shrunk).name == shrunk.stem
    greedy, best = (json.loads(run("solve", shrunk, "-f", name, "--json").out) for name in ("hypar-dp", "joint-dp"))
    assert greedy["objective"] > best["objective"]


@pytest.mark.slow
def test_one_level_has_no_gap(run):
    ran = run("campaign", "one-level", "--count", 50, "--workers", 1, "--json")
    found = json.loads(ran.out)
    assert ran.code == 0
    missed = {(tally["accounting"], tally["plan"]): tally["missed"] for tally in found["tallies"]}
    # the published tables measure mp's partial sums behind the pools, which is no optimum by what has to move
    assert missed.pop(("leaf-exact", "optimum of published")) > 0
    assert list(missed.values()) == [0] * 6
    assert found["counterexamples"] == []


@pytest.mark.parametrize("case", BAD)
def test_bad_usage_is_explained(run, case):
    arguments, message = BAD[case]
    ran = run("campaign", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_another_campaigns_store_is_refused(run, tmp_path):
    path = tmp_path / "chains.sqlite"
    assert run("campaign", *SMALL, "--count", 3, "--no-shrink", "--store", path).code == 0
    before = path.read_bytes()
    ran = run("campaign", *SMALL, "--count", 3, "--seed", 1, "--store", path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (f"error: {path}: seed: holds another campaign: its is 0, this one's 1; name another file\n")
    assert path.read_bytes() == before


def test_a_fault_exits_1(run, monkeypatch):
    from hypar_opt.studies.random_instances.tally import CampaignOutcome

    monkeypatch.setattr(CampaignOutcome, "faulty", (("receiver", 2), ("leaf-exact", 1)))
    ran = run("campaign", *SMALL, "--count", 3, "--no-shrink", "--json")
    assert ran.code == 1
    assert ran.err == (
        "error: 2 results cannot be true, the first that of chain 2 of family chains, seed 0, under receiver; "
        "--json lists them\n"
    )
    assert json.loads(ran.out)["faulty"] == [
        {"accounting": "receiver", "chain": 2}, {"accounting": "leaf-exact", "chain": 1},
    ]  # fmt: skip


def test_a_result_that_cannot_be_true_is_named(run, monkeypatch):
    from hypar_opt.studies.random_instances import measurement as measuring

    def exchanged(problem, formulation, **options):
        plan = solve(problem, formulation, **options)
        bad = formulation == "joint-dp" and problem.instance.spec.name == "chains-0-1"
        return replace(plan, objective=plan.objective + 10**9) if bad else plan

    monkeypatch.setattr(measuring, "solve", exchanged)
    ran = run("campaign", *SMALL, "--count", 3, "--no-shrink", "--accounting", "receiver", "--json")
    assert ran.code == 1
    assert ran.err.startswith(
        "error: a result cannot be true, that of chain 1 of family chains, seed 0, under receiver;"
    )
    found = json.loads(ran.out)
    assert (found["faulty"], found["tallies"][0]["faulty"]) == ([{"accounting": "receiver", "chain": 1}], 1)


def test_a_limit_before_the_first_chain_exits_3_and_after_it_0(run):
    ran = run("campaign", "--count", 5, "--time-limit", 0.001, "--json")
    assert (ran.code, json.loads(ran.out)["chains"]) == (3, 0)
    ran = run("campaign", *SMALL, "--count", 10**9, "--time-limit", process_age_s() + 1, "--no-shrink", "--json")
    found = json.loads(ran.out)
    assert ran.code == 0
    assert found["chains"] > 0
    assert not found["complete"]


@pytest.mark.parametrize("name", [":memory:", "file:foo?mode=memory"])
def test_a_store_is_a_file_whatever_its_name(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert run("campaign", *SMALL, "--count", 3, "--no-shrink", "--store", name).code == 0
    assert rows(tmp_path / name) == (15, 15)


def test_a_damaged_store_is_refused_and_left_as_it_is(run, tmp_path):
    path = tmp_path / "chains.sqlite"
    assert run("campaign", *SMALL, "--count", 3, "--no-shrink", "--store", path).code == 0
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE rows SET gap = 'abc' WHERE chain = 2 AND accounting = 'receiver'")
        database.commit()
    before = path.read_bytes()
    ran = run("campaign", *SMALL, "--count", 5, "--store", path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (f"error: {path}: chain 2 under 'receiver': its gap cannot be 'abc'; the store is damaged\n")
    assert path.read_bytes() == before


def yaml_files(folder):
    return {path.name for path in folder.glob("*.yaml")}


@pytest.mark.slow
def test_another_campaigns_instances_do_not_stay_beside_a_report_without_them(run, tmp_path):
    arguments = ("campaign", *SMALL, "--accounting", "receiver", "-o", tmp_path)
    assert "removed" not in run(*arguments, "--count", 60).out
    (first,) = yaml_files(tmp_path)
    mine = tmp_path / "chains-0-9999-receiver.yaml"
    mine.write_text("not listed\n", encoding="utf-8")
    assert "removed" not in run(*arguments, "--count", 60).out  # the same again
    assert yaml_files(tmp_path) == {first, mine.name}
    ran = run(*arguments, "--count", 60, "--no-shrink")
    assert ran.out.splitlines()[-1] == f"removed, of an earlier campaign: {tmp_path / first}"
    assert yaml_files(tmp_path) == {mine.name}


def change_by_hand(path, folder):
    path.write_text(path.read_text(encoding="utf-8").replace("levels: 2", "levels: 3"), encoding="utf-8")


def listing_renamed(path, folder):
    """A listing that was written by somebody else leads to no other files."""
    listing = folder / "campaign.json"
    found = json.loads(listing.read_text(encoding="utf-8"))
    found["counterexamples"][0]["accounting"] = "../" + found["counterexamples"][0]["accounting"]
    listing.write_text(json.dumps(found), encoding="utf-8")


def no_listing(path, folder):
    (folder / "campaign.json").write_text("[]", encoding="utf-8")


def linked(path, folder):
    path.rename(folder / "other")
    path.symlink_to(folder / "other")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("change", [change_by_hand, listing_renamed, no_listing, linked])
def test_what_is_not_surely_a_campaigns_stays(run, tmp_path, change):
    arguments = ("campaign", *SMALL, "--accounting", "receiver", "--count", 60, "-o", tmp_path)
    run(*arguments)
    (first,) = tmp_path.glob("*.yaml")
    change(first, tmp_path)
    assert "removed" not in run(*arguments, "--no-shrink").out
    assert first.exists()


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_with_the_summary_so_far(start_program, tmp_path, number, code):
    path = tmp_path / "stopped.sqlite"
    process = start_program(
        "campaign", "--layers", "2-3", "--levels", "2", "--count", 100_000, "--accounting", "receiver",
        "--workers", 2, "--store", path, "--json",
    )  # fmt: skip
    while rows(path)[0] == 0 and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(number)
    out, err = process.communicate(timeout=600)
    found = json.loads(out)
    assert (process.returncode, err, found["complete"]) == (code, "", False)
    assert rows(path) == (found["chains"], found["chains"])
    assert found["chains"] > 0


@pytest.mark.slow
def test_rules_for_shares_on_accelerators_of_several_kinds(run, tmp_path):
    ran = run("campaign", "mixed-two-types", "--count", "1", "-o", tmp_path)
    assert ran.code == 0
    assert "equal-halves: the best words, with equal shares" in ran.out
    found = json.loads((tmp_path / "campaign.json").read_text(encoding="utf-8"))
    assert (found["family"], len(found["instances"])) == ("mixed-two-types", 1)
    with (tmp_path / "campaign.csv").open(encoding="utf-8") as stream:
        assert [row["plan"] for row in csv.DictReader(stream)] == [row["plan"] for row in found["tallies"]]


@pytest.fixture
def killers(monkeypatch):
    """Have campaigns of this process run by workers that some chains, or instances, kill."""
    kills = set()

    @contextmanager
    def shuffled(given, most):
        with ShuffledWorkers(
            0, lambda piece: getattr(piece, "chain", getattr(piece, "index", None)) in kills
        ) as workers:
            yield workers

    monkeypatch.setattr("hypar_opt.executor.given.workers_of", shuffled)
    return kills


def test_a_chain_that_kills_its_workers_is_set_aside_with_its_instance(run, tmp_path, killers):
    arguments = ("campaign", *SMALL, "--count", 4, "--accounting", "receiver", "--no-shrink")
    killers |= {2}
    ran = run(*arguments)
    assert ran.code == 1
    assert "3 of 4 chains, 1 set aside. A sample" in " ".join(ran.out.split())
    assert ran.err.startswith(f"error: chain 2, under receiver, is set aside: {KILLED}; python -c ")
    ran = run(*arguments, "-o", tmp_path, "--json")
    path = tmp_path / "set-aside" / "chain-2.yaml"
    assert ran.err.strip() == f"error: chain 2, under receiver, is set aside: {KILLED}; {path}"
    (one,) = json.loads(ran.out)["set_aside"]
    assert (one["chain"], one["accountings"], one["why"]) == (2, ["receiver"], KILLED)
    assert load(path).name == one["instance"]["name"] == "chains-0-2"
    assert KILLED in (tmp_path / "campaign.md").read_text(encoding="utf-8")
    killers |= {1}
    assert "error: 2 chains killed their workers, the first: chain 1, " in run(*arguments).err
    killers.clear()
    ran = run(*arguments, "-o", tmp_path)
    assert (ran.code, ran.err, path.exists()) == (0, "", False)
    assert json.loads((tmp_path / "campaign.json").read_text(encoding="utf-8"))["set_aside"] == []


def test_a_chain_set_aside_under_two_accountings_has_a_file_for_each(tmp_path):
    aside = tuple(
        ChainPiece(family("chains"), 0, 5, (name,)).set_aside("died, shrinking it")
        for name in ("published", "receiver")
    )
    outcome = CampaignOutcome(
        family("chains"), 0, 6, ("published", "receiver"), 6, (tally("published", "x", {}),), aside
    )
    write_files(outcome, (), tmp_path)
    found = {path.name: load(path).sha256 for path in (tmp_path / "set-aside").iterdir()}
    first, second = (instance_of(one.document).sha256 for one in aside)
    assert found == {"chain-5.yaml": first, "chain-5-receiver.yaml": second}
    _, removed = write_files(replace(outcome, set_aside=()), (), tmp_path)
    assert sorted(path.name for path in removed) == sorted(found)


def test_a_new_folder_may_be_named_with_a_slash(run, tmp_path):
    words = ("campaign", *SMALL, "--count", 1, "--accounting", "receiver", "--no-shrink", "--workers", 1, "--store")
    assert run(*words, f"{tmp_path}/x.parquet/").code == 0
    assert (tmp_path / "x.parquet" / "_campaign.json").exists()
    assert run(*words, f"{tmp_path}/x/").code == 2


def test_a_wrong_accounting_is_told_before_workers_are_asked_for(run, monkeypatch):
    monkeypatch.setattr("hypar_opt.cli.on.open_workers", None)
    ran = run("campaign", "--accounting", "recever", "--on", "local:2")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'receiver'?" in ran.err


@pytest.mark.parametrize("name", ["rows.sqlite", "rows.parquet"])
def test_a_store_of_another_campaign_is_told_before_workers_are_asked_for(name, run, monkeypatch, tmp_path):
    words = ("campaign", "--count", 1, "--accounting", "receiver", "--no-shrink", "--store", tmp_path / name)
    assert run(*words).code == 0
    monkeypatch.setattr("hypar_opt.cli.on.open_workers", None)
    ran = run(*words, "--seed", 5, "--on", "local")
    assert (ran.code, ran.out) == (2, "")
    assert "holds another campaign" in ran.err


@pytest.mark.parametrize("name", ["rows.sqlite", "rows.parquet"])
def test_what_is_empty_becomes_no_store_before_there_are_workers(name, run, monkeypatch, tmp_path):
    path = tmp_path / name
    path.mkdir() if path.suffix == ".parquet" else path.touch()

    def missing(*_):
        raise InputError("there is none", field="--on")

    monkeypatch.setattr("hypar_opt.cli.on.open_workers", missing)
    ran = run("campaign", "--count", 1, "--accounting", "receiver", "--store", path, "--on", "local")
    assert (ran.code, ran.out) == (2, "")
    assert [*path.iterdir()] == [] if path.is_dir() else not path.read_bytes()


def test_an_instance_of_several_kinds_that_kills_is_set_aside(run, tmp_path, killers, monkeypatch):
    monkeypatch.setattr("hypar_opt.studies.mixed.campaign.measure_mixed_piece", unmeasured)
    killers |= {1}
    ran = run("campaign", "mixed", "--count", 5, "-o", tmp_path, "--json")
    path = tmp_path / "set-aside" / "instance-1.yaml"
    assert (ran.code, ran.err.strip()[-len(str(path)) :]) == (1, str(path))
    assert load(path).name == "mixed-0-1"
    found = json.loads(ran.out)
    assert [one["index"] for one in found["instances"]] == [0, 2, 3, 4]
    assert [(one["index"], one["instance"]["name"]) for one in found["set_aside"]] == [(1, "mixed-0-1")]
    killers.clear()
    killers |= {2}
    own = path.with_name("instance-9.yaml")
    own.write_bytes(path.read_bytes())
    ran = run("campaign", "mixed", "--count", 5, "-o", tmp_path)
    assert f"removed, of an earlier campaign: {path}" in ran.out
    assert sorted(one.name for one in path.parent.iterdir()) == ["instance-2.yaml", "instance-9.yaml"]
    path.with_name("instance-2.yaml").write_text("changed: by hand\n", encoding="utf-8")
    killers.clear()
    ran = run("campaign", "mixed", "--count", 5, "-o", tmp_path)
    assert (ran.code, "removed" in ran.out) == (0, False)
    assert sorted(one.name for one in path.parent.iterdir()) == ["instance-2.yaml", "instance-9.yaml"]


def unmeasured(piece, limits):
    return MixedRow(piece.index, Status.NO_SOLUTION, None)


@pytest.mark.slow
def test_on_processes_it_says_so_and_finds_the_same(run, tmp_path):
    alone = run("campaign", "mixed-two-types", "--count", 3, "--json", "--workers", 1)
    ran = run("campaign", "mixed-two-types", "--count", 3, "-o", tmp_path, "--on", "local:2")
    assert ran.code == 0
    assert ran.err.startswith("on 2 local processes\n")  # on slow machines it says how far it is, too
    assert json.loads((tmp_path / "campaign.json").read_text(encoding="utf-8")) == json.loads(alone.out)


def test_what_families_of_several_kinds_do_not_take(run):
    ran = run("campaign", "mixed", "--levels", "2")
    assert ran.code == 2
    assert "--levels cannot be given with a family of several kinds" in ran.err
