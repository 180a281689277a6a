"""hypar-opt pareto, as a user runs it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Stopped

ROW_STATIONARY = ("--array", "hypar-row-stationary-16")


def test_the_table(run):
    ran = run("pareto", "cifar-c", *ROW_STATIONARY)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0].startswith("cifar-c: front of time and energy, 4 points, complete, by joint-dp in ")
    assert "(the first)" in lines[2] and "fc1 ddmm -> dmmm" in lines[3]
    assert ran.out.count("least time x energy") == 1


def test_checked_by_a_second_method(run):
    ran = run("pareto", "lenet-c", *ROW_STATIONARY, "--check", "cp-sat")
    assert ran.code == 0, ran.err
    assert "cp-sat finds the same points" in ran.out


def test_for_machines_and_in_a_file(run, tmp_path):
    path = tmp_path / "front.json"
    ran = run("pareto", "lenet-c", *ROW_STATIONARY, "--json", "-o", path)
    shown, written = json.loads(ran.out), json.loads(path.read_text())
    assert shown.pop("runtime_s") >= 0 and written.pop("runtime_s") >= 0
    assert shown == written
    assert shown["schema"] == "hypar-opt/front/1" and shown["complete"] is True
    assert shown["components"] == ["time", "energy"] and len(shown["points"]) == 2
    first = shown["points"][shown["least_product"]]
    assert set(first["plan"]) == {"conv1", "conv2", "fc1", "fc2"} and "energy_J" in first["cost"]


def test_a_table_in_a_file(run, tmp_path):
    for ending, begin in {
        "tex": "% needs",
        "md": "# Plans of",
        "csv": "cost.communication_bytes,",
        "json": "{",
    }.items():
        table = tmp_path / f"front.{ending}"
        ran = run("pareto", "lenet-c", *ROW_STATIONARY, "--table", table)
        assert ran.code == 0, ran.err
        assert table.read_text(encoding="utf-8").startswith(begin)
    ran = run("pareto", "lenet-c", *ROW_STATIONARY, "--table", tmp_path / "front.pdf")
    expected = "expected a name that ends in .csv, .md, .tex or .json, got 'front.pdf'"
    assert (ran.code, ran.err) == (2, f"error: --table: {expected}\n")
    ran = run("pareto", "lenet-c", *ROW_STATIONARY, "--table", tmp_path / "x.json", "-o", tmp_path / "x.json")
    assert "--output and --table name the same file" in ran.err


@pytest.mark.sampled(1)
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
@pytest.mark.parametrize("components", ["time,energy", "communication,time,energy"])
def test_a_picture(run, tmp_path, suffix, components):
    path = tmp_path / f"front.{suffix}"
    ran = run("pareto", "cifar-c", *ROW_STATIONARY, "--components", components, "--plot", path)
    assert ran.code == 0, ran.err
    assert path.read_bytes().startswith({"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}[suffix])
    if suffix == "svg":
        names = components.replace(",", " and ")
        title = f"cifar-c: {names}: 4 plans that no other dominates (complete)"
        assert path.read_text().count(f">{title}<") == 2, "as the picture's title, and above the front"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--components", "time"), "components: expected two or three different components, got time"),
        (("--components", "time,watts"), "got 'watts'"),
        (("--plot", "front.gif"), "--plot: expected a name that ends with .png, .svg, .pdf, got 'front.gif'"),
        (("-f", "hypar-dp"), "hypar-dp enumerates no fronts; try joint-dp or cp-sat"),
        (("--check", "hypar-dp"), "hypar-dp enumerates no fronts; try joint-dp or cp-sat"),
        (("--accounting", "leaf-exact"), "--accounting: time weighs the bytes of each level, and accounting"),
        (("-f", "join-dp"), "did you mean 'joint-dp'?"),
        (("-o", "nowhere/front.json"), "nowhere"),
        (("--array", "h-tree-16"), "--array accelerator: missing, and time needs it; try --array hypar-16"),
    ],
)
def test_what_is_refused(run, arguments, message):
    ran = run("pareto", "sfc", *ROW_STATIONARY, *arguments)
    assert ran.code == 2
    assert message in ran.err and ran.err.startswith("error: ")


def test_a_limit_leaves_the_front_incomplete(run):
    ran = run("pareto", "vgg-e", *ROW_STATIONARY, "--time-limit", "0.01")
    assert ran.code == 3
    assert "NOT complete" in ran.out


def test_a_front_that_is_cut_short_says_what_is_proven_of_the_rest(run, tmp_path, monkeypatch):
    whole = json.loads(run("pareto", "vgg-a", *ROW_STATIONARY, "--json").out)
    monkeypatch.setattr("formulations.fronts.asking.least_sum", stopped)
    ran = run("pareto", "vgg-a", *ROW_STATIONARY, "-f", "cp-sat", "-o", tmp_path / "front.json")
    assert ran.code == 3, ran.err
    assert "8 points, NOT complete, by cp-sat" in ran.out
    found = json.loads((tmp_path / "front.json").read_text())
    excess = 100 * Fraction(found["excess"])
    (shown,) = set(re.findall(r"at most ([0-9.]+) % more (?:time|energy)", ran.out.replace("\n", " ")))
    assert excess <= Fraction(shown) < excess * Fraction("1.01")
    assert whole["excess"] == 0 and excess >= 100 * needed(found, whole) > 0


def needed(found, whole):
    """Return the share by which the best of the found points is worse than a point of the whole front, at most."""
    values = [[[Fraction(one["cost"][name]) for name in ("time_s", "energy_J")] for one in front["points"]]
              for front in (found, whole)]  # fmt: skip
    return max(min(max(a / b for a, b in zip(one, other, strict=True)) for one in values[0]) for other in values[1]) - 1


def stopped(*_):
    raise Stopped


def test_nothing_is_proven_of_a_front_that_has_not_begun(run):
    ran = run("pareto", "lenet-c", *ROW_STATIONARY, "--time-limit", "1e-9", "--json")
    assert ran.code == 3 and json.loads(ran.out)["excess"] is None


class Cut:
    """A formulation that finds some of a front and stops."""

    name, summary, capabilities = "cut", "", load_formulation("joint-dp").capabilities

    def __init__(self, change):
        self.change = change

    def accepts(self, graph, run):
        return None

    def accepts_front(self, graphs, run):
        return None

    def solve(self, graph, run):
        raise NotImplementedError

    def front(self, graphs, run):
        true = load_formulation("joint-dp").front(graphs, run)
        return replace(true, points=self.change(true.points), complete=False)


@pytest.mark.parametrize(
    ("of_the_front", "of_the_check", "code", "said"),
    [
        (None, lambda points: points[1:], 3, "not checked in full: cut found 3 points, none better than these"),
        (lambda points: points[1:], lambda points: points[:1], 1, "cut finds OTHER points"),
    ],
)
def test_a_check_that_was_cut_short(run, monkeypatch, of_the_front, of_the_check, code, said):
    known = {"joint-dp": load_formulation("joint-dp"), "cut": Cut(of_the_check)}
    if of_the_front is not None:
        shorter = Cut(of_the_front)
        shorter.name = "joint-dp"
        shorter.front = lambda graphs, run: replace(Cut.front(shorter, graphs, run), complete=True)
        known["joint-dp"] = shorter
    monkeypatch.setattr("hypar_opt.solver.pareto.load_formulation", known.__getitem__)
    ran = run("pareto", "cifar-c", *ROW_STATIONARY, "--check", "cut")
    assert ran.code == code, ran.err
    assert said in ran.out


def test_nothing_fits(run, tmp_path):
    array = tmp_path / "small.json"
    array.write_text(json.dumps({
        "topology": "h-tree", "levels": 2, "placement": "identity", "link": {"bandwidth": 1, "energy": 0},
        "accelerator": {"model": "as-evaluated", "rate": 1, "memory": {"capacity": 2_000_000},
                        "energy": {"add": 1, "multiply": 1, "sram": 1, "dram": 1}},
    }))  # fmt: skip
    ran = run("pareto", "lenet-c", "--array", array)
    assert ran.code == 0
    assert "no plan is feasible" in ran.out and "memory: any plan keeps at least" in ran.out.replace("\n", " ")


def test_help_teaches(run):
    shown = run("pareto", "--help").out
    assert "Examples:" in shown and "Exit codes" in shown and "Pareto front" in shown
