"""What a formulation says of a case, and whether that is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.placement.milp import PlacementMilp
from hypar_opt.formulation.registry import load_formulation, refusal
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.check import without_forbidden
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.formulation.solution import Solution
    from tests.formulations.tolerances.drawing import Case

BARE = "placement-milp without bounds"
"""The programme alone, which else is seldom asked where placements are this small."""
OF_GRAPHS = ("milp-cbc", "milp-highs", "cp-sat", "joint-dp", "brute-force")
FORMULATIONS = {
    "network": OF_GRAPHS,
    "strategy graph": (*OF_GRAPHS, "portfolio"),
    "placement": (BARE, "placement-milp"),
}
"""By kind of case, the exact formulations that take it."""
DECLINED, WRONG = "declined", "wrong"


def judged(name: str, case: Case) -> tuple[str, str]:
    """Return the status where it is right, else that it is declined or wrong; and what was said, or why."""
    formulation = _formulation(name)
    run = Run(name, Limits(workers=1))
    reason = refusal(formulation, case.graph, run)
    if reason is not None:
        return DECLINED, reason
    try:
        solution = without_forbidden(formulation.solve(case.graph, run), _allowed(case.graph))
    except Refusal as error:
        return DECLINED, str(error)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is wrong
        return WRONG, f"{type(error).__name__}: {error}"
    said = f"{solution.status}, {_value(case, solution)} ({solution.native_status}); the least is {case.least}"
    return (str(solution.status) if _is_right(case, solution) else WRONG), said


def _formulation(name: str) -> Formulation:
    return PlacementMilp(presolve=False, cuts=False) if name == BARE else load_formulation(name)


def _value(case: Case, solution: Solution) -> int | None:
    return None if solution.choices is None else case.graph.value(solution.choices)


def _is_right(case: Case, solution: Solution) -> bool:
    value = _value(case, solution)
    if solution.choices is not None and not case.graph.feasible(solution.choices):
        return False
    if solution.status is Status.OPTIMAL:
        return value is not None and value == case.least == solution.bound
    if solution.status is Status.INFEASIBLE:
        return case.least is None
    if solution.bound is not None and case.least is not None and solution.bound > case.least:
        return False
    return solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)


def _allowed(graph):
    """Return what says whether choices have nothing forbidden: graphs of tables forbid by what costs too much."""
    return graph.tables.allowed if getattr(graph, "ceiling", None) is not None else lambda _: True
