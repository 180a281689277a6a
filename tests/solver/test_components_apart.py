"""Components solved apart: who is asked when and for how long, what is told of the whole, and what the answers say."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hypar_opt.costgraph import Duals, Priced, graph_of
from hypar_opt.costgraph.presolve import Reduction, components
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Hint, Limits, Run
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.solver.components import EQUALLY, solve_apart
from hypar_opt.solver.components.bounds import SearchedComponent
from hypar_opt.solver.graph_problem import GraphProblem, GraphTask
from tests.costgraph.presolve.presolve_checks import tables_of
from tests.instance.strategy_graph.drawing import draw

WORSE, BEST, WORST = (0, 1), (0, 0), (1, 1)
"""Plans of two variables of `pairs`, and their costs: 1, 0 and 9."""
COSTS = {WORSE: 1, BEST: 0, WORST: 9}

EXACT = Capabilities(exact=True)


def pairs(count=2, sizes=None, items=(), room=()):
    """Tables of components of two variables each, joined by an edge."""
    sizes = sizes or [2] * count
    unary = [[0] * size for size in sizes for _ in range(2)]
    edges = [
        (2 * i, 2 * i + 1, [[(COSTS | {(1, 0): 5}).get((a, b), 7) for b in range(size)] for a in range(size)])
        for i, size in enumerate(sizes)
    ]
    return tables_of([size for size in sizes for _ in range(2)], unary, edges, items, room)


def task_of(tables, presolved=True):
    """A task of which presolve has left these tables."""
    problem = GraphProblem(draw(0), presolved)
    problem.__dict__["reduction"] = Reduction(tables, tables)
    return GraphTask(problem)


@dataclass
class Fake:
    """A formulation that answers one call after another with what it is given."""

    answers: list[Any]
    declines: bool = False
    runs: list = field(default_factory=list)
    graphs: list = field(default_factory=list)
    seconds: list = field(default_factory=list)
    name: str = "fake"
    summary: str = "for a test"
    capabilities: Capabilities = EXACT

    def accepts(self, graph, run):
        return "it is too small" if self.declines and len(graph.variables) == 2 else None

    def solve(self, graph, run):
        self.runs.append(run)
        self.graphs.append(graph)
        self.seconds.append(run.limits.remaining_s())
        answer = self.answers[min(len(self.runs), len(self.answers)) - 1]
        return answer(graph, run) if callable(answer) else answer


def optimal(choices=BEST, **more):
    return Solution(Status.OPTIMAL, choices, COSTS[choices], "proven", **more)


def feasible(choices, bound=0):
    return Solution(Status.FEASIBLE, choices, bound, "best so far")


def nothing(status=Status.NO_SOLUTION, native="gave up"):
    return Solution(status, native_status=native)


def solved(tables, *answers, limits=None, **options):
    """Return the solution, what was told, and the fake."""
    fake, events = Fake(list(answers)), []
    run = Run("fake", limits or Limits(), listener=events.append, **options)
    return solve_apart(fake, task_of(tables), run), events, fake


def told(events, kind):
    return [event.value for event in events if event.kind == kind]


# --- what is solved


def test_a_component_is_solved_on_its_own_and_the_whole_is_all_of_them():
    solution, events, fake = solved(pairs(3), optimal(), optimal(WORST), optimal(WORSE))
    assert (solution.status, solution.choices, solution.bound) == (Status.OPTIMAL, (*BEST, *WORST, *WORSE), 10)
    assert solution.native_status == "in 3 components: proven"
    assert solution.statistics["components"] == 3
    assert [len(graph.variables) for graph in fake.graphs] == [2, 2, 2]
    assert told(events, "incumbent") == [10]
    assert told(events, "bound") == [0, 9, 10]


def test_the_smallest_comes_first_and_its_values_come_to_their_places():
    solution, _, fake = solved(pairs(sizes=[4, 2, 3]), optimal(), optimal(WORST), optimal(WORSE))
    assert [graph.variables[0].size for graph in fake.graphs] == [2, 3, 4]
    assert solution.choices == (*WORSE, *BEST, *WORST)


@pytest.mark.parametrize(("count", "presolved"), [(1, True), (2, False)])
def test_one_component_and_what_is_not_presolved_go_as_they_are(count, presolved):
    task, answer = task_of(pairs(count), presolved), object()
    fake, run = Fake([answer]), Run("fake")
    assert solve_apart(fake, task, run) is answer
    assert fake.graphs == [task.graph]
    assert fake.runs == [run]


def test_a_formulation_that_declines_a_part_gets_the_whole():
    task, fake = task_of(pairs(2)), Fake([nothing()], declines=True)
    solve_apart(fake, task, Run("fake"))
    assert fake.graphs == [task.graph]


def test_least_costs_are_to_be_0():
    tables = tables_of([2, 2], [[3, 4], [0, 1]])
    with pytest.raises(ValueError, match="a part: not all least costs are 0"):
        SearchedComponent.of("a part", components(tables)[0])


# --- time


def test_time_is_shared_by_size_but_for_a_tenth_and_the_last_has_all_of_it():
    limits = Limits(time.monotonic() + 1000)
    _, _, fake = solved(pairs(sizes=[2, 3, 5]), optimal(), limits=limits)
    first, second, third = (len(graph.tables.unary) + len(graph.tables.edges) for graph in fake.graphs)
    shares = [EQUALLY / 3 + (1 - EQUALLY) * first / (first + second + third)]
    shares += [EQUALLY / 2 + (1 - EQUALLY) * second / (second + third), 1]
    assert fake.seconds == pytest.approx([1000 * share for share in shares], abs=5)
    assert fake.runs[-1].limits is limits


def test_without_a_deadline_none_has_one():
    _, _, fake = solved(pairs(3), optimal(), feasible(WORST), feasible(WORSE))
    assert fake.seconds == [None] * 3


def test_what_was_not_proven_in_its_share_is_searched_again_from_its_best_plan():
    answers = feasible(WORST), optimal(), nothing(), optimal(WORSE)
    limits = Limits(time.monotonic() + 1000)
    solution, events, fake = solved(pairs(3), *answers, limits=limits)
    assert [run.start for run in fake.runs] == [None, None, None, WORST]
    assert fake.runs[-1].limits is limits
    assert (solution.status, solution.bound) == (Status.NO_SOLUTION, 1)
    assert told(events, "incumbent") == []


def test_rounds_end():
    _, _, fake = solved(pairs(4), nothing(), limits=Limits(time.monotonic() + 1000))
    assert len(fake.runs) == 4 + 3 + 2 + 1


def test_the_best_plan_of_any_round_counts():
    limits = Limits(time.monotonic() + 1000)
    solution, events, _ = solved(pairs(2), feasible(WORSE), optimal(), feasible(WORST), limits=limits)
    assert (solution.status, solution.choices, solution.bound) == (Status.FEASIBLE, (*WORSE, *BEST), 0)
    assert told(events, "incumbent") == [1]


def test_no_time_is_no_reason_not_to_ask_everybody_once():
    solution, _, fake = solved(pairs(3), optimal(), nothing(), limits=Limits(time.monotonic() - 1))
    assert len(fake.runs) == 3
    assert all(run.limits.over for run in fake.runs)
    assert (solution.status, solution.bound) == (Status.NO_SOLUTION, 0)


def test_a_stop_ends_the_rounds():
    limits = Limits(time.monotonic() + 1000)

    def stops(graph, run):
        run.limits.stop.set()
        return nothing()

    assert len(solved(pairs(3), nothing(), stops, limits=limits)[2].runs) == 3


# --- what is told


def tells(*plans, bounds=(), answer=None):
    """Answer, but tell of plans and bounds first."""

    def solve(graph, run):
        run.phase("looking")
        for choices in plans:
            run.incumbent(COSTS[choices], choices)
        for bound in bounds:
            run.bound(bound)
        return answer or nothing()

    return solve


def test_a_plan_of_the_whole_is_told_once_all_parts_have_one():
    solution, events, _ = solved(pairs(2), tells(WORST, WORSE), tells(WORST, WORST, BEST))
    assert told(events, "incumbent") == [10, 1]
    assert [event.choices for event in events if event.kind == "incumbent"] == [(*WORSE, *WORST), (*WORSE, *BEST)]
    assert (solution.status, solution.choices) == (Status.FEASIBLE, (*WORSE, *BEST))
    assert {event.source for event in events} == {"fake"}


def test_bounds_add_up_and_are_known_from_the_beginning():
    solution, events, _ = solved(pairs(2), tells(bounds=[0, 2, 1]), tells(bounds=[3]))
    assert told(events, "bound") == [0, 2, 5]
    assert (solution.status, solution.bound) == (Status.NO_SOLUTION, 5)


def test_phases_say_of_which_component_they_are():
    _, events, _ = solved(pairs(2), tells())
    phases = [event.text for event in events if event.kind == "phase"]
    assert phases == ["component 1 of 2: looking", "component 2 of 2: looking"]


def test_every_part_begins_with_its_part_of_the_start():
    solution, events, fake = solved(pairs(sizes=[3, 2]), nothing(), optimal(), start=(*WORST, *WORSE))
    assert [run.start for run in fake.runs] == [WORSE, WORST]
    assert told(events, "incumbent") == [10, 1]
    assert (solution.status, solution.choices) == (Status.FEASIBLE, (*BEST, *WORSE))


def test_a_start_that_does_not_fit_one_part_is_a_start_of_the_other():
    items = [(0, 0, 1, [0, 3])]
    _, events, fake = solved(pairs(sizes=[2, 3], items=items, room=[2]), nothing(), start=(*WORST, *WORST))
    assert [run.start for run in fake.runs] == [None, WORST]
    assert told(events, "incumbent") == []


def test_what_others_have_found_of_the_whole_is_no_hint_for_a_part():
    _, _, fake = solved(pairs(2), nothing(), others=lambda: Hint((*WORSE, *BEST)))
    assert [run.hint() for run in fake.runs] == [Hint(), Hint()]


# --- what the answers say


def test_a_part_without_a_plan_leaves_the_whole_without_and_the_others_unasked():
    solution, _, fake = solved(pairs(3), optimal(), nothing(Status.INFEASIBLE, "kInfeasible"), start=None)
    assert (solution.status, solution.choices, solution.bound) == (Status.INFEASIBLE, None, None)
    assert solution.native_status == "component 2 of 3: kInfeasible"
    assert len(fake.runs) == 2


def test_what_is_forbidden_is_no_plan():
    """By the graph's own account it only costs more than all else."""
    tables = pairs(2)
    edges = tables.edges.copy()
    edges[:4] = 2**61
    tables = tables.replace(edges=edges)
    penalty = graph_of(components(tables)[0].tables)[0].ceiling
    answer = Solution(Status.OPTIMAL, BEST, penalty, "seen")
    solution, events, _ = solved(tables, lambda graph, run: tells(BEST, answer=answer)(graph, run))
    assert solution.status is Status.INFEASIBLE
    assert solution.native_status == "component 1 of 2: seen: every plan has something forbidden"
    assert told(events, "incumbent") == []


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        # the two would cancel out
        (
            [Solution(Status.OPTIMAL, WORSE, 0), Solution(Status.OPTIMAL, WORSE, 2)],
            "1 of 2: claims OPTIMAL with cost 1",
        ),
        ([optimal(), Solution(Status.OPTIMAL, WORSE, None)], "2 of 2: claims OPTIMAL with cost 1 and bound None"),
        ([feasible(WORST), feasible(WORSE, 2)], "2 of 2: the bound 2 is above the plan's cost 1"),
        ([tells(bounds=[10], answer=feasible(WORST))], "1 of 2: the bound 10 is above the plan's cost 9"),
        ([optimal(), Solution(Status.FEASIBLE, (1, 0), 0)], "2 of 2: the plan breaks a limit of the reduced problem"),
        ([tells(WORSE, answer=nothing(Status.INFEASIBLE))], "claims INFEASIBLE, and there is a plan of cost 1"),
        ([tells(BEST, answer=optimal(WORSE))], "1 of 2: the bound 1 is above the plan's cost 0"),
    ],
)
def test_a_claim_that_does_not_hold_is_an_error(answers, fault):
    tables = pairs(sizes=[2, 3], items=[(2, 0, 1, [0, 3, 3]), (3, 0, 1, [3, 0, 3])], room=[5])
    solution, _, _ = solved(tables, *answers)
    assert solution.status is Status.ERROR
    assert fault in solution.native_status


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "expected a Solution, got NoneType"),
        (Solution(Status.FEASIBLE, (0,)), "1 choices for 2 variables"),
        (Solution(Status.FEASIBLE, (0, 2)), "variable 3 has 2 values, 2 is none of them"),
    ],
)
def test_an_answer_that_is_none_is_said_to_be(answer, said):
    with pytest.raises((TypeError, ValueError), match=said):
        solved(pairs(sizes=[3, 2]), answer)


