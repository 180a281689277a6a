"""--fix, of every command that takes overrides."""

from __future__ import annotations

import json
import re

import pytest

GIVEN = ("--fix", "conv*=d...", "--fix", "fc1=.m..")


@pytest.fixture
def plan(run, tmp_path):
    path = tmp_path / "plan.json"
    assert run("solve", "lenet-c", "-q", "-o", path, *GIVEN).code == 0
    return path


def test_a_plan_keeps_to_what_is_given_and_verify_sees_the_same_problem(run, plan):
    written = json.loads(plan.read_text(encoding="utf-8"))
    assert written["overrides"] == {"fix": {"conv*": "d...", "fc1": ".m.."}}
    assert all(written["plan"][name][0] == "d" for name in ("conv1", "conv2"))
    assert written["plan"]["fc1"][1] == "m"
    confirmed = run("verify", "lenet-c", plan)
    assert confirmed.code == 0
    assert confirmed.out.startswith("confirmed: ")
    other = {**written, "plan": {**written["plan"], "conv1": "mddd"}}
    plan.write_text(json.dumps(other), encoding="utf-8")
    refuted = run("verify", "lenet-c", plan)
    assert refuted.code == 1
    assert "layer 'conv1' has 'mddd', the instance gives 'd...'" in refuted.out


def test_a_certificate_knows_of_open_levels(run, tmp_path):
    proof = tmp_path / "proof.zip"
    plan = tmp_path / "plan.json"
    assert run("solve", "lenet-c", "-q", "-o", plan, "--certificate", proof, "--fix", "conv1=m...").code == 0
    assert run("check-certificate", proof).code == 0
    ran = run("verify", "lenet-c", plan, "--certificate", proof)
    assert ran.code == 0, ran.out + ran.err


def test_words_come_from_a_plan(run, plan):
    words = json.loads(plan.read_text(encoding="utf-8"))["plan"]
    whole = json.loads(run("solve", "lenet-c", "--json", "--fix", plan).out)
    assert (whole["plan"], whole["overrides"]) == (words, {"fix": words})
    part = json.loads(run("solve", "lenet-c", "--json", "--fix", f"{plan}:conv*").out)
    assert part["overrides"] == {"fix": {name: word for name, word in words.items() if name.startswith("conv")}}
    both = json.loads(run("solve", "lenet-c", "--json", "--fix", f"{plan}:fc1", "--fix", "fc2=m...").out)
    assert both["overrides"] == {"fix": {"fc1": words["fc1"], "fc2": "m..."}}


def test_a_file_whose_name_has_all_signs_is_a_file(run, plan, monkeypatch):
    monkeypatch.chdir(plan.parent)
    plan.rename(plan.parent / "a=b:c.json")
    ran = run("solve", "lenet-c", "--json", "--fix", "a=b:c.json:fc1")
    assert list(json.loads(ran.out)["overrides"]["fix"]) == ["fc1"]


def commands(folder):
    return {
        "compare": ("compare", "lenet-c", "-f", "joint-dp,hypar-dp,data-parallel"),
        "explore": ("explore", "lenet-c", "--layers", "fc1"),
        "pareto": ("pareto", "lenet-c", "--components", "communication,time", "--array", "hypar-16"),
        "export": ("export", "lenet-c", "-o", folder / "graph.json"),
        "compare-arrays": ("compare-arrays", "lenet-c", "--arrays", "h-tree-16"),
        "report": ("report", "lenet-c", "-o", folder / "report.html"),
    }


@pytest.mark.parametrize("name", ["compare", "explore", "pareto", "export", "compare-arrays", "report"])
def test_every_command_of_overrides_takes_it(run, tmp_path, name):
    command = commands(tmp_path)[name]
    refused = run(*command, "--fix", "fc*=x...")
    assert refused.code == 2
    message = "error: --fix fc*: expected letters from d, m, or . where it is open, got 'x...'; 'fc*' matches 'fc1'"
    assert refused.err.strip() == message


def test_a_comparison_has_the_plans_that_keep_to_it(run):
    free = json.loads(run("compare", "lenet-c", "--json", "-f", "joint-dp").out)
    given = json.loads(run("compare", "lenet-c", "--json", "-f", "joint-dp", "--fix", "conv1=mmmm").out)
    assert _objective(given) > _objective(free)


def _objective(document):
    return float(re.search(r'"objective": "?([\d.]+)', json.dumps(document))[1])


def test_a_simulation_takes_it_from_the_plan(run, tmp_path):
    path = tmp_path / "plan.json"
    assert run("solve", "lenet-c", "-q", "--array", "hypar-16", "-o", path, *GIVEN).code == 0
    assert run("simulate", "lenet-c", path).code == 0


FAULTS = {
    "a pattern of nothing": ("cnv*=d...", "--fix cnv*: 'cnv*' matches no layer; the nearest is 'conv"),
    "neither": ("convd", "--fix: expected PATTERN=WORD, for example 'conv*=d...', or a plan file, PLAN.json or"),
    "no pattern": ("=d...", "--fix: expected PATTERN=WORD, for example 'conv*=d...', got '=d...'"),
    "against another": ("conv*=m...", "--fix conv*: 'conv*' gives layer 'conv1' 'm...' and 'conv1' gives it 'd...'"),
    "against the same": ("conv1=.m..", "--fix: 'conv1' is given 'dd..' already, and '.m..' contradicts it at level 2"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong(run, tmp_path, text, message):
    path = tmp_path / "new.json"
    ran = run("solve", "lenet-c", "-o", path, "--fix", "conv1=dd..", "--fix", text)
    assert (ran.code, ran.out, path.exists()) == (2, "", False)
    assert message.replace("'d...'", "'dd..'") in ran.err or message in ran.err


def test_what_is_wrong_with_a_plan_file(run, plan):
    ran = run("solve", "lenet-c", "--fix", f"{plan}:cnv*")
    assert (ran.code, ran.err) == (
        2,
        f"error: {plan}: --fix: 'cnv*' matches none of the plan's layers; the nearest is 'conv2'\n",
    )
    assert "no plan" not in ran.err
    plan.write_text('{"schema": "hypar-opt/plan/1", "plan": null}', encoding="utf-8")
    ran = run("solve", "lenet-c", "--fix", plan)
    assert (ran.code, ran.err) == (2, f"error: {plan}: --fix: expected a strategy for every layer\n")


def test_scales_need_all_sizes(run):
    ran = run("explore", "lenet-c", "--scale", "1,2", "--fix", "fc*=d...")
    assert ran.code == 2
    assert ran.err.startswith("error: --fix: --scale needs an instance that fixes no strategies")


def test_a_point_of_a_front_gives_strategies_too(run, tmp_path):
    front, plan = tmp_path / "front.json", tmp_path / "kept.json"
    array = ("--array", "hypar-row-stationary-16")
    assert run("pareto", "lenet-c", *array, "-q", "-o", front).code == 0
    assert run("solve", "lenet-c", "-q", *array, "--fix", f"{front}#2:fc*", "-o", plan).code == 0
    words = json.loads(front.read_text(encoding="utf-8"))["points"][1]["plan"]
    kept = json.loads(plan.read_text(encoding="utf-8"))["plan"]
    assert {name: kept[name] for name in ("fc1", "fc2")} == {name: words[name] for name in ("fc1", "fc2")}
