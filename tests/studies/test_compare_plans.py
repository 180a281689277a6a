"""compare_plans(): what two plans differ in, and that the differences add up to the last byte."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import product
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import document, each, instance_of, linear_chain, problem_of

import hypar_opt
from hypar_opt.evaluation.legality import allowed_words
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import Instance
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.amounts import PlanAmount
from hypar_opt.studies.compare_plans import compare_plans
from hypar_opt.util.errors import InputError
from tests.solver.test_memory import kept_by_all, with_capacity
from tests.solver.test_objectives import all_plans, small_problem

COSTS = [
    {},
    {"objective": "time"},
    {"objective": "time=1,energy=0.1"},
    {"objective": "product:time,energy"},
    {"objective": "lexicographic:energy,time"},
    {"objective": "hop-bytes=2,communication=1"},
]


def with_words(problem, plan, words):
    """Return the plan that some words are, as its file would claim it."""
    breakdown = problem.bytes_of(words)
    objective = problem.objective_of(breakdown)
    placed = problem.placed
    names = None if placed is None else tuple(problem.instance.machine.accelerators[site] for site in placed)
    return replace(
        plan, status=Status.FEASIBLE, bound=None, strategies=words, communication_bytes=breakdown.total,
        objective=objective, costs={}, placement=names,
    )  # fmt: skip


def shuffled(problem, rng, name, known):
    """Return one of a layer's allowed words, its letters in any order unless it is given."""
    word = rng.choice(known)
    return word if name in problem.rules.fix else "".join(rng.sample(word, len(word)))


def random_plans(problem, rng, count=2):
    """Return random plans of a problem, or None where it has none."""
    allowed = {layer.name: list(allowed_words(layer, problem.rules)) for layer in problem.work.layers}
    if not all(allowed.values()):
        return None
    plan = solve(problem, "joint-dp" if problem.objective.kind == "sum" else None)
    words = [{name: shuffled(problem, rng, name, known) for name, known in allowed.items()} for _ in range(count)]
    return [with_words(problem, plan, one) for one in words]


def check_sums(problem, first, second):
    found = compare_plans(first, second, problem)
    whole = problem.objective_of(problem.bytes_of(second.strategies)) - problem.objective_of(
        problem.bytes_of(first.strategies)
    )
    bytes_more = second.communication_bytes - first.communication_bytes
    parts = reduce(PlanAmount.plus, (one.more for one in found.changes), found.interaction)
    assert (found.more.bytes, found.more.objective) == (bytes_more, whole)
    assert parts == found.more
    assert sum(one.bytes for one in found.boundaries) == found.interaction.bytes
    differing = {name for name, word in first.strategies.items() if second.strategies[name] != word}
    assert {one.name for one in found.changes} == differing
    for one in found.changes:
        alone = problem.bytes_of({**first.strategies, one.name: second.strategies[one.name]})
        assert one.more.bytes == alone.total - first.communication_bytes
        assert one.more.objective == problem.objective_of(alone) - problem.objective_of(
            problem.bytes_of(first.strategies)
        )
        assert [h for h in one.levels if one.first[h - 1] == one.second[h - 1]] == []
    sizes = [(abs(one.more.objective), abs(one.more.bytes)) for one in found.changes]
    assert sizes == sorted(sizes, reverse=True)


@each("seed", range(7000, 7040))
def test_the_parts_add_up_to_the_difference(seed):
    problem = problem_of(random_document(seed, most_layers=6))
    plans = random_plans(problem, Random(seed))
    if plans is not None:
        check_sums(problem, *plans)


@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_they_add_up_in_any_objective(cost):
    instance = instance_of(document(linear_chain(8, 6, 4), [16], batch=16, levels=4))
    problem = NetworkProblem(instance.replace(array="hypar-16", **cost))
    for seed in range(3):
        check_sums(problem, *random_plans(problem, Random(seed)))


def test_a_plan_and_itself_do_not_differ():
    plan = solve("lenet-c", "joint-dp")
    found = compare_plans(plan, plan)
    assert (found.changes, found.more.bytes, found.boundaries) == ((), 0, ())
    assert list(found.to_frame()["kind"]) == ["interaction", "total"]


def test_a_placement_is_a_change_of_its_own():
    instance = hypar_opt.load("lenet-c", array="torus-16", objective="hop-bytes")
    best, other = solve(instance, "joint-enumeration"), solve(instance, "identity")
    found = compare_plans(best, other, instance)
    assert best.strategies == other.strategies
    assert [(one.kind, one.more.objective, one.more.bytes) for one in found.changes] == [
        ("placement", other.objective - best.objective, 0)
    ]
    assert found.interaction.objective == 0


