"""Sections of a report that workers find: the same as without them, or missing for a reason that is told."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from helpers import document, instance_of, linear_chain
from workers_here import Here

from hypar_opt import load
from hypar_opt.executor import EngineSpec, KilledWorkers, open_workers
from hypar_opt.formulation.run import Limits
from hypar_opt.report.content import gather
from hypar_opt.report.content.content import SECTIONS
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.content.section_pieces import SectionPiece, answered, find_piece, given_of
from hypar_opt.studies.cell_pieces import DamagedAnswer, packed

ARRAY = "hypar-row-stationary-16"
LIMITS = Limits(workers=1)


def timeless(value):
    """Return a value as plain data, without times and without the problem that it is of."""
    if is_dataclass(value):
        names = [one.name for one in fields(value) if one.name not in ("problem", "runtime_s")]
        return type(value).__name__, {name: timeless(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {name: timeless(one) for name, one in value.items() if not str(name).endswith("_s")}
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [timeless(one) for one in value] if isinstance(value, (tuple, list)) else value


def gathered(instance, formulation, **how):
    (subject,), faults = gather([instance], [formulation], limits=LIMITS, **how)
    return subject, faults


QUICK = ("no front", "given strategies", "no levels")
GIVEN = {
    "all": ("lenet-c", {"array": ARRAY, "levels": 2}, "joint-dp"),
    "no front": ("sfc", {"levels": 1}, "joint-dp"),
    "given strategies": ("sfc", {"levels": 1, "fix": {"fc1": "m"}}, "hypar-dp"),
    "no levels": ("sfc", {"levels": 0}, "joint-dp"),
    "a product": ("sfc", {"array": ARRAY, "levels": 1, "objective": "product:time,energy"}, "joint-dp"),
    "operators": ("gpt2-block", {"array": "a100-2x8", "batch": 16}, "data-parallel"),
    "a pipeline": ("five-devices", {}, "pipeline-equal"),
    "no plan": ("five-devices", {}, "hypar-dp"),
}


@pytest.mark.parametrize(
    "case", [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in GIVEN if one not in QUICK)]
)
def test_sections_are_the_same_whoever_finds_them(case):
    name, overrides, formulation = GIVEN[case]
    instance = load(name, **overrides)
    found, faults = gathered(instance, formulation, workers=Here())
    expected, none = gathered(instance, formulation)
    assert timeless(found) == timeless(expected)
    assert faults == none == ()
    if case == "all":
        assert found.front.points and found.scaling and found.exploration and found.regrets
        assert found.exploration.space.problem is found.problem
        assert found.regrets.named is found.best


@pytest.mark.slow
def test_sections_of_two_kinds_come_back_from_a_process():
    names = ("all", "a pipeline")
    read = [load(GIVEN[name][0], **GIVEN[name][1]) for name in names]
    asked = {"formulations": ["joint-dp", "pipeline-equal"], "limits": LIMITS, "sections": ["front", "regrets"]}
    with open_workers(EngineSpec("local", 1), LIMITS) as workers:
        found, faults = gather(read, workers=workers, **asked)
    assert timeless(found) == timeless(gather(read, **asked)[0])
    assert faults == ()
    assert found[0].front.points and found[0].regrets.named is found[0].best and found[1].regrets


def test_sections_that_are_not_wanted_are_not_looked_for():
    handed = []
    workers = Here(lambda result: handed.append(result) or result)
    found, _ = gathered(load("sfc", levels=1), "hypar-dp", workers=workers, sections=["regrets"])
    assert len(handed) == 2  # a solve and a section
    assert {name for name, why in found.missing.items() if why == "not asked for"} == {*SECTIONS} - {"regrets"}


def piece_of(subject, name="front", time_limit_s=None):
    given = given_of(subject, KINDS[subject.kind].sections[name])
    return SectionPiece(packed(subject.problem), name, given, time_limit_s)


@pytest.fixture(scope="module")
def subject():
    return gathered(load("lenet-c", array=ARRAY, levels=2), "hypar-dp", sections=())[0]


def test_sizes_of_the_array_are_read_where_the_report_is_made(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(document(linear_chain(8, 8), [8], batch=4, levels=1)), encoding="utf-8")
    own, _ = gathered(load(str(path), levels=1), "hypar-dp", sections=())
    piece = piece_of(own, "scaling")
    path.unlink()
    found, why = answered(find_piece(pickle.loads(pickle.dumps(piece)), LIMITS), piece, own)
    assert why == ""
    assert {point.accelerators for point in found} == {1, 2, 4, 8, 16, 32, 64}


@pytest.mark.parametrize("name", ["exploration", "regrets"])
def test_what_was_sent_is_not_sent_back(subject, name):
    piece = piece_of(subject, name)
    answer = find_piece(piece, LIMITS)
    assert len(answer.answer) < len(piece.problem)
    assert b"NetworkProblem" in piece.problem
    assert b"NetworkProblem" not in answer.answer


@pytest.mark.parametrize(
    "other", [{"name": "scaling"}, {"given": b"other"}, {"problem": b"other"}, {"time_limit_s": 3.0}], ids=str
)
def test_an_answer_to_another_piece_is_none(subject, other):
    piece = piece_of(subject, "regrets")
    answer = find_piece(piece, LIMITS)
    with pytest.raises(DamagedAnswer):
        answered(answer, replace(piece, **other), subject)


def test_the_limit_of_a_section_begins_with_it(subject):
    piece = piece_of(subject, time_limit_s=0.0)
    front, why = answered(find_piece(piece, LIMITS), piece, subject)
    assert why == "stopped by the limit" or not front.complete


def only_sections(change):
    """Return workers of which something else comes back, but for the first piece, which is the solve."""
    seen = []

    def changed(result):
        seen.append(result)
        return change(result) if len(seen) > 1 else result

    return Here(changed)


def dying(_):
    raise KilledWorkers("3 processes died while they ran it")


def better(result):
    """Change an answer on its way: what is no more than a fraction of the regrets."""
    [one], seconds = result
    changed = replace(one, answer=one.answer.replace(b"fc2", b"fc1"))
    assert changed != one
    return [changed], seconds


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (dying, "set aside: 3 processes died while they ran it; the instance is "),
        (better, "what came back from its worker is damaged, or answers something else"),
    ],
    ids=["killed", "changed"],
)
def test_what_does_not_come_back_whole_is_missing_and_a_fault(change, why):
    how = {"workers": only_sections(change), "sections": ["regrets"]}
    found, faults = gathered(load("sfc", levels=1), "hypar-dp", **how)
    assert found.regrets is None
    assert found.missing["regrets"].startswith(why)
    assert [one.startswith(f"sfc, regrets: {why}") for one in faults] == [True]
    assert found.plans and found.baseline is not None


def test_a_stop_leaves_out_what_is_not_found():
    limits = Limits(workers=1)
    (subject,), faults = gather(
        [load("sfc", levels=1)], ["hypar-dp"], limits=limits, workers=Here(), on_cell=lambda _: limits.stop.set()
    )
    assert subject.plans
    assert {subject.missing[name] for name in SECTIONS} == {"stopped by the limit"}
    assert faults == ()


def test_every_section_is_counted():
    events = []
    gathered(load("sfc", levels=1), "hypar-dp", workers=Here(), listener=events.append)
    told = [event.progress for event in events if event.kind == "progress" and event.source == "report"]
    assert {(one.unit, one.total) for one in told} == {("sections", 4)}
    assert told[-1].done == 4


def test_large_instances_go_first_and_what_takes_longest_of_each():
    asked = []

    class Listing(Here):
        def submit(self, fn, function, batch, *rest):
            sections = [one for one in batch if isinstance(one, SectionPiece)]
            asked.extend((pickle.loads(one.problem).instance.name, one.name) for one in sections)
            return super().submit(fn, function, batch, *rest)

    small, large = instance_of(document(linear_chain(8), [8], batch=4, levels=1)), load("sfc", levels=1)
    gather([small, large], ["hypar-dp"], limits=LIMITS, workers=Listing(), sections=["exploration", "regrets"])
    assert asked == [(name, one) for name in ("sfc", "of-a-test") for one in ("exploration", "regrets")]


def test_costs_are_exact_on_the_way(subject):
    piece = piece_of(subject)
    front, _ = answered(find_piece(piece, LIMITS), piece, subject)
    assert {type(value) for point in front.points for value in point.values} == {Fraction}
