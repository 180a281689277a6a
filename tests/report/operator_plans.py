"""Plans of operators for tests of what is shown of them: small instances, solved once each."""

from __future__ import annotations

from functools import cache

from hypar_opt.instance.read import load
from hypar_opt.report.content.operator_plan import NamedOperatorPlan
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve


@cache
def named(name="gpt2-block", **overrides):
    """Return the best plan of a shipped instance."""
    problem = OperatorProblem(load(name, **overrides))
    return NamedOperatorPlan("joint-dp", problem, solve(problem, "joint-dp"))
