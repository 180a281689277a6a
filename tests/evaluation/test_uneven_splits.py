"""What cannot be built, or only with padding, is said wherever a plan is shown."""

from __future__ import annotations

import json
import re

import pytest
from helpers import document, instance_of, linear_chain, problem_of

from hypar_opt.cli.invoke import invoke
from hypar_opt.evaluation.legality import unbuildable_text, uneven_splits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.report.compare.table import cost_table
from hypar_opt.report.compare.terminal import cell_text, legend
from hypar_opt.solver.plan import plan_document, write_plan
from hypar_opt.solver.plan_reader import read_start
from hypar_opt.solver.solve import solve
from hypar_opt.studies.compare import compare
from hypar_opt.util.partition import halves
from hypar_opt.verification import read_claim, verify

WORDS = "cannot be built as it stands: "
OVERRIDES = ("--batch", "2", "--array", "hypar-16")


def of_chain(batch, word, features=8):
    """Return the uneven splits of a layer of six inputs whose strategy is given."""
    whole = document(linear_chain(features), [6], batch=batch, levels=len(word), choices=["dp", "mp", "op"])
    problem = problem_of(whole)
    return problem, uneven_splits(problem.work, {"fc1": word}, batch, halves(len(word)))


@pytest.mark.parametrize(
    ("batch", "word", "found"),
    [
        (8, "ddd", []),
        (4, "ddd", ["fc1 splits its batch of 4 into 8 parts"]),
        (6, "dd", ["fc1 splits its batch of 6 into 4 parts"]),
        (8, "m", []),
        (8, "mmm", ["fc1 splits its input of 6 into 8 parts"]),
        (8, "ooo", []),
        (8, "oooo", ["fc1 splits its output of 8 into 16 parts"]),
        (3, "dmmo", ["fc1 splits its batch of 3 into 2 parts", "fc1 splits its input of 6 into 4 parts"]),
    ],
)
def test_what_is_split_unevenly(batch, word, found):
    problem, splits = of_chain(batch, word)
    assert [str(one) for one in splits] == found
    assert problem.uneven_splits({"fc1": word}) == splits
    beyond = [one for one in splits if one.parts > one.size]
    assert [one for one in splits if not one.is_possible] == beyond
    assert bool(unbuildable_text(splits)) == bool(beyond)


@pytest.mark.parametrize("word", ["d", "dd", "ddd", "mm", "mo", "oo", "dmo"])
def test_no_split_is_uneven_where_only_divisible_ones_are_allowed(word):
    from hypar_opt.evaluation.legality import illegal

    problem, splits = of_chain(4, word)
    divisible = problem.instance.changed(cost=problem.instance.spec.cost.model_copy(update={"splits": "divisible"}))
    rules = type(problem)(divisible).rules
    assert (illegal(problem.work, {"fc1": word}, rules) is None) == (splits == ())


def test_a_joins_channels_of_every_input():
    layers = [
        {"name": "fc1", "linear": {"features": 6}},
        {"name": "fc2", "linear": {"features": 4}, "inputs": ["input"]},
        {"name": "cat", "concat": {}, "inputs": ["fc1", "fc2"]},
        {"name": "fc3", "linear": {"features": 4}},
    ]
    problem = problem_of(document(layers, [4], levels=2))
    words = {"fc1": "dd", "fc2": "dd", "cat": "mm", "fc3": "dd"}
    assert [str(one) for one in problem.uneven_splits(words)] == ["cat splits its input of 6 into 4 parts"]


def test_a_sentence_names_every_layer_once():
    layers = [{"name": f"fc{number}", "linear": {"features": 4}} for number in range(1, 7)]
    problem = problem_of(document(layers, [4], batch=2, levels=3, choices=["dp", "mp", "op"]))
    words = dict(zip(problem.instance.network.decision_names, ["ddm", "ddm", "ooo", "ddm", "dmo", "dmm"], strict=True))
    assert unbuildable_text(problem.uneven_splits(words)) == (
        f"{WORDS}4 layers split a dimension into more parts than it has elements: "
        "the batch of 2 into 4 parts by fc1, fc2 and fc4; the output of 4 into 8 parts by fc3; "
        "--splits divisible asks for a plan that can"
    )


def test_a_sentence_names_a_few_layers_and_counts_the_others():
    layers = [{"name": f"fc{number}", "linear": {"features": 4}} for number in range(1, 8)]
    problem = problem_of(document(layers, [4], batch=2, levels=3))
    for count, named in ((1, "fc1"), (4, "fc1, fc2, fc3 and fc4"), (5, "fc1, fc2, fc3 and 2 more")):
        words = {f"fc{number}": "ddm" if number <= count else "dmm" for number in range(1, 8)}
        said = unbuildable_text(problem.uneven_splits(words))
        split = "1 layer splits" if count == 1 else f"{count} layers split"
        assert f"{WORDS}{split} a dimension" in said
        assert f": the batch of 2 into 4 parts by {named}; --splits" in said


@pytest.fixture(scope="module")
def beyond():
    """The case that it was found by: four samples on sixteen accelerators."""
    return solve(load("vgg-a", batch=4))


