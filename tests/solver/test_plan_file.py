"""Plan files: exact numbers, and strategies read back."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance import load
from hypar_opt.solver.plan import Plan, plan_document, write_plan
from hypar_opt.solver.plan_reader import read_start
from hypar_opt.solver.solve import solve
from hypar_opt.studies.sensitivity import explain
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact
from hypar_opt.verification import read_claim, verify


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        (Fraction(0), 0),
        (Fraction(2**70), 2**70),
        (Fraction(64, 10), "6.4"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1, 1000), "0.001"),
        (Fraction(10**30 + 1, 10), "1" + "0" * 29 + ".1"),
        (Fraction(1, 3), "1/3"),
    ],
)
def test_numbers_are_written_exactly(value, written):
    assert exact(value) == written


@given(st.fractions())
def test_what_is_written_reads_back_as_the_same_number(value):
    assert Fraction(exact(value)) == value


def test_strategies_are_read_back(tmp_path):
    plan = solve(load("lenet-c"), "joint-dp")
    write_plan(plan, tmp_path / "plan.json")
    assert read_start(tmp_path / "plan.json") == (dict(plan.strategies), None)


def test_a_plan_file_without_a_schema_is_refused(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text('{"plan": {}}', encoding="utf-8")
    with pytest.raises(InputError, match="schema: expected 'hypar-opt/plan/1'"):
        read_start(path)


KINDS = {
    "of bytes": lambda: solve(load("lenet-c", levels=2, batch=16)),
    "of fractions": lambda: solve(load("lenet-c", accounting="leaf-exact", levels=2, batch=1)),
    "placed": lambda: solve(load("lenet-c", array="ring-16", objective="hop-bytes", levels=2)),
    "timed": lambda: solve(load("lenet-c", array="hypar-16", objective="time")),
    "that cannot be built": lambda: solve(load("lenet-c", batch=2)),
    "of a strategy graph": lambda: solve("lenet-c-h2"),
    "that is none": lambda: solve("vgg-e", "cp-sat", time_limit=0),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_plan_is_loaded_as_it_was_saved(kind, tmp_path):
    plan = KINDS[kind]()
    plan.save(tmp_path / "plan.json")
    loaded = Plan.load(tmp_path / "plan.json")
    assert loaded == replace(plan, runtime_s=round(plan.runtime_s, 6))
    assert plan_document(loaded) == json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))


def test_a_loaded_plan_is_verified_explained_and_begun_with(tmp_path):
    solve("lenet-c").save(tmp_path / "plan.json")
    loaded = Plan.load(str(tmp_path / "plan.json"))
    assert verify("lenet-c", loaded).outcome == "confirmed"
    assert explain("lenet-c", loaded).breakdown.total == 17_603_040
    assert solve("lenet-c", start=loaded.strategies).objective == loaded.objective


BROKEN = {
    "another schema": ({"schema": "hypar-opt/plan/2"}, "2: schema: expected 'hypar-opt/plan/1', got 'hypar-opt"),
    "a cost that is inexact": ({"objective": "0x12"}, "12: objective: expected an exact number"),
    "another field": ({"plann": {}}, "plann: unknown field 'plann'; did you mean 'plan'?"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BROKEN.values(), ids=BROKEN)
def test_plan_files_are_read_strictly(change, message, tmp_path):
    """With the same message whoever reads them."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan_document(solve("lenet-c")) | change, indent=1), encoding="utf-8")
    for read in (Plan.load, read_claim):
        with pytest.raises(InputError) as error:
            read(path)
        assert message in str(error.value)
        assert str(error.value).startswith(f"{path}:")


def test_statistics_of_kinds_that_none_has_are_left_out(tmp_path):
    path = tmp_path / "plan.json"
    solve("lenet-c", "joint-dp").save(path)
    told = json.loads(path.read_text()) | {"statistics": {"a": None, "b": [1], "c": 2, "d": 0.5}}
    path.write_text(json.dumps(told))
    assert Plan.load(path).statistics == {"c": 2, "d": 0.5}
    assert verify("lenet-c", path).outcome == "confirmed"
