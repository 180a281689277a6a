"""hypar-opt task-graph cg as a user runs it."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import yaml

from hypar_opt.instance.shipped import find_instance


def test_a_graph_is_written(run, tmp_path):
    path = tmp_path / "tasks.yaml"
    ran = run("task-graph", "cg", "--variant", "pcg", "--blocks", 2, "--iterations", 1, "--workers", 3, "-o", path)
    assert (ran.code, ran.out, ran.err) == (0, f"written: {path}\n", "")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# pcg: preconditioned: two scalar products an iteration, one after the other (Hestenes")
    written = yaml.safe_load(text)
    assert (written["name"], written["resources"], len(written["tasks"])) == ("pcg-2x1-3", {"worker": 3}, 16)
    ran = run("task-graph", "cg", "--variant", "pcg", "--blocks", 2, "--iterations", 1, "--workers", 3, "--json")
    assert json.loads(ran.out) == written


def made(run, *options):
    """Return the tasks that are written, by name."""
    ran = run("task-graph", "cg", "--json", *options)
    assert ran.code == 0, ran.err
    return {one["name"]: one for one in json.loads(ran.out)["tasks"]}


def test_options_reach_the_graph(run):
    found = made(run, "--variant", "ifcg1", "--blocks", 3, "--iterations", 3, "--fuse", 2, "--check", "--reach", 1,
                 "--seconds", "product=3", "--seconds", "z=1/3", "--storage", "in-place")  # fmt: skip
    assert found["Ax.1.1"]["seconds"] == found["n.0.1"]["seconds"] == 3
    assert found["z.2.2"]["seconds"] == "1/3"
    assert found["n.0.1"]["after"] == ["m.0.1", "m.0.2"]
    assert found["end.1"]["after"][0].startswith("n.1") or "residual.1.1" in found["end.1"]["after"]
    assert "on" not in found["n.0.1"]
    assert {"n.0.1", "n.0.2"} <= set(found["m.1.1"]["after"])


def test_seconds_of_a_matrix_and_noise(run):
    counted = ("--variant", "pcg", "--rate", "1e9", "--bandwidth", "1e10")
    plain = made(run, *counted, "--matrix", "consph")
    assert plain == made(run, *counted, "--rows", 83_334, "--nonzeros", 6_010_480)
    noisy = made(run, *counted, "--matrix", "consph", "--noise", "1e-5", "--probability", "1/2", "--seed", 3)
    delays = {Fraction(noisy[name]["seconds"]) - Fraction(plain[name]["seconds"]) for name in plain}
    assert delays == {0, Fraction(1, 100_000)}
    assert noisy != made(run, *counted, "--matrix", "consph", "--noise", "1e-5", "--probability", "1/2", "--seed", 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fuse", "3"], "--fuse: pcg has a barrier after each iteration; it goes with ifcg1, ifcg2"),
        (["--check"], "--check is done before barriers; say with --fuse how many iterations are between them"),
        (["--seconds", "produkt=3"], "no operation or line called 'produkt'; did you mean 'product'?"),
        (["--seconds", "dot"], "expected NAME=SECONDS, as in product=3 or dot=1/2, got 'dot'"),
        (["--seconds", "dot=-1"], "expected NAME=SECONDS, as in product=3 or dot=1/2, got 'dot=-1'"),
        (["--seconds", "dot=1", "--seconds", "dot=2"], "the seconds of dot are given twice"),
        (["--matrix", "cfd2"], "seconds by operations and bytes need --rate and --bandwidth, too"),
        (["--rate", "1e9", "--rows", "3"], "seconds by operations and bytes need --nonzeros and --bandwidth, too"),
        (["--matrix", "cfd2", "--rows", "3"], "give --matrix, or --rows and --nonzeros"),
        (["--rows", "2", "--nonzeros", "5", "--rate", "1", "--bandwidth", "1"],
         "--nonzeros: expected at most 4, all elements there are, got 5"),
        (["--noise", "1"], "--noise needs either --frequency or --probability"),
        (["--noise", "1", "--probability", "3"], "expected a probability from 0 to 1, as 0.1 or 1/10, got '3'"),
        (["--frequency", "8"], "say how long a delay is with --noise"),
        (["--seed", "8"], "say how long a delay is with --noise"),
        (["--blocks", "3000", "--iterations", "1"],
         "--blocks: products wait 9,000,000 times for blocks, more than 1,000,000; take fewer --blocks"),
        (["--blocks", "10000"], "140,004 tasks are more than 100,000; take fewer --blocks or --iterations"),
        (["-o", "tasks.csv"], "expected a name that ends in .yaml or .json, got 'tasks.csv'"),
    ],
)  # fmt: skip
def test_what_is_refused(run, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("task-graph", "cg", "--variant", "pcg", *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert not list(tmp_path.iterdir())


def test_banded_products_wait_less_often(run, monkeypatch):
    monkeypatch.setattr("hypar_opt.cli.task_graph_cg.MOST_WAITS", 12)
    options = ("--variant", "pcg", "--blocks", 4, "--iterations", 1)
    ran = run("task-graph", "cg", *options)
    assert (ran.code, ran.out) == (2, "")
    assert "--blocks: products wait 16 times for blocks, more than 12" in ran.err
    assert made(run, *options, "--reach", 1)["p.0.4"]["after"] == ["u.0.4", "beta.0"]


def test_a_check_that_no_barrier_follows_is_refused(run):
    ran = run("task-graph", "cg", "--variant", "ifcg1", "--iterations", 3, "--fuse", 3, "--check")
    assert ran.code == 2
    assert "--check: nothing is checked: there is a barrier every 3 iterations, and none behind the last" in ran.err
    found = made(run, "--variant", "ifcg1", "--blocks", 1, "--iterations", 3, "--fuse", 3, "--check", "--periodic")
    assert "Ax.2.1" in found


def test_periods_end_at_barriers(run):
    ran = run("task-graph", "cg", "--variant", "ifcg1", "--iterations", 3, "--fuse", 2, "--periodic")
    assert ran.code == 2
    assert "--iterations: expected iterations that are repeated to be a multiple of --fuse 2, got 3" in ran.err


@pytest.mark.parametrize("variant", ["pipelined-cg", "ifcg2"])
def test_shipped_graphs_are_what_is_written(run, variant, tmp_path):
    path = tmp_path / "tasks.yaml"
    run("task-graph", "cg", "--variant", variant, "--workers", 8, "-o", path)
    shipped = find_instance(f"{variant}-3x2-8")
    assert path.read_text(encoding="utf-8") == shipped.read_text(encoding="utf-8")
