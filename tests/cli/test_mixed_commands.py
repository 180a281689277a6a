"""Every command on accelerators of several kinds: it works, or says why not and what serves instead."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from mixed_plans import kind, written

TINY = "tiny.yaml"
ONE_EACH = [kind("fast", 1, 3e12, 2e9), kind("slow", 1, 1e12, 1e9)]


@pytest.fixture
def folder(tmp_path, monkeypatch, run):
    """Return a folder that has the instance and a plan."""
    written(tmp_path, shares={"parts": 4})
    monkeypatch.chdir(tmp_path)
    assert run("solve", TINY, "-f", "brute-force", "-o", "plan.json", "-q").code == 0
    return tmp_path


def test_solve_and_show_say_the_same_of_a_plan(run, folder):
    solved = json.loads(run("solve", TINY, "-f", "brute-force", "--json").out)
    shown = json.loads(run("show", TINY, "--plan", "plan.json", "--json").out)
    assert solved["step"] == shown["step"]
    assert Fraction(shown["step"]["time_s"]) == Fraction(shown["objective"])
    assert [one["class"] for one in shown["step"]["classes"]] == ["fast", "slow"]
    array = json.loads(run("show", TINY, "--json").out)
    assert [(one["kind"], one["count"]) for one in array["kinds"]] == [("fast", 2), ("slow", 2)]
    text = run("show", TINY).out
    assert "1 group with unlike halves: root" in text
    assert "slow waits" in run("show", TINY, "--plan", "plan.json").out


def test_tables_of_a_plan_have_a_row_a_layer(run, folder):
    assert run("show", TINY, "--plan", "plan.json", "-o", "plan.csv").code == 0
    head, *rows = (folder / "plan.csv").read_text().splitlines()
    assert head.startswith("layer,kind,levels,intra_bytes,inter_bytes,computing_fast,computing_slow")
    assert [row.split(",")[0] for row in rows] == ["fc1", "fc2"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", TINY, "--why"], "who waits for whom"),
        (["solve", TINY, "--certificate", "c"], "certificates are of one cost"),
        (["show", TINY, "--links", "time"], "an array alone no traffic"),
        (["show", TINY, "-o", "x.csv"], "as text and as a picture"),
        (["explore", TINY], "show --plan says what each kind does"),
        (["explore", TINY, "--scale", "1-2"], "explore weighs plans by sums"),
        (["compare-arrays", TINY], "solve or compare with each --array"),
        (["compare-arrays", "sfc", "--arrays", "tpu-v2-v3-2"], "places equal accelerators"),
        (["pareto", TINY], "try solve"),
        (["diff", "plan.json", "plan.json", TINY], "show --plan says it of each plan"),
        (["export", TINY, "-o", "g.json"], "expected accelerators of one kind"),
        (["export", TINY, "plan.json", "--to", "jax", "-o", "x.py"], "programs run equal parts"),
        (["audit", TINY], "expected a file of claims"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_what_is_refused_says_why_and_writes_nothing(run, folder, arguments, said):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["plan.json", TINY]


@pytest.mark.slow
def test_everything_else_works(run, folder):
    for arguments in (
        ["compare", TINY, "-f", "joint-dp,brute-force,data-parallel", "-q"],
        ["instance", TINY],
        ["simulate", TINY, "plan.json"],
        ["verify", TINY, "plan.json"],
        ["verify", TINY, "plan.json", "--no-evidence", "--json"],
        ["show", TINY, "--network"],
        ["show", TINY, "-o", "array.svg"],
        ["show", TINY, "--plan", "plan.json", "-o", "plan.svg"],
        ["show", TINY, "--plan", "plan.json", "--links", "bytes"],
        ["show", TINY, "--plan", "plan.json", "--links", "bytes", "-o", "links.svg"],
        ["report", TINY, "-f", "brute-force", "-o", "pages"],
        ["report", TINY, "--plans", "plan.json", "-o", "again"],
    ):
        ran = run(*arguments)
        assert ran.code == 0, (arguments, ran.err)
        assert "Traceback" not in ran.err
    page = (folder / "pages" / "tiny.html").read_text()
    for said in ("Who waits for whom", "Time over the shares", "The array and its kinds", "fast x 2", "k of 4 equal"):
        assert said in page
    assert "failed" not in page


def test_shares_of_layers_are_shown_verified_and_simulated(run, tmp_path, monkeypatch):
    written(tmp_path, shares={"grid": 4}, levels=1, kinds=ONE_EACH, choices=["dp", "mp", "op"])
    monkeypatch.chdir(tmp_path)
    solved = run("solve", TINY, "-o", "plan.json").out
    assert re.search(r"^root: fast x 1 gets .*, layer by layer, slow x 1 the rest$", solved, re.MULTILINE)
    assert re.search(r"^layer +kind +levels +share ", solved, re.MULTILINE)
    plan = json.loads((tmp_path / "plan.json").read_text())
    assert sorted(plan["shares"]) == ["fc1/root", "fc2/root"]
    for arguments in (["verify", TINY, "plan.json"], ["simulate", TINY, "plan.json"]):
        ran = run(*arguments)
        assert (ran.code, ran.err) == (0, "")
    assert run("show", TINY, "--plan", "plan.json", "-o", "plan.csv").code == 0
    head, *rows = (tmp_path / "plan.csv").read_text().splitlines()
    assert head.split(",")[:4] == ["layer", "kind", "levels", "share"]
    assert {f"{row.split(',')[0]}/root": row.split(",")[3] for row in rows} == plan["shares"]
    (tmp_path / "other.json").write_text(json.dumps(plan | {"shares": {"fc1/root": "1/2"}}))
    for arguments in (["verify", TINY, "other.json"], ["simulate", TINY, "other.json"]):
        ran = run(*arguments)
        assert ran.code != 0
        assert "the plan has no share 'fc2/root'" in ran.out + ran.err


def test_a_plan_with_other_shares_is_none(run, folder):
    plan = json.loads((folder / "plan.json").read_text())
    (folder / "other.json").write_text(json.dumps(plan | {"shares": {"root": "1/3"}}))
    ran = run("show", TINY, "--plan", "other.json")
    assert ran.code == 2
    assert "other.json: plan: split 'root' has share 1/3, expected so many of 4 equal parts" in ran.err


@pytest.fixture
def of_root(run, tmp_path, monkeypatch):
    """Return a folder that has an instance and its best plan, whose share is a root."""
    kinds = [kind("fast", 1, 30e9, 2e9), kind("slow", 1, 10e9, 1e9)]
    fixed = {"fc1": "d", "fc2": "m"}
    written(tmp_path, kinds=kinds, levels=1, batch=64, choices=["dp", "mp"], fix=fixed, shares="exact")
    monkeypatch.chdir(tmp_path)
    assert "sqrt" in run("solve", TINY, "-o", "plan.json").out
    return tmp_path


def test_a_share_that_is_a_root_stands_in_files(run, of_root):
    plan = json.loads((of_root / "plan.json").read_text())
    assert re.fullmatch(r"\(-?\d+ [+-] (\d+\*)?sqrt\(\d+\)\)/\d+", plan["shares"]["root"])
    assert run("verify", TINY, "plan.json").code == 0
    (of_root / "broken.json").write_text(json.dumps(plan | {"shares": {"root": "(1 + sqrt(-2))/3"}}))
    assert "expected an exact number" in run("verify", TINY, "broken.json").err


@pytest.mark.slow
def test_a_share_that_is_a_root_goes_through_all_that_takes_plans(run, of_root):
    for arguments in (["show", "--plan"], ["simulate"], ["verify"]):
        done = run(arguments[0], TINY, *arguments[1:], "plan.json", "--json")
        assert (done.code, "sqrt" in done.out) == (0, True)
    for name in ("plan.md", "plan.csv", "plan.svg"):
        assert run("show", TINY, "--plan", "plan.json", "-o", name).code == 0
    assert run("show", TINY, "--plan", "plan.json", "--links", "bytes", "-o", "links.svg").code == 0
    assert run("compare", TINY, "-f", "joint-dp", "-o", "compared").code == 0
    assert run("report", TINY, "-o", "report.html").code == 0