def test_a_frame_has_a_row_a_change_and_what_makes_them_add_up():
    best, other = solve("lenet-c", "joint-dp"), solve("lenet-c", "data-parallel")
    frame = hypar_opt.compare_plans(best, other).to_frame()
    assert list(frame.columns) == ["kind", "name", "first", "second", "levels", "bytes", "objective"]
    assert set(frame["name"]) == {"fc1", "fc2", ""}
    (total,) = frame[frame["kind"] == "total"]["bytes"]
    assert (
        frame[frame["kind"] != "total"]["bytes"].sum() == total == other.communication_bytes - best.communication_bytes
    )


def test_a_change_that_alone_does_not_fit_into_the_memory_says_so():
    roomy = small_problem(202, "time")
    plans = [strategies for strategies, _ in all_plans(roomy)]
    problem = with_capacity(roomy, kept_by_all(roomy)[3])
    plan, said = solve(problem, "cp-sat"), set()
    fitting = [with_words(problem, plan, one) for one in plans if problem.overflow(one) is None]
    for first, second in product(fitting, repeat=2):
        for one in compare_plans(first, second, problem).changes:
            alone = {**first.strategies, one.name: second.strategies[one.name]}
            assert one.fault == (problem.overflow(alone) or "")
            said.add(bool(one.fault))
    assert said == {True, False}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instance": "sfc"}, "instance: is a plan of 'sfc', and the plan is one of 'lenet-c'"),
        ({"instance_sha256": "f" * 64}, "instance_sha256: is a plan of another version of 'lenet-c' than the plan"),
        (
            {"overrides": {"batch": 4}},
            "overrides: cannot be compared with the plan: batch 4, there 256; what may differ is obj",
        ),
        ({"strategies": {"conv1": "dddd"}}, "plan: the plan has no strategy for layers"),
    ],
)
def test_what_does_not_belong_together_is_named(change, message):
    plan = solve("lenet-c", "joint-dp")
    with pytest.raises(InputError, match=message):
        compare_plans(plan, replace(plan, **change))


def test_a_file_s_instance_has_to_be_given():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    plan = solve(problem, "joint-dp")
    with pytest.raises(InputError, match="'of-a-test', which is no shipped instance; name its file, as INSTANCE"):
        compare_plans(plan, plan)
    assert compare_plans(plan, plan, problem).changes == ()


LIMITED = {
    "bounds": ({"objective": "time"}, {"objective": "time", "at_most": "communication=1e10"}),
    "one bound and another": ({"at_most": "communication=1e10"}, {"at_most": "communication=2e10,time=1e9"}),
    "objectives": ({"objective": "time"}, {"objective": "product:time,energy"}),
    "bytes and time": ({}, {"objective": "time"}),
    "order": ({"objective": "lexicographic:energy,time"}, {"objective": "hop-bytes=2,communication=1"}),
    "kept": ({"objective": "energy"}, {"objective": "energy", "fix": {"fc1": "m..."}}),
}
"""Overrides of two problems that differ in what is wanted of a plan."""


@pytest.mark.parametrize("name", LIMITED)
def test_of_two_problems_every_component_adds_up(name):
    base = instance_of(document(linear_chain(8, 6, 4), [16], batch=16, levels=4)).replace(array="hypar-16")
    problems = [NetworkProblem(base.replace(**one)) for one in LIMITED[name]]
    for seed in range(3):
        plans = [random_plans(problem, Random(seed), 1)[0] for problem in problems]
        found = compare_plans(*plans, base)
        assert {one.field.split(".")[0].split("[")[0] for one in found.differing} <= {"objective", "subject_to", "fix"}
        assert found.differing
        assert {"communication", "time", "energy"} <= set(found.components)
        for problem, plan, amount in zip(problems, plans, found.amounts, strict=True):
            known = problem.costs(problem.bytes_of(plan.strategies), problem.instance.placement)
            assert all(amount.costs[name] == known[name] for name in found.components)
        for problem, (first, second) in zip(problems, found.objectives.values(), strict=False):
            assert second - first == problem.combined(found.amounts[1].costs) - problem.combined(found.amounts[0].costs)
        parts = reduce(PlanAmount.plus, (one.more for one in found.changes), found.interaction)
        assert parts == found.more
        for one in found.changes:
            alone = problems[0].bytes_of({**plans[0].strategies, one.name: plans[1].strategies[one.name]})
            costs = problems[0].costs(alone, base.placement)
            assert all(costs[name] - found.amounts[0].costs[name] == more for name, more in one.more.costs.items())
            assert bool(one.fault) == bool(problems[0].fault_of(alone.strategies))


