"""hypar-opt import and hypar-opt export."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.strategy_graph import read_strategy_graph
from hypar_opt.report.console import console
from hypar_opt.report.strategy_graph import show_graph_plan
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.solve import solve

FIVE = """\
five-operators  nodes  strategies  edges  entries  forbidden  moments
as read             5          10      6       28          1        3
compiled            5          10      4       20          1        2
"""


@pytest.fixture
def five(tmp_path, run):
    from hypar_opt.instance.shipped import shipped_graphs

    return shipped_graphs()["five-operators"]


def test_import_says_what_presolve_leaves(run, five):
    ran = run("import", "iopddl", five)
    assert ran.code == 0
    assert "\n".join(line.rstrip() for line in ran.out.splitlines()[:3]) == FIVE.rstrip()
    assert "presolved" in ran.out
    assert "memory: any plan uses at least 82 of 100 (82 %) at time 1" in ran.out


def test_import_for_machines(run, five):
    found = json.loads(run("import", "iopddl", five, "--json").out)
    assert found["name"] == "five-operators"
    assert list(found["sizes"]) == ["as read", "compiled", "presolved"]
    assert found["memory"] == {"limit": 100, "least_peak": 82, "time": 1}
    assert found["infeasible"] is None
    assert found["sha256"] == read_strategy_graph(five).sha256
    last = run("import", "iopddl", five, "--json-lines").out.splitlines()[-1]
    assert json.loads(last) == {"event": "result", **found}


def test_import_of_what_has_no_plan(run, five):
    ran = run("import", "iopddl", five.with_name("too-little-memory.json"))
    assert ran.code == 0
    assert "there is no plan: " in ran.out
    assert "presolved" not in ran.out


@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_import_writes_it_anew(run, five, tmp_path, ending):
    place = tmp_path / f"again.{ending}"
    ran = run("import", "iopddl", five, "-o", place, "--quiet")
    assert (ran.code, ran.out) == (0, "")
    found, graph = read_strategy_graph(place), read_strategy_graph(five)
    assert (found.name, found.edge_costs.tolist()) == (graph.name, graph.edge_costs.tolist())
    again = tmp_path / f"third.{ending}"
    run("import", "iopddl", place, "-o", again, "--quiet")
    assert again.read_bytes() == place.read_bytes()


def test_bad_input_writes_nothing(run, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"problem": {"nodes": []}}')
    place = tmp_path / "out.json"
    ran = run("import", "iopddl", bad, "-o", place)
    assert ran.code == 2
    assert ran.err.strip() == f"error: {bad}: problem.nodes: expected a mapping, got a list"
    assert not place.exists()


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_what_is_declined_is_not_written_either(run, five, tmp_path, quiet):
    large = tmp_path / "large.json"
    large.write_text(five.read_text().replace("[0, 0], [0, 0]", "[0, 999999999999999999], [0, 999999999999999999]"))
    large.write_text(large.read_text().replace("[24, 24, 12]", "[999999999999999999, 24, 12]"))
    place = tmp_path / "out.json"
    ran = run("import", "iopddl", large, "-o", place, *quiet)
    assert ran.code == 2
    assert "expected less than 2^61" in ran.err
    assert not place.exists()


def test_quiet_import_for_machines(run, five):
    assert run("import", "iopddl", five, "--json", "-q").out == run("import", "iopddl", five, "--json").out


@pytest.mark.parametrize("name", ["five-operators", "too-little-memory"])
def test_formulations_of_placements_decline(run, name):
    ran = run("solve", name, "-f", "alternating")
    assert (ran.code, ran.err.strip()) == (
        2,
        "error: alternating decides a placement, and a strategy graph has none; try portfolio or cp-sat",
    )


def test_a_gap_below_nothing_is_shown_as_a_gap(five, capsys):
    problem = GraphProblem(read_strategy_graph(five))
    plan = replace(solve(problem), status=Status.FEASIBLE, objective=Fraction(-40), bound=Fraction(-41))
    show_graph_plan(console(), problem, plan)
    assert "cost -40, 2.44 % above the proven bound -41" in capsys.readouterr().out


def test_a_log_has_the_plan_that_presolve_decides(run, five, tmp_path):
    log = tmp_path / "log.jsonl"
    assert run("solve", five, "--log", log).code == 0
    last = json.loads(log.read_text().splitlines()[-1])
    assert (last["event"], last["cost"], last["bound"]) == ("bound", 53, 53)


def test_names_that_cannot_be_written(run, five, tmp_path):
    for arguments in (("import", "iopddl", five), ("export", "lenet-c")):
        ran = run(*arguments, "-o", tmp_path / "graph.yaml")
        assert ran.code == 2
        assert "--output: expected a name that ends in .json or .json.gz, got 'graph.yaml'" in ran.err
        assert run(*arguments, "-o", tmp_path / "none" / "graph.json").code == 2
    assert list(tmp_path.glob("*graph*")) == []


def test_there_are_no_other_kinds(run, five):
    assert run("import", "mps", five).code == 2
    assert (
        run("import", "iopddl", five, "--batch", "8").err.strip()
        == "error: --batch: is of models; iopddl is a strategy graph"
    )


def test_export_says_what_is_written(run, tmp_path):
    place = tmp_path / "lenet.json.gz"
    ran = run("export", "lenet-c", "--levels", "2", "-o", place)
    assert ran.code == 0
    counts = "nodes 4, strategies 16, edges 3, entries 48, forbidden 0, moments 1"
    assert ran.out == f"lenet-c: {counts}; written to {place}\n"
    assert read_strategy_graph(place).nodes == 4
    document = json.loads(run("export", "lenet-c", "--levels", "2", "-o", place, "--json").out)
    assert (document["file"], document["entries"]) == (str(place), 48)


def test_export_declines_what_is_too_large(run, tmp_path):
    ran = run("export", "vgg-e", "--levels", "12", "-o", tmp_path / "graph.json")
    assert ran.code == 2
    assert "try fewer levels" in ran.err
    assert list(tmp_path.glob("*.json")) == []


def test_export_of_a_strategy_graph(run, five, tmp_path):
    ran = run("export", five, "-o", tmp_path / "graph.json")
    assert ran.code == 2
    assert "is a strategy graph, expected an instance; only solve, compare, verify and import take it" in ran.err


@pytest.mark.parametrize("command", ["show", "explore", "pareto", "compare-arrays"])
def test_commands_that_need_a_network_say_what_takes_graphs(run, five, command):
    ran = run(command, five)
    assert ran.code == 2
    assert "is a strategy graph, expected an instance; only solve, compare, verify and import take it" in ran.err


def test_solve_has_nothing_to_replace_in_one(run, five):
    ran = run("solve", five, "--batch", "3")
    assert ran.code == 2
    assert "--batch: replaces a field of a network's instance; a strategy graph has none" in ran.err
