"""solve() recomputes what a formulation says, and refuses what does not hold."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from helpers import document, instance_of, linear_chain, problem_of

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal

# d costs 8 x 64 bytes, m, the optimum, 8 x 32
SMALL = document(linear_chain(8), [8], batch=4)
EXACT = Capabilities(exact=True)


@dataclass(frozen=True)
class Fake:
    """A formulation that answers with what it is given."""

    answer: Any
    name: str = "fake"
    summary: str = "for a test"
    capabilities: Capabilities = EXACT
    refusal: str | None = None

    def accepts(self, graph, run):
        return self.refusal

    def solve(self, graph, run):
        return self.answer(graph, run) if callable(self.answer) else self.answer


def answered(plug_in, answer, whole=SMALL, **options):
    return solve(instance_of(whole), plug_in(Fake(answer)), **options)


def test_a_true_claim_is_kept(plug_in):
    plan = answered(plug_in, Solution(Status.OPTIMAL, (1,), 256, "proven"))
    assert (plan.status, plan.native_status) == ("OPTIMAL", "proven")
    assert (plan.strategies, plan.communication_bytes, plan.bound) == ({"fc1": "m"}, 256, 256)


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        (Solution(Status.OPTIMAL, (1,), 255), "claims OPTIMAL with cost 256 and bound 255"),
        (Solution(Status.OPTIMAL, (1,), None), "claims OPTIMAL with cost 256 and bound None"),
        (Solution(Status.OPTIMAL, (0,), 256), "claims OPTIMAL with cost 512 and bound 256"),
        (Solution(Status.FEASIBLE, (1,), 257), "the bound 257 is above the plan's cost 256"),
        (Solution(Status.OPTIMAL, (1,), 257), "the bound 257 is above the plan's cost 256"),
    ],
    ids=["bound-below", "no-bound", "value-of-another-plan", "bound-above", "optimal-bound-above"],
)
def test_a_false_claim_is_an_error(plug_in, solution, fault):
    plan = answered(plug_in, solution)
    assert (plan.status, plan.native_status, plan.bound) == ("ERROR", fault, None)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"fix": {"fc1": "m"}}, "layer 'fc1' has 'd', the instance gives 'm'"),
        ({"batch": 3, "splits": "divisible"}, "layer 'fc1' has 'd', and its batch of 3 does not divide by 2"),
    ],
    ids=["given-strategy", "split"],
)
def test_a_plan_that_is_not_allowed_is_an_error(plug_in, change, fault):
    whole = document(linear_chain(8), [8], **{"batch": 4, **change})
    cost = problem_of(whole).graph.value((0,))
    plan = answered(plug_in, Solution(Status.OPTIMAL, (0,), cost), whole)
    assert (plan.status, plan.native_status) == ("ERROR", fault)


def test_a_cost_model_that_the_boxes_contradict_is_an_error(plug_in, monkeypatch):
    problem = problem_of(SMALL)
    wrong = problem_of(document(linear_chain(8), [8], batch=5)).graph
    monkeypatch.setitem(problem.__dict__, "graph", wrong)
    plan = solve(problem, plug_in(Fake(Solution(Status.OPTIMAL, (1,), 320))))
    assert (plan.status, plan.native_status) == ("ERROR", "the boxes give 256, the cost model 320")


def test_whatever_it_raises_becomes_an_error_with_its_text(plug_in):
    def fail(graph, run):
        raise KeyError("lost")

    plan = answered(plug_in, fail)
    assert (plan.status, plan.native_status, plan.strategies) == ("ERROR", "KeyError: 'lost'", None)


def test_errors_for_the_user_pass_through(plug_in):
    def refuse(graph, run):
        raise Refusal("too large after all")

    with pytest.raises(Refusal, match="too large after all"):
        answered(plug_in, refuse)


@pytest.mark.parametrize(
    "answer",
    [lambda graph, run: None, Solution(Status.OPTIMAL, (), 0), Solution(Status.OPTIMAL, (3,), 256)],
    ids=["nothing", "too-few-choices", "a-choice-that-is-not-there"],
)
def test_an_answer_of_another_kind_is_an_error(plug_in, answer):
    assert answered(plug_in, answer).status == "ERROR"


def test_a_formulation_that_waits_is_stopped_by_the_deadline(plug_in):
    def wait(graph, run):
        run.limits.stop.wait(run.limits.remaining_s())
        return Solution(Status.NO_SOLUTION, native_status="told to stop")

    plan = answered(plug_in, wait, limits=Limits(deadline=time.monotonic() + 0.2))
    assert (plan.status, plan.native_status) == ("NO_SOLUTION", "told to stop")


@pytest.mark.parametrize(("tell", "status"), [(True, "FEASIBLE"), (False, "NO_SOLUTION")])
def test_a_formulation_that_does_not_stop_is_left_with_its_best_incumbent(plug_in, monkeypatch, tell, status):
    monkeypatch.setattr("hypar_opt.solver.threads.GRACE_S", 0.2)

    def hang(graph, run):
        if tell:
            run.incumbent(512, (0,))
            run.incumbent(256, (1,))
            run.incumbent(512, (0,))
        time.sleep(3)
        return Solution(Status.OPTIMAL, (1,), 256)

    limits = Limits()
    limits.stop.set()
    plan = answered(plug_in, hang, limits=limits)
    assert (plan.status, plan.bound) == (status, None)
    assert plan.communication_bytes == (256 if tell else None)


def test_the_start_reaches_the_formulation_as_choices(plug_in):
    plan = answered(plug_in, lambda graph, run: Solution(Status.FEASIBLE, run.start), start={"fc1": "m"})
    assert plan.strategies == {"fc1": "m"}


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({}, "plan: the plan has no strategy for layer 'fc1'"),
        ({"fc1": "d", "fc2": "d"}, "the plan has a layer 'fc2', the instance has none; did you mean 'fc1'?"),
        ({"fc1": "dd"}, "plan.fc1: expected 1 letters of 'dm', got 'dd'"),
        ({"fc1": "o"}, "plan.fc1: expected 1 letters of 'dm', got 'o'"),
    ],
)
def test_a_start_that_does_not_fit_is_named(start, message):
    with pytest.raises(InputError) as error:
        solve(instance_of(SMALL), "joint-dp", start=start)
    assert str(error.value) == message


def test_events_reach_the_listener_in_order(plug_in):
    def tell(graph, run):
        run.phase("begin")
        run.incumbent(512, (0,))
        run.bound(256)
        return Solution(Status.FEASIBLE, (0,), 256)

    heard = []
    answered(plug_in, tell, listener=heard.append)
    assert [(e.kind, e.source, e.value, e.choices, e.text) for e in heard] == [
        ("phase", "fake", None, None, "begin"),
        ("incumbent", "fake", 512, (0,), ""),
        ("bound", "fake", 256, None, ""),
    ]
    assert [e.time_s for e in heard] == sorted(e.time_s for e in heard)


def test_events_are_in_the_objectives_unit():
    heard = []
    whole = document(linear_chain(4, 2), [8], objective={"communication": 0.1})
    plan = solve(instance_of(whole), "joint-dp", listener=heard.append)
    assert plan.objective == Fraction(plan.communication_bytes, 10)
    assert [event.value for event in heard if event.kind == "incumbent"] == [plan.objective]


def test_a_start_outlives_a_run_that_ends_without_a_plan():
    start = {"fc1": "m"}
    limits = Limits()
    limits.stop.set()
    plan = solve(instance_of(SMALL), "joint-dp", start=start, limits=limits)
    assert (plan.status, plan.strategies) == (Status.FEASIBLE, start)


def test_a_listener_that_fails_is_warned_of_and_the_plan_kept(plug_in):
    def fail(event):
        raise RuntimeError("the screen is gone")

    def tell(graph, run):
        run.incumbent(256, (1,))
        return Solution(Status.OPTIMAL, (1,), 256)

    with pytest.warns(UserWarning, match="RuntimeError: the screen is gone"):
        plan = answered(plug_in, tell, listener=fail)
    assert (plan.status, plan.strategies) == (Status.OPTIMAL, {"fc1": "m"})


@pytest.mark.slow
def test_where_neither_default_takes_a_problem_both_reasons_are_told():
    with pytest.raises(Refusal, match=r"both defaults decline\. joint-dp: .* GiB; cp-sat: .*arcs.*\. Try fewer levels"):
        solve(load("vgg-e", levels=24))


@pytest.mark.parametrize(
    "wrong", [{"workers": 0}, {"workers": 10**6}, {"memory_bytes": 0}, {"seed": -1}, {"deadline": float("nan")}]
)
def test_limits_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limits(**wrong)


def test_the_default_is_joint_dp_where_its_tables_fit():
    assert solve(load("resnet-18", levels=2)).formulation == "joint-dp"


def test_the_default_falls_back_to_cp_sat_where_they_do_not(plug_in, monkeypatch):
    fallback = plug_in(Fake(Solution(Status.NO_SOLUTION), name="stands for cp-sat"))
    monkeypatch.setattr("hypar_opt.formulation.registry.defaults", lambda _: ["joint-dp", fallback])
    plan = solve(load("resnet-18", levels=2), limits=Limits(memory_bytes=1000))
    assert plan.formulation == fallback


def test_a_formulation_that_declines_is_a_refusal(plug_in):
    name = plug_in(Fake(None, refusal="3 layers, its limit is 2; try joint-dp"))
    with pytest.raises(Refusal, match=r"^fake declines: 3 layers, its limit is 2; try joint-dp$"):
        solve(instance_of(SMALL), name)


def test_capabilities_are_required_before_it_is_asked(plug_in):
    chains = plug_in(Fake(None, capabilities=Capabilities(exact=True, chains_only=True)))
    with pytest.raises(Refusal, match=r"fake is for chains and this network has joins or branches"):
        solve(load("resnet-18"), chains)


def test_an_unknown_formulation_is_named_with_the_nearest():
    with pytest.raises(InputError, match=r"no formulation is called 'join-dp'; .* did you mean 'joint-dp'\?"):
        solve(instance_of(SMALL), "join-dp")


def test_an_entry_point_that_is_no_formulation_is_an_error(plug_in):
    class Nothing:
        name = "nothing"

    with pytest.raises(Refusal, match=r"the entry point 'nothing' of .* is not a formulation"):
        solve(instance_of(SMALL), plug_in(Nothing()))


def test_a_plan_says_what_it_rests_on():
    plan = solve(load("lenet-c", batch=64, levels=2), "joint-dp", limits=Limits(seed=7))
    assert (plan.instance, plan.formulation, plan.seed) == ("lenet-c", "joint-dp", 7)
    assert dict(plan.overrides) == {"batch": 64, "levels": 2}
    assert plan.instance_sha256 == load("lenet-c").sha256
    assert {"python", "hypar-opt", "numpy"} <= set(plan.versions)


def test_a_problem_may_be_compiled_before():
    problem = NetworkProblem(load("sfc"))
    assert solve(problem, "joint-dp").objective == solve(load("sfc"), "joint-dp").objective


def test_a_plug_in_that_leaves_python_is_only_an_error(plug_in):
    def leave(graph, run):
        raise SystemExit(7)

    plan = answered(plug_in, leave)
    assert (plan.status, plan.native_status) == (Status.ERROR, "SystemExit: 7")


def test_a_plug_in_that_fails_when_asked_declines(plug_in):
    class Failing(Fake):
        def accepts(self, graph, run):
            raise ZeroDivisionError("by zero")

    name = plug_in(Failing(Solution(Status.NO_SOLUTION), name="fails"))
    with pytest.raises(Refusal, match="fails when asked: ZeroDivisionError: by zero"):
        solve(instance_of(SMALL), name)


def test_capabilities_have_to_be_some(plug_in):
    name = plug_in(Fake(Solution(Status.NO_SOLUTION), name="without", capabilities=None))
    with pytest.raises(Refusal, match="is not a formulation"):
        solve(instance_of(SMALL), name)
