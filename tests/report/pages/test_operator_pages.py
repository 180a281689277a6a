"""Pages of instances of operators: what stands on them, beside those of networks, and that their commands run."""

from __future__ import annotations

import csv
import html
import json
import re
import shlex
from fractions import Fraction

import pytest

from hypar_opt.cli.invoke import invoke
from hypar_opt.instance.read import load
from hypar_opt.report.content import given_plans
from hypar_opt.report.content.collection import shared_out
from hypar_opt.report.pages.operator_tables import collectives_table, memory_table, totals_table
from hypar_opt.solver.kinds import problem_of
from hypar_opt.util.errors import InputError
from tests.report.operator_plans import named

WITHOUT = ("--without", "front,exploration,scaling,regrets")


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """Return a report of an own file of operators and a shipped network."""
    folder = tmp_path_factory.mktemp("operators")
    (folder / "mine.yaml").write_text(load("gpt2-block", batch=8, axes="gpu=2").to_yaml(), encoding="utf-8")
    words = ("report", str(folder / "mine.yaml"), "lenet-c", "-f", "joint-dp", *WITHOUT)
    assert invoke([*words, "-o", str(folder / "report"), "-q"]) == 0
    return folder / "report"


def commands(page):
    found = re.findall(r"<code>(hypar-opt .*?)</code>", page.read_text(encoding="utf-8"))
    return [shlex.split(html.unescape(one))[1:] for one in found]


def test_a_page_has_what_there_is_to_say(mine):
    page = (mine / "gpt2-block.html").read_text(encoding="utf-8")
    for id in ("plans", "network", "shared", "collectives", "memory", "time", "array", "front", "baseline"):
        assert f'<h2 id="{id}">' in page, id
    for id in ("regrets", "scaling"):
        assert f'<h2 id="{id}">' not in page, id
    assert "no plan costs less, proven by joint-dp" in page
    assert "2 devices, gpu (2)" in page
    overview = (mine / "index.html").read_text(encoding="utf-8")
    assert "Operators or layers" in overview
    assert "gpt2-block.html" in overview


def test_numbers_stand_beside_the_page(mine):
    with (mine / "data/gpt2-block/collectives.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    plan = json.loads((mine / "plans/gpt2-block/joint-dp.json").read_text(encoding="utf-8"))
    assert sum(int(row["step"]) for row in rows) == plan["cost"]["communication_bytes"]


def test_rules_stand_beside_the_best_plan(mine):
    with (mine / "data/gpt2-block/rules.csv").open(newline="", encoding="utf-8") as stream:
        best, *rules = list(csv.DictReader(stream))
    assert [row["plan"] for row in rules] == ["data-parallel", "megatron"]
    assert all(Fraction(row["times"]) == Fraction(row["objective"]) / Fraction(best["objective"]) for row in rules)
    assert "gpu 2" in (mine / "index.html").read_text(encoding="utf-8")


def test_its_own_commands_verify_it(mine, monkeypatch):
    monkeypatch.chdir(mine)
    verify = next(words for words in commands(mine / "gpt2-block.html") if words[0] == "verify")
    assert verify[1] == "inputs/gpt2-block.json"
    assert invoke([*verify, "-q"]) == 0


def test_plans_that_are_written_make_a_report(mine, tmp_path):
    words = ["report", str(mine / "inputs/gpt2-block.json"), "lenet-c", "--plans", str(mine / "plans"), *WITHOUT]
    assert invoke([*words, "-o", str(tmp_path / "again"), "-q"]) == 0
    again = {path.relative_to(tmp_path / "again") for path in (tmp_path / "again").rglob("*")}
    assert again == {path.relative_to(mine) for path in mine.rglob("*")}


@pytest.mark.parametrize(("field", "value"), [("objective", 1), ("plan", {})])
def test_a_plan_that_is_not_what_it_claims_is_refused(mine, tmp_path, field, value):
    path = tmp_path / "plan.json"
    said = json.loads((mine / "plans/gpt2-block/joint-dp.json").read_text(encoding="utf-8"))
    path.write_text(json.dumps(said | {field: value}), encoding="utf-8")
    problem = problem_of(mine / "inputs/gpt2-block.json")
    with pytest.raises(InputError, match="is not what it claims"):
        shared_out([problem], given_plans([path]))


def test_tables_add_up():
    plan = named(batch=8)
    total = plan.plan.communication_bytes
    assert sum(row["step"].value for row in totals_table(plan).rows) == total
    assert sum(row["bytes"].value for row in collectives_table(plan).rows) == total
    assert sum(row["all"].value for row in memory_table(plan).rows) == sum(plan.kept.values())
