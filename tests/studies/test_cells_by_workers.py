"""Studies whose cells are solved by workers: the same tables, whoever solves."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from threading import Event as Flag

import pytest
from helpers import document, instance_of, linear_chain
from mixed_documents import random_mixed_document
from workers_here import Here

from hypar_opt.executor import EngineSpec, KilledWorkers, open_workers
from hypar_opt.executor.process import STOP
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.read import load
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import plan_document
from hypar_opt.studies import cell_pieces
from hypar_opt.studies.cell_pieces import (
    DamagedAnswer,
    SealedAnswer,
    SolvePiece,
    attempt,
    kept_problem,
    packed,
    solve_piece,
)
from hypar_opt.studies.collectives import times_over_sizes
from hypar_opt.studies.compare import compare, failures
from hypar_opt.studies.compare_arrays import compare_arrays


def written(plan):
    """Return a plan as its file has it, but for times."""
    if plan is None:
        return None
    found = plan_document(plan) | {"runtime_s": 0}
    found.pop("improvements", None)
    found["statistics"] = {name: one for name, one in found["statistics"].items() if not name.endswith("_s")}
    return json.dumps(found)


def rows(cells):
    """Return what cells say, but for times."""
    return [(replace(one, plan=None), written(one.plan)) for one in cells]


EVERY_KIND = {
    "lenet-c": "joint-dp",
    "gpt2-block": "joint-dp",
    "six-tasks": "task-cp-sat",
    "ring-4": "ring",
    "dgx-1-trees": "forestcoll",
    "five-devices": "pipeline-equal",
}


@pytest.mark.slow
def test_the_table_is_the_same_of_every_kind_of_problem():
    read = [load(name) for name in EVERY_KIND]
    names = list(dict.fromkeys(EVERY_KIND.values()))
    limits = Limits(workers=1)  # threads that search beside each other find another of several optima each time
    assert rows(compare(read, names, limits=limits, workers=Here())) == rows(compare(read, names, limits=limits))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_the_table_is_the_same_whoever_solves(count):
    read, names = [load(name) for name in ("lenet-c", "ring-4")], ["joint-dp", "ring"]
    heard = []
    with open_workers(EngineSpec("local", count), Limits()) as workers:
        found = compare(read, names, workers=workers, on_cell=heard.append)
    assert rows(found) == rows(compare(read, names))
    assert sorted(map(id, heard)) == sorted(map(id, found))


def chain(**fields):
    return instance_of(document(linear_chain(8), [8], batch=6, levels=2, choices=["dp", "mp"]) | fields)


def sent(problem):
    found = pickle.loads(packed(problem))
    return {*vars(found)}, {*vars(found.instance)}


@pytest.mark.parametrize(
    ("name", "formulation"),
    [
        (None, "joint-dp"),
        ("six-tasks", "task-list-tail"),
        ("instances/strategy_graphs/five-operators.json", "joint-dp"),
    ],
)
def test_a_piece_has_nothing_that_was_computed(name, formulation):
    problem = problem_of(chain() if name is None else load(name)).within(Limits())
    before = sent(problem)
    assert compare([problem], [formulation], limits=Limits(workers=1))[0].plan.objective is not None
    assert {*vars(problem), *vars(problem.instance)} > {*before[0], *before[1]}
    assert sent(problem) == before


def test_weights_that_a_problem_alone_was_given_travel_with_it():
    machine = {"array": "hypar-16", "accounting": "as-evaluated", "levels": 2}
    problem = problem_of(load("lenet-c", **machine)).weighed({"time": Fraction(10**6), "energy": Fraction(1)})
    assert rows(compare([problem], ["joint-dp"], workers=Here())) == rows(compare([problem], ["joint-dp"]))


@pytest.mark.parametrize(
    "other",
    [{"batch": 12}, {"name": "other"}, {"subject_to": {"communication": 0}}, {"fix": {"fc1": "d."}}],
    ids=str,
)
def test_what_is_kept_is_of_one_instance(other):
    limits, one, two = Limits(stop=STOP), packed(problem_of(chain())), packed(problem_of(chain(**other)))
    first = kept_problem(one, limits)
    assert kept_problem(one, limits) is first
    assert kept_problem(two, limits).instance == pickle.loads(two).instance
    again = kept_problem(one, limits)
    assert again is not first
    assert again.instance == first.instance


@pytest.mark.parametrize(
    "limits",
    [{"seed": 1}, {"workers": 1}, {"memory_bytes": 1000}, {"deadline": 1e9}],
    ids=lambda given: next(iter(given)),
)
def test_what_is_kept_is_for_the_same_limits(limits):
    usual, one = Limits(stop=STOP), packed(problem_of(chain()))
    first = kept_problem(one, usual)
    other = kept_problem(one, replace(usual, **limits))
    assert other is not first


def test_what_is_presolved_until_a_deadline_is_not_kept():
    limits, one = Limits(stop=STOP).within(1000), packed(problem_of(chain()))
    assert kept_problem(one, limits) is not kept_problem(one, limits)
    assert cell_pieces._kept is None


def test_what_a_call_with_a_flag_of_its_own_compiles_is_kept_for_nobody():
    one = packed(problem_of(chain()))
    kept_problem(one, Limits(stop=STOP))
    first = kept_problem(one, Limits(stop=Flag()))
    assert cell_pieces._kept is None
    assert kept_problem(one, Limits(stop=STOP)) is not first


PIECE = SolvePiece(packed(problem_of(chain())), "joint-dp", None)


def test_an_answer_comes_back_as_it_was():
    sealed = solve_piece(PIECE, Limits())
    plan, refusal = sealed.opened(PIECE)
    assert written(plan) == written(compare([pickle.loads(PIECE.problem)], ["joint-dp"])[0].plan)
    assert refusal == ""


@pytest.mark.parametrize("other", [{"formulation": "hypar-dp"}, {"time_limit_s": 3.0}, {"problem": b"other"}], ids=str)
def test_an_answer_to_another_piece_is_none(other):
    sealed = solve_piece(PIECE, Limits())
    with pytest.raises(DamagedAnswer):
        sealed.opened(replace(PIECE, **other))


def better(result):
    """Change what a worker returns on its way: a plan that is not proven to be optimal becomes one that is."""
    [one], seconds = result
    changed = SealedAnswer(
        one.answer.replace(b"FEASIBLE", b"OPTIMAL", 1).replace(b"\x08FEASIBLE", b"\x07OPTIMAL"), one.seal
    )
    assert changed != one
    return [changed], seconds


def test_what_is_changed_on_its_way_is_an_error_and_no_optimum():
    [cell] = found = compare([chain()], ["hypar-dp"], workers=Here(better))
    assert cell.plan.status is Status.ERROR
    assert failures(found) == [
        "of-a-test, hypar-dp: what came back from its worker is damaged, or answers something else"
    ]


def dying(result):
    raise KilledWorkers("3 processes died while they ran it")


def test_a_solve_that_kills_its_workers_is_a_row_with_its_reason():
    named = load("sfc", batch=32)
    [cell] = found = compare([named], ["joint-dp"], workers=Here(dying))
    assert cell.plan.status is Status.ERROR
    [said] = failures(found)
    assert said.startswith("sfc, joint-dp: set aside: 3 processes died while they ran it; the instance is ")
    assert said.endswith("sfc.yaml, with batch 32")


def test_a_stop_leaves_what_is_solved():
    limits = Limits()
    found = compare(
        [chain()], ["joint-dp", "hypar-dp"], limits=limits, workers=Here(), on_cell=lambda _: limits.stop.set()
    )
    assert 1 <= len(found) <= 2


def mixed():
    return instance_of(random_mixed_document(3, objective="communication"))


KINDS = {
    "network": {"instance": "lenet-c", "names": ["joint-dp", "hypar-dp", "milp-highs"]},
    "placed": {"instance": "lenet-c", "names": [None], "array": "torus-16", "levels": 2, "objective": "comm-time"},
    "mixed": {"instance": mixed(), "names": ["joint-dp", "equal-halves", "shares-by-rate"]},
    "strategy-graph": {"instance": "instances/strategy_graphs/five-operators.json", "names": ["joint-dp", "cp-sat"]},
    "no plan": {"instance": "instances/strategy_graphs/too-little-memory.json", "names": ["cp-sat"]},
    "pipeline": {"instance": "five-devices", "names": ["pipeline-equal", "hypar-dp"]},
    "collective": {"instance": "ring-4", "names": ["ring", "joint-dp"]},
    "packing": {"instance": "dgx-1-trees", "names": ["forestcoll"]},
    "task-graph": {"instance": "six-tasks", "names": ["task-brute-force", "task-list-tail"]},
    "staged": {
        "instance": "sfc",
        "names": ["submesh-dp"],
        "array": "hypar-16",
        "objective": "time",
        "levels": 1,
        "microbatches": 2,
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_pieces_have_the_same_answers_in_any_order(kind):
    given, limits = dict(KINDS[kind]), Limits(workers=1)
    name, names = given.pop("instance"), given.pop("names")
    problem = problem_of(load(name, **given) if isinstance(name, str) else name).within(limits)
    one, answers = packed(problem), {}
    for formulation in (*names, *reversed(names)):
        piece = SolvePiece(one, formulation, None)
        answer = solve_piece(piece, limits).opened(piece)
        assert answers.setdefault(formulation, written(answer[0])) == written(answer[0])
        plan, refusal = attempt(problem, formulation, limits, None)
        assert (written(plan), refusal) == (written(answer[0]), answer[1])


def test_arrays_are_compared_by_workers():
    asked = (["lenet-c"], ["h-tree-16", "ring-16"])
    overrides = {"levels": 1}
    found = compare_arrays(*asked, overrides=overrides, workers=Here())
    assert rows(found) == rows(compare_arrays(*asked, overrides=overrides))


@pytest.mark.parametrize("goal", ["steps", "time"])
def test_sizes_are_compared_by_workers(goal):
    ring = replace(load("ring-4"), goal=goal)
    asked = (ring, [1024, 4096], ["ring", "hypar-dp"])
    assert times_over_sizes(*asked, workers=Here()) == times_over_sizes(*asked)


def test_every_solve_is_counted():
    events = []
    compare([chain()], ["joint-dp", "hypar-dp"], workers=Here(), listener=events.append)
    assert {event.kind for event in events} == {"progress"}
    assert (events[-1].progress.done, events[-1].progress.total) == (2, 2)


def test_a_deadline_of_all_ends_the_run():
    assert compare([chain()], ["joint-dp"], limits=Limits().within(0), workers=Here()) == []


def test_the_limit_of_a_solve_begins_with_it():
    asked = SolvePiece(PIECE.problem, "joint-dp", 0.0)
    plan, _ = solve_piece(asked, Limits()).opened(asked)
    assert plan.status is Status.NO_SOLUTION


def test_a_stop_while_operators_are_compiled_is_a_cell_and_no_error_of_the_run():
    limits = Limits(stop=Flag())
    limits.stop.set()
    piece = SolvePiece(packed(problem_of(load("gpt2-block", batch=8))), "joint-dp", None)
    plan, _ = solve_piece(piece, limits).opened(piece)
    assert plan.status is Status.NO_SOLUTION