def test_notes_are_said_once_with_the_components_that_they_are_of_and_numbers_add_up():
    first = optimal(note="rests on a tolerance", statistics={"passes": 3, "seed": 7, "memory": "none", "left": 0.5})
    second = optimal(note="rests on a tolerance", statistics={"passes": 4, "seed": 7, "memory": "some", "rows": 2})
    solution, _, _ = solved(pairs(2), first, second)
    assert solution.note == "in each of components 1, 2: rests on a tolerance"
    facts = {"passes": 7, "seed": 7, "memory": "some", "left": 0.5, "rows": 2, "components": 2}
    assert solution.statistics == facts


def test_a_figure_in_a_note_is_said_to_be_of_its_component():
    """That two roots lie 15 below the costs of two components is not that one lies 15 below the whole's."""
    notes = ["15 below", "", "15 below", "7 below"]
    solution, _, _ = solved(pairs(4), *(optimal(note=note) for note in notes))
    assert solution.note == "in each of components 1, 3: 15 below; in component 4: 7 below"


# --- proofs


def proves(*prices):
    """Hand over prices of a pair whose room is 1 less than its first value of the first variable takes.

    Parameters
    ----------
    prices
        A scale, and a price p at it, which bounds the pair by p / 2^scale.
    """

    def solve(graph, run):
        for scale, price in prices:
            run.proof(Duals(scale, np.array([-3 * price, 0]), np.zeros(2, np.int64), np.array([price])))
        return nothing()

    return solve


def test_prices_of_the_parts_are_the_wholes_and_only_better_ones_count():
    tables = pairs(2, items=[(0, 0, 1, [3, 0]), (2, 1, 2, [3, 0])], room=[2, 2])
    proofs = []
    solved(tables, proves((1, 1), (0, 1), (1, 1)), proves((2, 3)), proof=proofs.append)
    assert [Priced(tables, one).bound for one in proofs] == [0, Fraction(1, 2), 1, Fraction(7, 4)]


def test_who_wants_no_proof_is_handed_none():
    _, _, fake = solved(pairs(2), nothing())
    assert [run.proof for run in fake.runs] == [None, None]
