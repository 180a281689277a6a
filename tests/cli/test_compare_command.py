"""hypar-opt compare, in this process."""

from __future__ import annotations

import csv
import json
import re

import pytest
from helpers import document, linear_chain

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.registry import found, load_formulation
from hypar_opt.formulation.solution import Solution, Status

NAMES = "hypar-dp,joint-dp,brute-force"


@pytest.fixture
def folder(tmp_path):
    """Three instances: one that all solve, one that hypar-dp declines, one without any plan."""
    layers = linear_chain(8, 8)
    join = {"name": "sum", "add": {}, "inputs": ["fc2", "fc1"]}
    wholes = {
        "chain": document(layers, [8], batch=4, levels=2),
        "graph": document([*layers, join], [8], batch=4, levels=2),
        "none": document(linear_chain(3), [3], batch=3, splits="divisible"),
    }
    for name, whole in wholes.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({**whole, "name": name}), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not an instance", encoding="utf-8")
    return tmp_path


class Wrong:
    """Says of every problem that it has no plan."""

    name, summary, capabilities = "none-at-all", "for a test", Capabilities(exact=True)

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        return Solution(Status.INFEASIBLE)


class Content(Wrong):
    """Takes its first plan for the best."""

    name = "content"

    def solve(self, graph, run):
        first = (0,) * len(graph.variables)
        return Solution(Status.OPTIMAL, first, graph.value(first))


class Failing(Wrong):
    """Raises."""

    name = "failing"

    def solve(self, graph, run):
        raise ZeroDivisionError("by zero")


def test_a_table_of_instances_and_formulations(run, folder):
    ran = run("compare", folder, "-f", NAMES)
    rows = {line.split()[0]: line.split()[1:] for line in ran.out.splitlines() if line.strip()}
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("accounting published")
    assert rows["instance"] == ["batch", "levels", "dp", "dp", "force"]
    assert "-" in rows["graph"]
    assert "infeasible*" in ran.out


