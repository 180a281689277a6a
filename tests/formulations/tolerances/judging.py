"""What a formulation says of a case, and whether that is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.answers import without_forbidden
from hypar_opt.errors import Refusal
from hypar_opt.formulation import load_formulation, refusal
from hypar_opt.plan import Status
from hypar_opt.run import Limits, Run

if TYPE_CHECKING:
    from tests.formulations.tolerances.drawing import Case

OF_GRAPHS = ("milp-cbc", "milp-highs", "cp-sat", "joint-dp", "brute-force")
FORMULATIONS = {
    "network": OF_GRAPHS,
    "strategy graph": (*OF_GRAPHS, "portfolio"),
    "placement": ("placement-milp", "placement-cp-sat"),
}
"""By kind of case, the exact ones that take it."""
DECLINED, WRONG = "declined", "wrong"


def judged(name: str, case: Case) -> tuple[str, str]:
    """Return the status where it is right, else that it is declined or wrong; and what was said, or why."""
    formulation = load_formulation(name)
    run = Run(name, Limits())
    reason = refusal(formulation, case.graph, run)
    if reason is not None:
        return DECLINED, reason
    try:
        solution = without_forbidden(formulation.solve(case.graph, run), case.graph)
    except Refusal as error:
        return DECLINED, str(error)
    status, choices = solution.status, solution.choices
    value = None if choices is None else case.graph.value(choices)
    said = f"{status} {value}, {solution.native_status}, the least is {case.least}"
    if status is Status.OPTIMAL:
        right = value == case.least and case.graph.feasible(choices)
    elif status is Status.INFEASIBLE:
        right = case.least is None
    elif status in (Status.FEASIBLE, Status.NO_SOLUTION):
        over = solution.bound is not None and case.least is not None and solution.bound > case.least
        right = not over and (choices is None or case.graph.feasible(choices))
    else:
        right = False
    return (str(status) if right else WRONG), said
