"""Fronts of instances: against trying all plans, and every check shown to fail."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from helpers import each

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import FrontPoint, FrontSolution, Status
from hypar_opt.instance import load
from hypar_opt.report.plan import headline
from hypar_opt.solver.front import ParetoFront, TradeOff
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, RecomputationError, Refusal
from hypar_opt.verification.verdict import CheckOutcome
from hypar_opt.verification.verifier import verify
from tests.solver.test_memory import kept_by_all, with_capacity
from tests.solver.test_objectives import all_plans, small_problem

PAIRS = (("time", "energy"), ("communication", "dram-energy"))
TRIPLES = (("compute-time", "comm-time", "energy"), ("communication", "time", "sram-energy"))


def front_by_trying(problem, names, capacity=None):
    """The values that no plan's dominate, ascending."""
    values = {
        tuple(costs[name] for name in names)
        for strategies, costs in all_plans(problem)
        if capacity is None or sum(problem.resident(strategies).values()) <= capacity
    }
    return sorted(
        one for one in values if not any(other != one and all(map(Fraction.__le__, other, one)) for other in values)
    )


@pytest.mark.parametrize("names", [*PAIRS, *TRIPLES], ids="-".join)
@each("seed", range(6), quick=1)
def test_the_front_is_what_trying_all_plans_gives(seed, names):
    problem = small_problem(300 + seed, "time")
    found = pareto_front(problem, names)
    assert found.complete
    assert [point.values for point in found.points] == front_by_trying(problem, names)


def test_the_front_of_a_residual_network_is_complete():
    found = pareto_front(NetworkProblem(load("resnet-18", array="hypar-row-stationary-16")))
    assert (found.complete, found.formulation) == (True, "joint-dp")
    assert len(found.points) > len(found.supported()) > 2


@pytest.mark.parametrize("name", ["cp-sat", "brute-force"])
@each("seed", range(3))
def test_the_front_by_other_formulations_is_what_trying_all_plans_gives(seed, name):
    problem = small_problem(320 + seed, "time")
    found = pareto_front(problem, ("time", "energy"), name)
    assert found.complete
    assert [point.values for point in found.points] == front_by_trying(problem, ("time", "energy"))


@each("seed", range(6))
def test_only_plans_that_fit(seed):
    problem = small_problem(340 + seed, "time")
    kept = kept_by_all(problem)
    capacity = kept[len(kept) // 3]
    found = pareto_front(with_capacity(problem, capacity), ("time", "energy"))
    assert [point.values for point in found.points] == front_by_trying(problem, ("time", "energy"), capacity)


def test_nothing_fits():
    problem = small_problem(343, "time")
    found = pareto_front(with_capacity(problem, kept_by_all(problem)[0] - Fraction(1, 8)), ("time", "energy"))
    assert found.complete and found.points == () and found.least_product() is None


@each("seed", range(6))
def test_the_least_product_stands_on_the_front_at_a_vertex(seed):
    problem = small_problem(360 + seed, "product:time,energy")
    found = pareto_front(problem, ("time", "energy"))
    best = found.least_product()
    assert best.values[0] * best.values[1] == solve(problem).objective
    vertices = [found.points[i] for i in found.supported()]
    assert min(one.values[0] * one.values[1] for one in vertices) == best.values[0] * best.values[1]


def test_the_points_that_weighted_sums_find():
    found = pareto_front(NetworkProblem(load("vgg-a", array="hypar-row-stationary-16")))
    vertices = found.supported()
    assert {0, len(found.points) - 1} <= vertices < set(range(len(found.points)))
    for position in vertices - {0, len(found.points) - 1}:
        before = max(i for i in vertices if i < position)
        after = min(i for i in vertices if i > position)
        weights = (
            found.points[before].values[1] - found.points[after].values[1],
            found.points[after].values[0] - found.points[before].values[0],
        )
        weighed = [sum(w * v for w, v in zip(weights, point.values, strict=True)) for point in found.points]
        assert min(weighed) == weighed[position] or weighed[position] < weighed[before]


def test_every_point_says_all_that_it_costs():
    point = pareto_front(load("lenet-c", array="hypar-16")).points[0]
    assert point.values == (point.costs["time"], point.costs["energy"])
    assert set(point.strategies) == {"conv1", "conv2", "fc1", "fc2"}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("time",), "expected two or three different components, got time"),
        (("time", "time"), "expected two or three different components, got time, time"),
        (("time", "enrgy"), "got 'enrgy'; did you mean 'energy'?"),
    ],
)
def test_components_that_make_no_front(names, message):
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        pareto_front(load("lenet-c", array="hypar-16"), names)