def test_files_beside_the_table(run, folder, tmp_path):
    out = tmp_path / "a" / "b"
    ran = run("compare", folder, "-f", NAMES, "-o", out)
    names = ["comparison.csv", "comparison.json", "comparison.md", "comparison.tex"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert f"written: {out / 'comparison.csv'}" in ran.out
    rows = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    cells = {(row["instance"], row["formulation"]): row for row in rows}
    assert len(rows) == 9
    assert cells["chain", "joint-dp"]["status"] == "OPTIMAL"
    assert cells["chain", "joint-dp"]["objective"] == cells["chain", "brute-force"]["objective"]
    assert cells["graph", "hypar-dp"]["status"] == "DECLINED"
    assert cells["graph", "hypar-dp"]["communication_bytes"] is None
    assert cells["none", "joint-dp"]["status"] == "INFEASIBLE"


def test_csv_has_exact_integers_and_empty_cells_for_what_is_unknown(run, folder, tmp_path):
    out = tmp_path / "out"
    run("compare", folder, "-f", NAMES, "-o", out)
    with (out / "comparison.csv").open(encoding="utf-8", newline="") as stream:
        written = {(row["instance"], row["formulation"]): row for row in csv.DictReader(stream)}
    rows = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    for row in rows:
        bytes_written = written[row["instance"], row["formulation"]]["communication_bytes"]
        assert bytes_written == ("" if row["communication_bytes"] is None else str(row["communication_bytes"]))


def test_markdown_has_tables_of_costs_and_times_with_a_footnote_for_a_refusal(run, folder, tmp_path):
    out = tmp_path / "out"
    run("compare", folder, "-f", NAMES, "-o", out)
    text = (out / "comparison.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table]
    assert [row[0] for row in rows if not row[0].startswith((":", "instance"))] == ["chain", "graph", "none"] * 2
    (graph, *_) = [row for row in rows if row[0] == "graph"]
    (reference,) = [cell.removeprefix("-") for cell in graph if cell.startswith("-[^")]
    (note,) = [line for line in text.splitlines() if line.startswith(f"{reference}: ")]
    assert "hypar-dp is for chains" in note


def test_latex_has_the_same_tables(run, folder, tmp_path):
    from pylatexenc.latexwalker import LatexWalker

    out = tmp_path / "out"
    run("compare", folder, "-f", NAMES, "-o", out)
    text = (out / "comparison.tex").read_text(encoding="utf-8")
    LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    assert text.count(r"\begin{tabular}") == 2
    assert r"\label{tab:comparison-cost}" in text
    assert r"\textbf{" in text
    assert "hypar-dp is for chains" in text


@pytest.mark.slow
def test_figures_beside_the_tables(run, folder, tmp_path):
    out = tmp_path / "out"
    ran = run("compare", folder / "chain.json", "-f", NAMES, "-o", out, "--figures")
    assert (ran.code, ran.err) == (0, "")
    begins = {path.name: path.read_bytes()[:4] for path in out.iterdir() if path.stem == "comparison"}
    assert begins.pop("comparison.svg") == b"<svg"
    assert (begins.pop("comparison.pdf"), begins.pop("comparison.png")) == (b"%PDF", b"\x89PNG")
    assert sorted(begins) == ["comparison.csv", "comparison.json", "comparison.md", "comparison.tex"]
    assert ran.out.splitlines()[-1].endswith(str(out / "comparison.png"))


def test_figures_need_a_folder(run, folder):
    ran = run("compare", folder / "chain.json", "--figures")
    assert (ran.code, ran.out) == (2, "")
    assert "--figures are written beside the tables; say where with -o DIR" in ran.err


def test_json_has_the_rows_and_no_disagreement(run, folder):
    printed = json.loads(run("compare", folder / "chain.json", "-f", NAMES, "--json").out)
    assert [row["formulation"] for row in printed["rows"]] == NAMES.split(",")
    assert printed["faults"] == []


def test_json_lines_end_with_a_line_a_result(run, folder):
    ran = run("compare", folder / "chain.json", "-f", "joint-dp,hypar-dp", "--json-lines")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    results = [line for line in lines if line["event"] == "result"]
    assert [line["formulation"] for line in results] == ["joint-dp", "hypar-dp"]
    assert {line["event"] for line in lines} == {"phase", "incumbent", "progress", "result"}


def deciding(*what):
    """Return the names of the formulations that decide it."""
    return [name for name in found() if load_formulation(name).capabilities.decides in what]


def test_without_names_all_formulations_that_fit_are_compared(run, folder):
    printed = json.loads(run("compare", folder / "chain.json", "--json").out)
    others = ["portfolio", "branch-and-bound", "megatron"]  # which decline all networks of letters
    assert [row["formulation"] for row in printed["rows"]] == [x for x in deciding("strategies") if x not in others]


@pytest.mark.slow
def test_of_strategy_graphs_all_that_take_such_are_compared(run):
    printed = json.loads(run("compare", "five-operators", "--json").out)
    assert [row["formulation"] for row in printed["rows"]] == [x for x in deciding("strategies") if x != "megatron"]


def test_with_a_placement_to_decide_those_that_decide_it_are_compared(run, folder):
    ran = run(
        "compare", folder / "chain.json", "--array", "ring-16", "--levels", "2", "--objective", "hop-bytes", "--json"
    )
    rows = json.loads(ran.out)["rows"]
    assert (ran.code, ran.err) == (0, "")
    assert [row["formulation"] for row in rows] == deciding("placement", "both")
    optima = {row["objective"] for row in rows if row["formulation"].startswith("joint") and row["status"] == "OPTIMAL"}
    assert len(optima) == 1
    assert all(row["objective"] >= min(optima) for row in rows)


def test_overrides_apply_to_every_instance(run):
    ran = run("compare", "sfc", "lenet-c", "-f", "joint-dp", "--accounting", "receiver", "--batch", "2", "--json")
    rows = json.loads(ran.out)["rows"]
    assert {(row["accounting"], row["batch"]) for row in rows} == {("receiver", 2)}


def test_two_proofs_that_disagree_exit_1_and_are_named(run, folder, plug_in):
    ran = run("compare", folder / "chain.json", "-f", f"joint-dp,{plug_in(Content())}")
    assert ran.code == 1
    assert re.search(r"^error: chain: content says OPTIMAL \d+, but joint-dp says OPTIMAL \d+$", ran.err, re.MULTILINE)


def test_that_there_is_no_plan_is_recounted(run, folder, plug_in):
    """One formulation is enough to be found out."""
    ran = run("compare", folder / "chain.json", "-f", plug_in(Wrong()))
    assert ran.code == 1
    said = "says INFEASIBLE (), and every layer has a strategy that is allowed"
    assert ran.err == f"error: chain, none-at-all: none-at-all {said}\n"


def test_a_formulation_that_fails_exits_1_and_is_named(run, folder, plug_in):
    ran = run("compare", folder / "chain.json", "-f", f"joint-dp,{plug_in(Failing())}")
    assert ran.code == 1
    assert ran.err == "error: chain, failing: ZeroDivisionError: by zero\n"


def test_two_instances_of_one_name_have_two_rows(run, folder, tmp_path):
    whole = json.loads((folder / "chain.json").read_text(encoding="utf-8"))
    (folder / "chain-64.json").write_text(json.dumps({**whole, "batch": 64}), encoding="utf-8")
    out = tmp_path / "out"
    run("compare", folder / "chain.json", folder / "chain-64.json", "-f", "joint-dp", "-o", out)
    table = [line for line in (out / "comparison.md").read_text(encoding="utf-8").splitlines() if "published" in line]
    assert len(table) == 2


@pytest.mark.parametrize("names", ["", ",", " "])
def test_no_formulation_at_all_is_bad_usage(run, names):
    assert run("compare", "sfc", "-f", names).code == 2


def test_a_folder_that_cannot_be_made_is_an_error(run, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = run("compare", "sfc", "-f", "joint-dp", "-o", tmp_path / "file" / "out")
    assert (ran.code, ran.err[:7]) == (2, "error: ")


@pytest.mark.parametrize(
    ("options", "heading"),
    [([], "in GB"), (["--array", "hypar-16", "--objective", "time"], "in s"),
     (["--array", "hypar-16", "--objective", "product:time,energy"], "")],
)  # fmt: skip
def test_the_unit_stands_above_the_instances(run, options, heading):
    shown = run("compare", "sfc", "-f", "joint-dp", *options).out.splitlines()
    below = next(number for number, line in enumerate(shown) if line.startswith("instance"))
    assert shown[below - 1].split("joint-")[0].strip() == heading


def test_costs_of_strategy_graphs_have_no_unit(run):
    assert " in GB" not in run("compare", "five-operators", "-f", "joint-dp").out.split("the whole cost")[0]


def test_rules_for_shares_are_beside_formulations_on_several_kinds(run):
    ran = run("compare", "mixed-equal-halves", "-f", "joint-dp,equal-halves,level-by-level", "--json")
    assert ran.code == 0
    found = {row["formulation"]: row["objective"] for row in json.loads(ran.out)["rows"]}
    assert found == {"joint-dp": 3, "equal-halves": 5, "level-by-level": 3}
