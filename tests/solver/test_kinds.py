"""A kind of problem that hypar_opt knows nothing of: `solve` asks the protocol alone."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from hypar_opt import NetworkProblem, load, pareto_front, solve
from hypar_opt.costgraph import Capacity, CostGraph, Objective, TableUnary, Variable
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.solver.solve import EXPLANATION_S
from hypar_opt.util.errors import InputError, Refusal


@dataclass(frozen=True)
class Prices:
    """An instance: what every colour of a wall costs."""

    name: str = "wall"
    sha256: str = "0" * 64
    overrides: ClassVar[dict] = {}


@dataclass(frozen=True)
class WallTask:
    """The colour, over one variable; what it costs is recounted on fingers, wrongly if told."""

    wrong: int = 0
    forbidden: bool = False
    unit: ClassVar[int] = 1
    shift: ClassVar[int] = 0
    ceiling: ClassVar[None] = None
    known_bound: ClassVar[None] = None
    components: ClassVar[tuple] = ()
    sizes: ClassVar[list] = [("the wall", 3)]

    @property
    def graph(self):
        costs = TableUnary(np.array([5, 3, 4], dtype=np.int64))
        limits = (Capacity("permits", 0, {0: (1, 1, 1)}),) if self.forbidden else ()
        return CostGraph((Variable("wall", 3),), ({"price": costs},), (), Objective({"price": Fraction(1)}), limits)

    def decode(self, choices):
        return {"wall": ("red", "green", "blue")[choices[0]]}, None

    def encode(self, start):
        return None

    def value(self, choices):
        return self.graph.value(choices)

    def feasible(self, choices):
        return True

    def allowed(self, choices):
        return True

    def stricter(self, found):
        return None

    def known_solution(self, run):
        return None

    def begun(self, run):
        return run

    def evaluated(self, choices, plan):
        strategies, _ = self.decode(choices)
        price = {"red": 5, "green": 3, "blue": 4}[strategies["wall"]] + self.wrong
        fault = None if price == self.value(choices) else f"the shop takes {price}"
        return replace(plan, strategies=strategies, objective=Fraction(price), costs={"price": Fraction(price)}), fault


@dataclass(frozen=True)
class Wall:
    """The problem."""

    task_of_it: WallTask = WallTask()
    kind: ClassVar[str] = "wall"
    instance: ClassVar[Prices] = Prices()
    objective: ClassVar[ObjectiveFunction] = ObjectiveFunction("sum", {"price": Fraction(1)})
    use: ClassVar[str] = "network"
    setting: ClassVar[tuple] = (None, None, None)
    is_explained: ClassVar[bool] = False
    presolve_counts: ClassVar[bool] = False
    uncertifiable: ClassVar[str] = "walls have no certificates"
    certified_where: ClassVar[str] = ""
    refuted: ClassVar[None] = None
    unfixed: ClassVar[None] = None

    def within(self, limits, *, presolved=True):
        return self

    def prepare(self, limits, tell):
        tell("mixing colours")

    def default(self, limits):
        return load_formulation("cp-sat")

    def proves(self, able):
        return False

    def task(self, name, decides, start, solve):
        return self.task_of_it, ""

    def by_simpler(self, solve, limits):
        return None


@pytest.mark.parametrize("name", [None, "joint-dp", "milp-highs"])
def test_it_is_solved_by_what_knows_graphs_only(name):
    heard = []
    plan = solve(Wall(), name, listener=lambda event: heard.append(event.text))
    assert (plan.status, plan.strategies, plan.objective) == (Status.OPTIMAL, {"wall": "green"}, 3)
    assert heard[0] == "mixing colours"


def test_its_own_evaluator_has_the_last_word():
    plan = solve(Wall(WallTask(wrong=1)))
    assert (plan.status, plan.native_status, plan.bound) == (Status.ERROR, "the shop takes 4", None)


def test_it_says_itself_what_cannot_be_certified():
    with pytest.raises(Refusal, match="walls have no certificates"):
        solve(Wall(), proof=lambda _: None)


@dataclass(frozen=True)
class TwoPrices(WallTask):
    """What paint costs, and what days."""

    days: ClassVar[tuple] = (1, 4, 2)

    @property
    def graphs(self):
        costs = TableUnary(np.array(self.days, dtype=np.int64))
        by_day = self.graph.replace(unary=({"days": costs},), objective=Objective({"days": Fraction(1)}))
        return (self.graph, by_day)

    def evaluated(self, choices, plan):
        plan, fault = super().evaluated(choices, plan)
        return replace(
            plan, costs={**plan.costs, "time": plan.objective, "energy": Fraction(self.days[choices[0]])}
        ), fault


@dataclass(frozen=True)
class TradedWall(Wall):
    """A wall of two costs, called what components are called."""

    def front(self, components):
        return TwoPrices()

    def prepare(self, limits, tell, components=None):
        assert components == ("time", "energy")


@pytest.mark.parametrize("name", [None, "cp-sat", "brute-force"])
def test_its_front_is_enumerated_by_what_knows_graphs_only(name):
    found = pareto_front(TradedWall(), formulation=name)
    assert found.complete
    assert [(point.plan.strategies["wall"], point.values) for point in found.points] == [
        ("green", (3, 4)),
        ("blue", (4, 2)),
        ("red", (5, 1)),
    ]


@dataclass(frozen=True)
class NoWall(TradedWall):
    """One that nobody may build, which is explained once and in good time."""

    told: list = field(default_factory=list)

    def front(self, components):
        return replace(TwoPrices(), forbidden=True)

    def task(self, name, decides, start, solve):
        return replace(TwoPrices(), forbidden=True), ""

    def prepare(self, limits, tell, components=None):
        tell("mixing colours")

    def explained(self, plan, solve, limits, tell):
        assert limits.remaining_s() <= EXPLANATION_S
        self.told.append(solve(self, limits).status)
        return replace(plan, note="no permit")


def test_that_its_front_is_empty_is_explained_as_a_plan_is():
    wall = NoWall()
    found = pareto_front(wall)
    assert (found.complete, found.points, found.note, wall.told) == (True, (), "no permit", [Status.INFEASIBLE])
    assert solve(wall).note == "no permit"
    assert wall.told == [Status.INFEASIBLE] * 2


def test_a_strategy_graph_has_one_cost():
    with pytest.raises(InputError, match="expected the instance of a network, got a strategy graph"):
        pareto_front("five-operators")


def test_what_is_no_problem_is_refused():
    with pytest.raises(TypeError, match="instance: expected an instance, the name of a shipped one, a path"):
        solve(object())


def test_what_was_compiled_is_not_taken_over_to_another_network():
    few = NetworkProblem(load("lenet-c", levels=2)).by_communication
    other = replace(few, instance=load("sfc", levels=2))
    assert list(solve(other).strategies) == [layer.name for layer in other.work.layers] != list(solve(few).strategies)
