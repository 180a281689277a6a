"""Instances of operators as a user solves, shows, verifies and exports them, and commands that take none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

BLOCK = Path(__file__).parents[1] / "instance" / "operators" / "block.yaml"
REPEATED = """schema: hypar-opt/instance/1
name: chain
batch: 8
network:
  input: {features: 8}
  layers:
    - name: h
      repeat:
        times: 4
        layers:
          - {name: fc, linear: {features: 8}}
          - {name: relu, activation: {}}
array: {axes: [{name: node, size: 2}, {name: gpu, size: 2}]}
"""


@pytest.fixture
def plan(run, tmp_path):
    path = tmp_path / "plan.json"
    assert run("solve", BLOCK, "-o", path, "-q").code == 0
    return path


@pytest.fixture
def chain(tmp_path):
    path = tmp_path / "chain.yaml"
    path.write_text(REPEATED.replace("times: 4", "times: 2"))
    return path


def table(out, title):
    """Return the rows of the table below a title, as lists of words."""
    lines = out[out.index(title) :].splitlines()[1:]
    return [line.split() for line in lines[: lines.index("") if "" in lines else None]]


@pytest.mark.parametrize(
    ("options", "best"),
    [(["--axes", "gpu=4"], "983,040"), ([], "720,896"), (["--axes", "gpu=4", "--choices", "batch"], "1,179,648")],
)
def test_a_block_costs_what_was_counted(run, options, best):
    ran = run("solve", BLOCK, *options)
    assert ran.code == 0
    assert f"({best} bytes)" in ran.out
    assert "block: OPTIMAL by joint-dp" in ran.out


def test_a_plan_is_readable(run):
    out = run("solve", BLOCK).out
    assert table(out, "4 devices: node (2) x gpu (2)")[1:3] == [
        ["operator", "kind", "node", "(2)", "gpu", "(2)", "second", "best", "its", "regret"],
        ["norm1", "norm", "none", "none", "batch", "none", "+65.54", "kB"],
    ]
    assert "by joint-dp's regrets the optimum is not unique" in out
    plain = run("solve", BLOCK, "--no-explain").out
    assert "second best" not in plain and "regrets" not in plain
    assert ["down", "output", "forward", "reduce-scatter", "gpu", "1", "65.54", "kB"] in table(out, "collectives, and")
    *rows, last = table(out, "in a training step")[1:]
    assert last == ["all", "180.2", "kB", "180.2", "kB", "360.4", "kB", "720.9", "kB"]
    assert ["all-to-all", "gpu", "16.38", "kB", "16.38", "kB", "0", "32.77", "kB"] in rows


def test_repeated_blocks_are_folded_unless_all_is_asked_for(run, tmp_path):
    (tmp_path / "chain.yaml").write_text(REPEATED)
    command = ("solve", tmp_path / "chain.yaml", "--choices", "batch", "--why")
    folded, every = run(*command).out, run(*command, "--all").out
    alone = ["none", "allowed"]
    assert ["h.0", "to", "h.3:", "relu", "activation", "batch", "batch", *alone] in table(folded, "operator ")
    assert ["h.0", "to", "h.3:", "fc", "parameters", "update", "all-reduce", "gpu", "4", "4.096", "kB"] in table(
        folded, "collectives, and"
    )
    assert "\nh.0 to h.3: relu is batch: whole," in folded
    assert " to h." not in every
    assert all(f"h.{i}.relu" in every for i in range(4))


def test_all_of_repeated_blocks_is_what_is_shown_of_the_same_layers_written_out(run, tmp_path):
    begin, layer = REPEATED.index("    - name: h"), "    - {name: h.%d.fc, linear: {features: 8}}\n"
    layer += "    - {name: h.%d.relu, activation: {}}\n"
    written_out = "".join(layer % (number, number) for number in range(4))
    shown = []
    for text in (REPEATED, REPEATED[:begin] + written_out + REPEATED[REPEATED.index("array:") :]):
        (tmp_path / "chain.yaml").write_text(text)
        shown.append(run("solve", tmp_path / "chain.yaml", "--all", "--why").out.split("\n", 1)[1])  # behind the time
    assert shown[0] == shown[1]


def test_a_plan_for_machines_says_its_axes_and_collectives(run):
    document = json.loads(run("solve", BLOCK, "--json").out)
    assert (document["axes"], document["objective"]) == (["node", "gpu"], 720896)
    assert document["plan"]["up"] == "batch out"
    moved = [row[phase] for row in document["collectives"] for phase in ("forward", "backward", "update")]
    assert sum(moved) == 720896
    explained = json.loads(run("solve", BLOCK, "--json", "--explain").out)["explanation"]
    assert explained["regrets"]["proj"] == {"second_best": "batch sequence", "cost": 0}
    assert (explained["unique"], explained["missing"]) == (False, "")


def test_a_plan_is_verified(run, chain, tmp_path):
    path = tmp_path / "plan.json"
    run("solve", chain, "-o", path, "-q")
    verdict = run("verify", chain, path)
    assert verdict.code == 0
    assert "bytes, recounted device by device" in verdict.out
    assert "a certificate by joint-dp" in verdict.out


def test_a_plan_is_certified(run, chain, tmp_path):
    path, certificate = tmp_path / "plan.json", tmp_path / "plan.cert"
    assert run("solve", chain, "-o", path, "--certificate", certificate, "-q").code == 0
    checked = run("check-certificate", certificate)
    said = "proven: chain, batch 8, node (2) x gpu (2): no plan is below 1,024 B, and the plan in the file costs that\n"
    assert (checked.code, checked.out) == (0, said)
    verdict = run("verify", chain, path, "--certificate", certificate)
    assert verdict.code == 0
    assert "proves the bound 1,024 B" in verdict.out


def test_a_plan_is_shown_again(run, plan):
    shown = run("show", BLOCK, "--plan", plan)
    assert (shown.code, "in a training step" in shown.out) == (0, True)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"up": "batch out"', '"up": "batch batch"', "NO  communication"),
        ('"up": "batch out"', '"up": "batch heads"', "'up' has 'heads', expected one of"),
        ('"up": "batch out"', '"up": "batch"', "'up' has 1 entries"),
        ('"attend": "heads heads"', '"atend": "heads heads"', "'atend' is neither an operator nor a tensor"),
        ('"communication_bytes": 720896', '"communication_bytes": 720895', "claimed 720,895 bytes, it is 720,896"),
        ('"bound": 720896', '"bound": 720897', "claims OPTIMAL with the bound"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said(run, plan, old, new, said):
    text = plan.read_text()
    assert old in text
    plan.write_text(text.replace(old, new, 1))
    ran = run("verify", BLOCK, plan)
    assert ran.code != 0
    assert said in re.sub(r"\s*\n\s*", " ", ran.out + ran.err)


def test_a_plan_that_is_not_the_best_is_refuted(run, chain, tmp_path):
    worse = tmp_path / "worse.json"
    run("solve", chain, "--choices", "batch", "-o", worse, "-q")
    text = worse.read_text()
    worse.write_text(re.sub(r'"overrides": \{[^}]*\}', '"overrides": {}', text))
    ran = run("verify", chain, worse)
    assert ran.code == 1
    assert "NO  optimality" in ran.out


def test_given_words_are_kept_and_priced(run, plan):
    ran = run("solve", BLOCK, "--axes", "gpu=4", "--fix", "q=batch")
    assert "the given strategies cost 196,608 bytes, 20 %: without them the optimum is 983,040 bytes" in ran.out
    again = run("solve", BLOCK, "--fix", plan)
    assert "the given strategies cost nothing" in again.out
    some = run("solve", BLOCK, "--fix", f"{plan}:[qkv]", "--fix", "attend*=batch .", "--json").out
    words = json.loads(plan.read_text())["plan"]
    assert json.loads(some)["overrides"]["fix"] == {**{name: words[name] for name in "qkv"}, "attend*": "batch ."}
    assert "720,896" in run("solve", BLOCK, "--start", plan).out


def test_axes_and_networks_are_shown(run):
    assert run("show", BLOCK).out.startswith("block: 4 devices, node (2) x gpu (2)\n")
    assert "each device: 312 TOPS, 80 GB of memory" in run("show", "a100-2x8").out
    assert "gpu      8  300 GB/s   1.9 us" in run("show", "a100-2x8").out
    assert json.loads(run("show", "v100-24x8", "--json").out)["devices"] == 192
    shown = run("show", BLOCK, "--network").out
    assert "block: 12 layers, 12 operators; 49,152 parameters" in shown
    assert "heads" in shown
    assert len(json.loads(run("show", BLOCK, "--network", "--json").out)["layers"]) == 12


def test_an_instance_is_printed_with_what_replaces_its_fields(run, tmp_path):
    path = tmp_path / "mine.yaml"
    assert run("instance", BLOCK, "--axes", "gpu=8", "--batch", "16", "-o", path).code == 0
    assert "array: {axes: [{name: gpu, size: 8}]}" in path.read_text()
    assert path.read_text().startswith(
        "# block, with --batch, --axes: everything inline.\n# SHA-256 until it is edited: "
    )
    assert "1,638,400" not in run("solve", path).err


def test_a_strategy_graph_of_operators_has_the_same_optimum(run, chain, tmp_path):
    path = tmp_path / "graph.json"
    exported = run("export", chain, "-o", path)
    assert (exported.code, "nodes 4" in exported.out) == (0, True)
    assert "memory" not in run("solve", path, "-f", "milp-highs").out.partition("presolve")[0]  # none is counted
    graph, own = (json.loads(run("solve", one, "-f", "milp-highs", "--json").out) for one in (path, chain))
    assert graph["objective"] == 4 * own["objective"]


def test_lists_have_operators_and_axes(run):
    instances = {row["name"]: row for row in json.loads(run("list", "instances", "--json").out)}
    assert (instances["gpt2-small"]["weights"], instances["gpt2-small"]["graph"]) == (124_439_808, "operators")
    assert (instances["vgg-a"]["devices"], instances["gpt2-small"]["levels"]) == (16, None)
    arrays = {row["name"]: row for row in json.loads(run("list", "arrays", "--json").out)}
    assert arrays["h100-8x8"]["topology"] == "axes: node (8) x gpu (8)"


def test_a_plan_is_drawn(run, plan, monkeypatch):
    monkeypatch.chdir(plan.parent)
    ran = run("show", BLOCK, "--plan", "plan.json", "-o", "picture.svg")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    picture = (plan.parent / "picture.svg").read_text(encoding="utf-8")
    (plan.parent / "picture.svg").unlink()  # the folder is one for all tests here
    assert picture.startswith("<svg")
    assert "in a step" in picture
    assert run("show", BLOCK, "-o", "axes.svg").code == 0
    assert "node: " in (plan.parent / "axes.svg").read_text(encoding="utf-8")
    (plan.parent / "axes.svg").unlink()


def test_a_plan_is_written_as_tables(run, plan, tmp_path):
    for ending, said in ((".csv", "operator,what,kind,axis_node,axis_gpu"), (".tex", "\\begin{tabular}")):
        path = tmp_path / f"tables{ending}"
        assert run("show", BLOCK, "--plan", plan, "-o", path).code == 0
        assert said in path.read_text()
    ran = run("show", BLOCK, "-o", tmp_path / "axes.csv")
    assert ran.code == 2
    assert "tables are of a plan (--plan) or a network (--network)" in ran.err


TWICE = """schema: hypar-opt/instance/1
name: twice
batch: 8
network:
  input: {sequence: 4, features: 8}
  layers:
    - {name: fc, linear: {features: 8}}
    - {name: self, inputs: [fc, fc, fc], attention: {heads: 2}}
    - {name: square, inputs: [self, self], multiply: {}}
    - {name: gram, inputs: [square, square], einsum: {equation: "batch a i, batch c i -> batch a c"}}
