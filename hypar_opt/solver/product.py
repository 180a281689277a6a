"""The least product of two components, by weighted sums of them.

On numbers that are not negative a product is quasi-concave, so that over a convex set it is least at a vertex: of the
convex hull of all plans' (a, b), each vertex the optimum of a weighted sum of a and b. The vertices are enumerated by
dichotomy (Aneja & Nair, Management Science 1979): between two of them either some plan lies below the line that joins
them, and is found by weighing a and b by that line's slope, or there is no vertex between. A pair of neighbours is
left out where the product of the least a and the least b of the two is no better than the best plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar

from hypar_opt.formulation.solution import Status
from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.solver.network_costs import NetworkCosts


P = TypeVar("P", bound="NetworkCosts")


@dataclass(frozen=True)
class Vertex:
    """A plan, and what it costs by both components."""

    plan: Plan
    a: Fraction
    b: Fraction

    @property
    def product(self) -> Fraction:
        """Of both."""
        return self.a * self.b


class WithoutVertex(Exception):
    """A weighted sum came without a plan, or its plan did not stand up to recomputation."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.native_status)
        self.plan = plan


def least_product(problem: P, solve: Callable[[P], Plan]) -> Plan:
    """Return the plan with the least product of the objective's two components.

    Parameters
    ----------
    problem
        Whose objective is a product.
    solve
        Called for weighted sums of the two; where it does not prove one optimal, the product is not either.
    """
    first, second = problem.objective.components
    search = Dichotomy(problem, first, second, solve)
    try:
        left = search.vertex(Fraction(1), Fraction(0))
        right = search.vertex_or_none(Fraction(0), Fraction(1))
        return search.plan_of(left, None) if right is None else search.between(left, right)
    except WithoutVertex as found:  # of a weighted sum, whose objective and bound are not the product's
        return replace(found.plan, objective=None, bound=None, overrides=problem.instance.overrides)


@dataclass
class Dichotomy(Generic[P]):
    """The vertices found so far.

    Parameters
    ----------
    problem
        Whose objective is a product.
    first, second
        Its two components.
    solve
        Finds plans of weighted sums of the two, of which so many were solved.
    proven
        Whether all of these were.
    declined
        Why one was not searched.
    """

    problem: P
    first: str
    second: str
    solve: Callable[[P], Plan]
    solved: int = 0
    proven: bool = True
    declined: str = ""

    def vertex(self, of_first: Fraction, of_second: Fraction) -> Vertex:
        """Return a plan that is best for two weights.

        Raises
        ------
        WithoutVertex
            If the search comes without one, or with one that does not stand up to recomputation.
        """
        plan = self.solve(self.problem.weighed({self.first: of_first, self.second: of_second}))
        self.solved += 1
        if plan.status is Status.ERROR or plan.strategies is None:
            raise WithoutVertex(plan)
        self.proven = self.proven and plan.status is Status.OPTIMAL
        costs = self.problem.costs(self.problem.bytes_of(plan.strategies), self.problem.placed)
        return Vertex(plan, costs[self.first], costs[self.second])

    def vertex_or_none(self, of_first: Fraction, of_second: Fraction) -> Vertex | None:
        """Return the same where there is a plan already: a search that ends without one, or declines, says nothing."""
        try:
            return self.vertex(of_first, of_second)
        except Refusal as refusal:
            self.declined = str(refusal)
        except WithoutVertex as found:
            if found.plan.status is Status.ERROR:
                raise
        return None

    def between(self, left: Vertex, right: Vertex) -> Plan:
        """Enumerate the vertices between two, and return the best plan of all."""
        best = min(left, right, key=lambda one: one.product)
        waiting, left_out = [(left, right)], []
        while waiting:
            left, right = waiting.pop()
            of_first, of_second = left.b - right.b, right.a - left.a
            if of_first <= 0 or of_second <= 0 or left.a * right.b >= best.product:
                continue
            found = self.vertex_or_none(of_first, of_second)
            if found is None:
                left_out.append(left.a * right.b)
            elif of_first * found.a + of_second * found.b < of_first * left.a + of_second * left.b:  # below their line
                best = min(best, found, key=lambda one: one.product)
                waiting += [(left, found), (found, right)]
        return self.plan_of(best, left_out if self.proven else None)

    def plan_of(self, best: Vertex, left_out: list[Fraction] | None) -> Plan:
        """Return the best plan.

        Parameters
        ----------
        best
            Its vertex.
        left_out
            What no vertex that may have been missed is below; None where that is not known of all.
        """
        bound = None if left_out is None else min([best.product, *left_out])
        optimal = bound == best.product
        how = "all vertices of the convex hull that could be better" if optimal else "some vertices are missing"
        note = "; ".join(filter(None, [best.plan.note, self.declined]))
        return replace(
            best.plan,
            status=Status.OPTIMAL if optimal else Status.FEASIBLE,
            native_status=f"{how}: {self.solved} weighted sums",
            note=note,
            objective=best.product,
            bound=bound,
            instance_sha256=self.problem.instance.sha256,
            overrides=self.problem.instance.overrides,
            statistics={**best.plan.statistics, "weighted_sums": self.solved},
        )
