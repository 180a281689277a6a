"""What a command reads is not what it writes: by whatever name, nothing that is read is lost."""

from __future__ import annotations

import pytest

NETWORK = (
    "input: [3, 8, 8]\nlayers:\n  - {name: c, conv: {filters: 4, kernel: 3}}\n  - {name: f, linear: {features: 4}}\n"
)
RING = '{"nodes": ["a", "b"], "edges": [{"source": "a", "target": "b"}]}'
HEAD = "schema: hypar-opt/instance/1\nname: mine\nbatch: 8\nnetwork: {file: net.yaml}\narray: {file: array.yaml}\n"
LAST = "expected a place of its own; "


@pytest.fixture
def folder(run, tmp_path, monkeypatch):
    """An instance in three files, an array, a plan, a front and a link."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.yaml").write_text(NETWORK)
    (tmp_path / "array.yaml").write_text("topology: h-tree\nlevels: 1\n")
    (tmp_path / "mine.yaml").write_text(HEAD)
    assert run("instance", "mine.yaml", "--array", "hypar-16", "-o", "timed.json", "-q").code == 0
    for name in ("explore.json", "scale.json"):
        (tmp_path / name).write_bytes((tmp_path / "timed.json").read_bytes())
    (tmp_path / "link.json").symlink_to("plan.json")
    assert run("solve", "mine.yaml", "-o", "plan.json", "-q").code == 0
    assert run("solve", "timed.json", "-o", "timed-plan.json", "-q").code == 0
    assert run("pareto", "timed.json", "-o", "front.json", "-q").code == 0
    assert run("export", "mine.yaml", "-o", "graph.json", "-q").code == 0
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "solve mine.yaml -o mine.yaml",
        "solve mine.yaml -o ./net.yaml",
        "solve mine.yaml --certificate array.yaml",
        "solve mine.yaml --log mine.yaml",
        "solve mine.yaml --array array.yaml -o array.yaml",
        "solve mine.yaml --start plan.json -o link.json",
        "solve mine.yaml --fix plan.json:c -o plan.json",
        "solve mine.yaml --fix link.json -o plan.json",
        "solve timed.json --start front.json#1 -o front.json",
        "solve graph.json -o graph.json",
        "pareto timed.json -o timed.json",
        "pareto timed.json --fix front.json#1:c -o front.json",
        "instance mine.yaml -o mine.yaml",
        "instance mine.yaml -o net.yaml",
        "export timed.json -o timed.json",
        "import iopddl graph.json -o graph.json",
        "show timed.json --plan timed-plan.json -o timed-plan.json",
        "show timed.json --plan front.json#1 -o front.json",
        "simulate timed.json timed-plan.json --trace timed-plan.json",
        "explore explore.json -o .",
        "explore scale.json --scale 0-1 -o .",
        "compare explore.json -f joint-dp -o folder",
    ],
)
def test_what_is_read_is_not_overwritten(run, folder, line):
    (folder / "folder").mkdir()
    (folder / "folder" / "comparison.json").symlink_to("../explore.json")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ran = run(*line.split())
    assert (ran.code, ran.out) == (2, "")
    assert LAST in ran.err and "is read, and would be lost" in ran.err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_shipped_instance_is_none_that_can_be_lost(run, folder, monkeypatch):
    place = folder / "vgg-a.yaml"
    place.write_text("x")
    monkeypatch.setattr("hypar_opt.cli.inputs.shipped_instances", lambda: {"vgg-a": place})
    assert LAST in run("instance", "vgg-a", "-o", place).err


def test_other_files_are_overwritten_as_ever(run, folder):
    assert run("solve", "mine.yaml", "-o", "front.json", "-q").code == 0
    assert run("solve", "mine.yaml", "--fix", "plan.json:c", "-o", "array.json", "-q").code == 0


@pytest.mark.slow
def test_a_report_does_not_replace_what_it_is_made_from(run, folder):
    asked = ("--without", "front,exploration,scaling,regrets", "-q")
    assert run("report", "mine.yaml", "-f", "joint-dp", "-o", "pages", *asked).code == 0
    ran = run("report", "mine.yaml", "--plans", "pages/plans", "-o", "pages", *asked)
    assert ran.code == 2
    assert "error: --output: expected another folder than 'pages'; 'pages/plans/mine/" in ran.err
    assert "is read, and belongs to the report that would be replaced" in ran.err


@pytest.mark.parametrize(
    ("line", "instead"),
    [("solve mine.yaml -o plan.tex", "hypar-opt show"), ("pareto timed.json -o front.CSV", "--table NAME")],
)
def test_what_is_json_is_not_named_as_a_table_or_a_picture(run, folder, line, instead):
    before = sorted(folder.iterdir())
    ran = run(*line.split())
    assert ran.code == 2
    assert f"is written as JSON, expected a name as plan.json, got '{line.split()[-1]}'; " in ran.err
    assert instead in ran.err
    assert sorted(folder.iterdir()) == before