array: {axes: [{name: a, size: 2}, {name: b, size: 2}]}
cost: {choices: [sequence, heads, out, in, features, a, c, i]}
"""


@pytest.mark.parametrize("given", [(), ("--fix", "fc:forward=sequence .", "--fix", "*:gradient=. whole")])
def test_certificates_know_what_is_read_twice_and_given_placements(run, tmp_path, given):
    path, plan, proof = (tmp_path / name for name in ("twice.yaml", "plan.json", "proof.zip"))
    path.write_text(TWICE)
    assert run("solve", path, "-q", "-o", plan, "--certificate", proof, *given).code == 0
    assert run("check-certificate", proof).out.startswith("proven: twice, batch 8")
    assert "certificate    proves the bound" in run("verify", path, plan, "--certificate", proof).out


def test_compare_puts_formulations_side_by_side(run):
    ran = run("compare", BLOCK, "-f", "joint-dp,milp-highs,hypar-dp", "--json")
    found = {row["formulation"]: row for row in json.loads(ran.out)["rows"]}
    assert found["joint-dp"]["status"] == found["milp-highs"]["status"] == "OPTIMAL"
    assert "no levels" in found["hypar-dp"]["note"]


def test_why_operators_are_as_they_are_is_said(run):
    out = run("solve", BLOCK, "--why").out
    assert "\ndown is batch in: whole, its gradient 65.54 kB and its output 65.54 kB; it moves 131.1 kB" in out
    whole = json.loads(run("solve", BLOCK, "--why", "--json").out)["why"]
    assert whole[-2]["text"].startswith("down is batch in: ")
    assert {one["axis"] for one in whole[-2]["others"]} == {"node", "gpu"}


def test_what_two_plans_of_operators_differ_in_is_said(run, plan):
    other = plan.parent / "other.json"
    run("solve", BLOCK, "-f", "data-parallel", "-o", other, "-q")
    ran = run("diff", plan, other, BLOCK)
    assert ran.code == 0
    assert (
        "8 of 12 operators, 1 of 3 placements of tensors differ; the second less the first: +458,752 bytes" in ran.out
    )
    assert "on axes" in ran.out
    document = json.loads(run("diff", plan, other, BLOCK, "--json").out)
    assert document["total"]["bytes"] == 1_179_648 - 720_896


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", BLOCK, "plan.json"], "simulate follows .* show --plan has the seconds"),
        (["explore", BLOCK], "explore combines .* pareto trades"),
        (["explore", "lenet-c", "--axes", "a=2"], "with what is given here, and explore combines"),
        (["compare-arrays", BLOCK], "places halves on graphs; of operators, solve or compare with each --array"),
        (["compare-arrays", "sfc", "--arrays", "a100-2x8"], "with what is given here, and compare-arrays places"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_other_commands_say_why_they_are_not_of_operators_and_what_is(run, plan, monkeypatch, arguments, said):
    monkeypatch.chdir(plan.parent)
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert re.search(f"an instance of operators.*{said}", ran.err)
    assert len(ran.err.splitlines()) == 1
    assert not (plan.parent / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", BLOCK, "--certificate", "c", "--at-most", "communication=1e12"], "certificates know no bounds"),
        (["solve", BLOCK, "--certificate", "c", "-f", "data-parallel"], "writes no certificates; joint-dp does"),
        (["solve", BLOCK, "-f", "placement-milp"], "nothing depends on a placement"),
        (["show", BLOCK, "-o", "o.csv"], "this array is shown as text"),
        (["show", BLOCK, "--plan", "plan.json", "-o", "o.pdf"], "expected a name that ends in .png, .svg"),
        (["show", "a100-2x8", "--network"], "got an array, which has no network"),
        (["verify", "lenet-c", "plan.json"], "is a plan of 'block', not of 'lenet-c'"),
        (["show", BLOCK, "--plan", "plan.json", "--levels", "2"], "the plan's file says how many there are"),
        (
            ["solve", BLOCK, "--axes", "gpu=3"],
            "--splits padded or any, which asks less",
        ),
    ],
)
def test_what_operators_cannot_have_is_said(run, plan, monkeypatch, arguments, said):
    monkeypatch.chdir(plan.parent)
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert sorted(path.name for path in plan.parent.iterdir()) == ["plan.json"]
