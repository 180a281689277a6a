"""Whether what exploring says of plans is so, by code that shares nothing with the CostGraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.boxes import illegal
from hypar_opt.components import PLACED, depends_on
from hypar_opt.network import Workload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.exploring.exploration import Exploration
    from hypar_opt.exploring.space import Space
    from hypar_opt.problem import Problem


def fault_of(found: Exploration, reference: Mapping[str, str]) -> str:
    """Return what is not so of the words explored, or of the reference, the base and the best; or nothing."""
    space = found.space
    fault = _forbidden(space)
    if fault:
        return fault
    wanted: list[tuple[str, Mapping[str, str], Mapping[str, Fraction]]] = [
        ("the reference", reference, found.reference)
    ]
    for what, index in (("the base plan", space.base_index), ("the best", found.winner)):
        if index is None:
            continue
        words = space.strategies(index)
        overflow = space.problem.overflow(words)
        if bool(found.allowed[index]) == bool(overflow):
            return f"{what}: {overflow or 'the plan fits into the memory'}, and the cost model says otherwise"
        wanted.append((what, words, {name: found.value(name, index) for name in found.components}))
    for what, strategies, claims in wanted:
        costs = recomputed_costs(space.problem, strategies, found.components)
        for name, value in claims.items():
            if costs.get(name) != value:
                return f"{what}: boxes and routes give {costs.get(name)} of {name}, the cost model {value}"
    return ""


def _forbidden(space: Space) -> str:
    """Return a word of a layer that is explored, or kept, and not allowed; or nothing."""
    problem = space.problem
    for layer, variable, choices in zip(problem.work.layers, problem.base.variables, space.candidates, strict=True):
        alone = Workload((layer,), ())
        assert variable.words is not None  # problems of strategies are of words
        for choice in choices:
            fault = illegal(alone, {layer.name: variable.words.word(choice)}, problem.rules)
            if fault is not None:
                return f"{fault}, and the cost model allows it"
    return ""


def recomputed_costs(
    problem: Problem, strategies: Mapping[str, str], components: Sequence[str]
) -> Mapping[str, Fraction]:
    """Return a plan's cost by component, by walking its boxes, and its routes where they matter."""
    placed = any(depends_on(name, PLACED) for name in components)
    return problem.costs(problem.bytes_of(strategies), problem.instance.placement if placed else None)