def test_what_the_array_does_not_say():
    with pytest.raises(InputError, match="missing, and time needs it"):
        pareto_front(load("lenet-c"))
    with pytest.raises(Refusal, match="try --placement identity"):
        pareto_front(load("lenet-c", array="hypar-16", placement="free"))


def test_a_formulation_without_fronts():
    with pytest.raises(Refusal, match="hypar-dp enumerates no fronts; try joint-dp or cp-sat"):
        pareto_front(load("lenet-c", array="hypar-16"), formulation="hypar-dp")


def test_what_declines_as_well_is_no_advice(monkeypatch):
    said = {"joint-dp": "is too large; try fewer levels, or cp-sat", "cp-sat": "its model is too large; try joint-dp"}
    for name, reason in said.items():
        monkeypatch.setattr(type(load_formulation(name)), "accepts_front", lambda *_, reason=reason: reason)
    problem = small_problem(300, "time")
    with pytest.raises(Refusal) as caught:
        pareto_front(problem)
    found = "joint-dp declines: is too large; try fewer levels; cp-sat declines: its model is too large"
    assert str(caught.value) == found
    with pytest.raises(Refusal, match="cp-sat declines: its model is too large; try joint-dp"):
        pareto_front(problem, formulation="cp-sat")


def test_stopped_before_it_began():
    limits = Limits()
    limits.stop.set()
    assert not pareto_front(load("vgg-e", array="hypar-row-stationary-16"), limits=limits).complete


class Liar:
    """A formulation whose front is what a test says."""

    name, summary, capabilities = "liar", "", load_formulation("joint-dp").capabilities
    change = staticmethod(lambda point: point)

    def accepts(self, graph, run):
        return None

    def accepts_front(self, graphs, run):
        return None

    def solve(self, graph, run):
        raise NotImplementedError

    def front(self, graphs, run):
        true = load_formulation("joint-dp").front(graphs, run)
        return replace(true, points=tuple(self.change(point) for point in true.points))


def test_a_point_between_two_others_on_one_line_is_found_by_a_weighted_sum():
    points = tuple(TradeOff((Fraction(x), Fraction(y)), None) for x, y in ((0, 2), (1, 1), (2, 0), (3, -3)))
    found = replace(front_of_nothing(), points=points)
    assert found.supported() == {0, 3}
    assert replace(found, points=points[:3]).supported() == {0, 1, 2}


def front_of_nothing():
    return ParetoFront("none", "", {}, ("time", "energy"), (), True, "nobody", "", "", 0.0)


@pytest.mark.parametrize("names", [("time", "energy"), ("comm-time", "communication"), ("energy", "sram-energy")])
def test_no_levels_to_weigh(names):
    with pytest.raises(InputError, match="weighs the bytes of each level, and accounting 'leaf-exact' counts all"):
        pareto_front(load("lenet-c", array="hypar-16", accounting="leaf-exact"), names)


def test_components_without_levels_go_with_leaf_exact():
    found = pareto_front(load("lenet-c", array="hypar-16", accounting="leaf-exact"), ("communication", "dram-energy"))
    assert found.complete and found.points


@pytest.mark.parametrize("by", [1, -1])
def test_a_value_that_its_plan_does_not_cost(monkeypatch, by):
    liar = Liar()
    liar.change = lambda point: FrontPoint((point.values[0] + by, *point.values[1:]), point.choices)
    monkeypatch.setattr("hypar_opt.solver.pareto.load_formulation", lambda _: liar)
    with pytest.raises(ArithmeticError, match="and the search says"):
        pareto_front(load("lenet-c", array="hypar-16"))


