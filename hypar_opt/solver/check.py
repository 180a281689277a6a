"""What a formulation answers, judged before anything is made of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.costgraph import CostGraph
from hypar_opt.plan import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation import Graph


def well_formed(answer: object, sizes: Sequence[tuple[str, int]]) -> Solution:
    """Return a formulation's answer if it is a solution with a value for everything that is decided.

    Parameters
    ----------
    sizes
        What is decided, by name, and how many values each has.

    Raises
    ------
    TypeError
        If it is no solution.
    ValueError
        If its choices are not those that are asked for.
    """
    if not isinstance(answer, Solution):
        raise TypeError(f"expected a Solution, got {type(answer).__name__}")
    if answer.choices is not None:
        if len(answer.choices) != len(sizes):
            raise ValueError(f"{len(answer.choices)} choices for {len(sizes)} variables")
        for (name, size), choice in zip(sizes, answer.choices, strict=True):
            if not 0 <= choice < size:
                raise ValueError(f"{name} has {size} values, {choice} is none of them")
    return answer


def without_forbidden(solution: Solution, graph: Graph) -> Solution:
    """Take back choices that are forbidden by costing too much: where those are the best, there are no others."""
    if not isinstance(graph, CostGraph) or graph.ceiling is None or solution.choices is None:
        return solution
    if graph.tables.allowed(solution.choices):
        return solution
    status = Status.INFEASIBLE if solution.status is Status.OPTIMAL else Status.NO_SOLUTION
    bound = None if status is Status.INFEASIBLE else solution.bound
    native = (
        f"{solution.native_status}: every plan has something forbidden" if bound is None else solution.native_status
    )
    return replace(solution, status=status, choices=None, bound=bound, native_status=native)