def test_a_plan_says_so(beyond):
    assert beyond.status is Status.OPTIMAL
    assert beyond.unbuildable[0] == "conv1_1 splits its batch of 4 into 16 parts"
    assert beyond.note.startswith(
        f"{WORDS}{len(beyond.unbuildable)} layers split a dimension into more parts than it has"
    )
    assert "the batch of 4 into 16 parts by conv1_1, " in beyond.note
    assert plan_document(beyond)["unbuildable"] == list(beyond.unbuildable)


@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver"])
@pytest.mark.parametrize("name", ["joint-dp", "hypar-dp", "data-parallel"])
def test_the_papers_setting_has_nothing_of_it(name, accounting):
    plan = solve(load("vgg-a", accounting=accounting), name)
    assert (plan.unbuildable, plan.uneven, plan.note) == ((), (), "")
    assert not {"unbuildable", "uneven"} & plan_document(plan).keys()


def test_plan_files_keep_it_and_older_ones_are_read(beyond, tmp_path):
    path = tmp_path / "plan.json"
    write_plan(beyond, path)
    assert read_claim(path).strategies == beyond.strategies == read_start(path)[0]
    older = json.loads(path.read_text(encoding="utf-8"))
    del older["unbuildable"]
    path.write_text(json.dumps(older), encoding="utf-8")
    verdict = verify("vgg-a", path)
    assert verdict.outcome == "confirmed"
    assert tuple(str(one) for one in verdict.splits if not one.is_possible) == beyond.unbuildable


def test_the_terminal_and_machines_are_told(tmp_path, capsys):
    path = tmp_path / "plan.json"
    assert invoke(["solve", "vgg-a", "--batch", "4", "-o", str(path)]) == 0
    assert f"note: {WORDS}4 layers split" in capsys.readouterr().out
    assert invoke(["verify", "vgg-a", str(path)]) == 0
    assert f"note: {WORDS}4 layers split" in capsys.readouterr().out
    assert invoke(["verify", "vgg-a", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unbuildable"][0] == "conv1_1 splits its batch of 4 into 16 parts"


def test_tables_mark_it_and_explain_the_mark():
    cells = compare([load("vgg-a", batch=4)], ["joint-dp"])
    assert "*! " in cell_text(cells[0])
    assert "! cannot be built as it stands" in legend(cells)
    table = cost_table(cells)
    said = [note for column in table.columns for note in column.notes]
    assert [WORDS in note for note in said] == [True]
    even = compare([load("vgg-a")], ["joint-dp"])
    assert "!" not in cell_text(even[0]) + legend(even)


def test_other_splits_are_given_from_outside(capsys):
    """And what is not allowed is said by the layer that has no strategy."""
    plan = solve(load("lenet-c", splits="divisible"))
    assert (plan.status, plan.unbuildable, plan.uneven) == (Status.OPTIMAL, (), ())
    assert dict(plan.overrides) == {"splits": "divisible"}
    assert solve(load("lenet-c", splits="any")).instance_sha256 == plan.instance_sha256
    assert verify("lenet-c", plan).outcome == "confirmed"
    assert invoke(["solve", "vgg-a", "--batch", "4", "--splits", "divisible"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "is allowed for 'conv1_1', a layer of kind conv: every part as large as the next (splits: divisible), d splits "
        "its batch of 4 at most 2 times, m cannot split its 3 input channels, and that is 2 of 4 levels; "
        "enough would be: 2 levels, 4 accelerators; or a batch of 16; or --splits any"
    ) in said


def test_that_given_strategies_are_uneven_is_said():
    whole = document(linear_chain(8), [6], batch=6, levels=2, fix={"fc1": "dd"})
    plan = solve(instance_of(whole))
    assert (plan.uneven, plan.unbuildable, plan.note) == (("fc1 splits its batch of 6 into 4 parts",), (), "")


@pytest.fixture(scope="module")
def few_samples(tmp_path_factory):
    """A plan of two samples on sixteen accelerators."""
    path = tmp_path_factory.mktemp("plans") / "plan.json"
    write_plan(solve(load("lenet-c", batch=2, array="hypar-16")), path)
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "lenet-c", "PLAN"],
        ["show", "lenet-c", "--plan", "PLAN"],
        ["explore", "lenet-c", *OVERRIDES, "--layers", "fc1", "--levels-free", "1"],
        ["explore", "lenet-c", *OVERRIDES, "--scale", "1-2"],
        ["pareto", "lenet-c", *OVERRIDES],
        ["compare-arrays", "lenet-c", "--batch", "1", "--arrays", "ring-16", "--levels", "2"],
        ["compare", "lenet-c", *OVERRIDES, "-f", "joint-dp"],
    ],
    ids=lambda command: " ".join(command),
)
def test_every_command_that_shows_plans_says_so(command, few_samples, capsys):
    command = [str(few_samples) if word == "PLAN" else word for word in command]
    assert invoke(command) == 0
    assert "cannot be built as it stands" in capsys.readouterr().out
    assert invoke([*command, "--json"]) == 0
    assert re.search(r"batch of [12] (is split )?into \d+ parts", capsys.readouterr().out)