@pytest.mark.parametrize("objective", ["communication", "product:time,energy", "lexicographic:energy,time"])
def test_every_point_is_a_plan_of_the_instance(objective):
    instance = load("lenet-c", array="hypar-16", objective=objective)
    problem = NetworkProblem(instance)
    for point in pareto_front(instance).points:
        plan = point.plan
        assert (plan.instance, plan.instance_sha256, plan.status) == ("lenet-c", instance.sha256, Status.FEASIBLE)
        assert plan.objective == problem.objective_of(problem.bytes_of(plan.strategies), instance.placement)
        assert plan.costs == problem.costs(problem.bytes_of(plan.strategies), instance.placement)
        assert verify(problem, plan).outcome is CheckOutcome.CONFIRMED


@pytest.mark.slow
def test_a_point_costs_what_the_verifier_finds_on_many_levels_too():
    problem = NetworkProblem(load("lenet-c", array="hypar-row-stationary-16", levels=11))
    task = problem.front(("communication", "hop-bytes"))
    header = replace(solve(problem, "data-parallel"), strategies=None, costs={})
    plan, fault = task.evaluated([0] * len(task.graph.variables), header)
    assert fault is None and plan.costs["hop-bytes"] > 0
    assert verify(problem, plan).outcome is CheckOutcome.CONFIRMED


def test_a_point_whose_objective_is_to_be_placed_has_none():
    problem = NetworkProblem(load("lenet-c", array="hypar-16", placement="free", objective="hop-bytes"))
    plan = pareto_front(problem, ("communication", "compute-time")).points[0].plan
    assert plan.objective is None and "objective not known: hop-bytes" in headline(problem, plan)
    with pytest.raises(InputError, match="objective: expected a value with status FEASIBLE"):
        verify(problem, plan)


def test_a_cost_model_that_errs_by_a_component(monkeypatch):
    whole = NetworkProblem.weighing
    wrong = {"time": 2, "energy": 1}
    monkeypatch.setattr(
        NetworkProblem,
        "weighing",
        lambda self, weights: whole(self, {name: weight * wrong[name] for name, weight in weights.items()}),
    )
    with pytest.raises(RecomputationError, match=r"it costs [0-9/]+ time, the cost model says"):
        pareto_front(load("lenet-c", array="hypar-16"))


def test_points_that_do_not_ascend():
    with pytest.raises(ValueError, match="ascend"):
        FrontSolution((FrontPoint((2, 1), (0,)), FrontPoint((1, 2), (1,))), complete=True)


def test_a_front_is_a_table():
    front = pareto_front(load("vgg-e", array="hypar-16"), ["time", "energy"])
    frame = front.to_frame()
    assert list(frame.columns) == ["time_s", "energy_J", "status"]
    assert list(frame.index) == list(range(1, len(front.points) + 1)) and frame.index.name == "point"
    assert [tuple(one) for one in frame.to_numpy()] == [(*point.values, "FEASIBLE") for point in front.points]
    assert repr(front) == "ParetoFront('vgg-e', 2 points of time and energy, complete, by joint-dp)"
    assert (
        repr(replace(front, points=front.points[:1], complete=False)).count("1 point of time and energy, not comp") == 1
    )
    assert front._repr_html_().count("<tr>") == 1 + len(front.points)
    assert replace(front, points=()).to_frame().empty


def test_points_say_what_they_are_on_the_front_by(tmp_path):
    front = pareto_front(small_problem(300, "time"), ["communication", "dram-energy"])
    front.save(tmp_path / "front.json")
    read = ParetoFront.load(tmp_path / "front.json")
    assert {one.components for one in (*front.points, *read.points)} == {front.components}


class Enough(Exception):
    """What a user's callback raises."""


@pytest.mark.parametrize("name", [None, "cp-sat"])
def test_what_a_callback_raises_ends_the_front_and_reaches_the_user(name):
    heard = []

    def tell(event):
        heard.append(event)
        raise Enough

    problem = small_problem(300, "time")
    with pytest.raises(Enough):
        pareto_front(problem, formulation=name, callback=tell)
    assert [one.instance for one in heard] == [problem.instance.name]  # it hears no more
    with pytest.raises(TypeError, match="callback: expected a function of an event or None, got 3"):
        pareto_front(problem, formulation=name, callback=3)


def test_a_listener_that_fails_is_a_warning():
    def tell(event):
        raise Enough

    with pytest.warns(UserWarning, match="the listener failed and hears no more: Enough"):
        assert pareto_front(small_problem(300, "time"), listener=tell).complete