def test_whether_a_plan_is_one_of_the_other_s_problem():
    free, limited = {"array": "hypar-16", "objective": "energy"}, {"at_most": "communication=2.822e9"}
    plans = [hypar_opt.solve(hypar_opt.load("vgg-e", **free, **more)) for more in ({}, limited)]
    found = compare_plans(*plans)
    assert [(one.field, one.first, one.second) for one in found.differing] == [
        ("subject_to.communication", None, 2_822_000_000)
    ]
    bytes_of_first = plans[0].communication_bytes
    assert found.faults == (f"the plan's communication is {bytes_of_first:,} B, above 2,822,000,000", "")
    assert found.more.costs["energy"] == plans[1].objective - plans[0].objective > 0
    assert found.more.costs["communication"] < 0
    assert compare_plans(*reversed(plans)).faults == found.faults[::-1]


def test_an_instance_made_here_is_read_with_each_plan_s_overrides():
    base = Instance.from_dict(document(linear_chain(8, 6, 4), [16], batch=16, levels=4))
    kept = base.replace(fix={"fc1": "m..."})
    plans = [solve(one, "joint-dp") for one in (base, kept)]
    assert [one.field for one in compare_plans(*plans, base).differing] == ["fix.fc1"]
    with pytest.raises(InputError, match=r"was made with overrides {}, the instance was read with {'fix'"):
        compare_plans(*plans, kept)  # which no file says without what is fixed


def test_of_an_instance_from_a_file_either_may_be_given():
    base = hypar_opt.load("lenet-c")
    kept = base.replace(fix={"fc1": "m..."})
    plans = [solve(one, "joint-dp") for one in (base, kept)]
    found = [compare_plans(*plans, one) for one in (None, base, kept, NetworkProblem(kept))]
    assert {one.more.bytes for one in found} == {plans[1].communication_bytes - plans[0].communication_bytes}


def test_a_field_of_a_mapping_is_named_with_both_values():
    plans = [
        solve(hypar_opt.load("lenet-c", array={"topology": "h-tree", "levels": levels}), "joint-dp")
        for levels in (3, 4)
    ]
    with pytest.raises(InputError, match=r"cannot be compared with the plan: array.levels 4, there 3; what may differ"):
        compare_plans(*plans)
    other = solve(hypar_opt.load("lenet-c", array="torus-16"), "joint-dp")
    with pytest.raises(
        InputError, match=r"array.topology 'torus', there 'h-tree'; .*; \d more fields; what may differ"
    ):
        compare_plans(plans[0], other)


def test_where_a_plan_stands_nowhere_its_links_are_not_compared():
    placed = hypar_opt.load("lenet-c", array="torus-16", objective="hop-bytes", placement="free")
    plans = [solve(placed, "joint-enumeration"), solve(hypar_opt.load("lenet-c", array="torus-16", placement="free"))]
    with pytest.raises(InputError, match="stands nowhere in the array, and hop-bytes, which an objective asks for"):
        compare_plans(*plans)


def test_a_decided_placement_against_a_given_one():
    placed = [
        hypar_opt.load("lenet-c", array="torus-16", objective="hop-bytes", placement=one)
        for one in ("free", "identity")
    ]
    plans = [solve(placed[0], "joint-enumeration"), solve(placed[1], "data-parallel")]
    found = compare_plans(*plans)
    assert [one.field for one in found.differing] == ["array.placement"]
    assert found.more.costs["hop-bytes"] == plans[1].objective - plans[0].objective
    assert "placement" in {one.kind for one in found.changes}


def test_points_of_a_front_are_compared_by_what_it_trades():
    front = hypar_opt.pareto_front(hypar_opt.load("vgg-e", array="hypar-16"), ["time", "energy"])
    first, last = front.points[0], front.points[-1]
    found = compare_plans(first, last)
    assert found.components == ("time", "energy")
    traded = dict(zip(front.components, zip(first.values, last.values, strict=True), strict=True))
    assert {name: found.more.costs[name] for name in found.components} == {
        name: after - before for name, (before, after) in traded.items()
    }
    frame = found.to_frame()
    assert list(frame.columns)[-3:] == ["objective", "time_s", "energy_J"]
    assert frame["energy_J"].iloc[-1] == last.values[1] - first.values[1]
    assert compare_plans(first.plan, last.plan).components == ()
