"""The regrets of operators on the terminal: beside each row the least of its operators', and what they say together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.cost.operators.domains import KEPT, STORAGE
from hypar_opt.report.numbers import in_objective
from hypar_opt.report.plan_rows import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.studies.regrets import Explanation, Regret


def regret_cells(problem: OperatorProblem, regrets: Mapping[str, Regret | None], keys: Iterable[str]) -> dict[str, str]:
    """Return the second-best word, with its regret, of that of a row's operators which would lose least.

    Parameters
    ----------
    regrets
        By key of a plan's strategies; none where they are not known.
    keys
        Of the row.
    """
    if not regrets:
        return {}
    known = list({id(one): one for one in map(regrets.get, keys) if one is not None}.values())  # blocks share theirs
    if not known:
        return {"second best": NONE, "its regret": ""}
    least = min(known, key=lambda one: one.cost)
    sign = "+" if least.cost > 0 else ""
    return {"second best": least.second_best, "its regret": f"{sign}{in_objective(problem.objective, least.cost)}"}


def uniqueness(problem: OperatorProblem, explanation: Explanation) -> str:
    """Return what the regrets say of the plan as a whole, and which formulation they come from."""
    if explanation.missing:
        return f"no regrets: {explanation.missing}"
    least = min((one.cost for one in explanation.distinct), default=0)
    if least < 0:
        saved = in_objective(problem.objective, -least)
        return f"not optimal: {explanation.source} knows a plan that saves {saved}"
    where = ", for devices placed like this," if problem.is_free else ""
    by = f"by {explanation.source}'s regrets{where}"
    if explanation.unique:
        return f"{by} the plan is the unique optimum: any other word of an operator, or place of a tensor, costs more"
    costs = {name: one.cost for name, one in explanation.regrets.items() if one is not None}
    operators = (one.name for one in problem.instance.graph.operators)
    if all(costs.get(name, 1) > 0 for name in operators):
        kept = any(cost == 0 for name, cost in costs.items() if name.endswith((STORAGE, KEPT)))
        also = ", and parameters or copies can be kept otherwise" if kept else ""
        return f"{by} every optimum splits the operators like this; where a tensor's is 0 it can lie otherwise{also}"
    return f"{by} the optimum is not unique: where one is 0, the operator can be split otherwise"
