"""Why no plan fits into the accelerators' memory, and what would help."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.limits import MOST_LEVELS
from hypar_opt.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hypar_opt.costgraph import Words, WordUnary

MOST_MORE_LEVELS = 6
"""So many levels more are tried."""


@dataclass(frozen=True)
class Shortage:
    """What is needed and what there is, in bytes of one accelerator.

    Parameters
    ----------
    needed
        The least that any plan keeps.
    available
        The capacity.
    layers
        By layer, the least that it keeps; the layers do not depend on each other here.
    levers
        Changes that would each make room for some plan.
    """

    needed: Fraction
    available: Fraction
    layers: Mapping[str, Fraction]
    levers: tuple[str, ...]

    @property
    def text(self) -> str:
        """In a sentence or two."""
        name, most = max(self.layers.items(), key=lambda pair: pair[1])
        helps = f"; enough would be: {'; or '.join(self.levers)}" if self.levers else ""
        return (
            f"memory: any plan keeps at least {float(self.needed):,.0f} bytes on each accelerator, which has "
            f"{float(self.available):,.0f}; '{name}' needs most of them, {float(most):,.0f}{helps}"
        )


def shortage_of(problem: Problem) -> Shortage | None:
    """Return why nothing fits, or None where some plan does or everything fits."""
    accelerator = problem.instance.accelerator
    least = _least(problem)
    if least is None or accelerator is None or accelerator.capacity is None:
        return None
    needed = sum(least.values(), start=Fraction(0))
    if needed <= accelerator.capacity:
        return None
    return Shortage(needed, accelerator.capacity, least, tuple(_levers(problem)))


def _least(problem: Problem) -> dict[str, Fraction] | None:
    """Return the least that every layer keeps, by its best allowed word."""
    memory = problem.memory
    if memory is None:
        return None
    found = {}
    for position, variable in enumerate(problem.base.variables):
        usage = memory.usages[position]
        found[variable.name] = Fraction(_cheapest(variable.words, usage), memory.unit)  # type: ignore[arg-type]
    return found


def _cheapest(words: Words, usage: WordUnary) -> int:
    if not words.restricted:
        assert usage.counted is not None  # what a layer keeps depends on its letters alone
        return min(usage.counted.values.values())
    kept = usage.dense(object)[words.mask]
    return min((int(one) for one in kept), default=0)


def _levers(problem: Problem) -> list[str]:
    """Return what would make room, one change at a time."""
    spec = problem.instance.spec
    found = []
    batch = _largest_batch(problem)
    if batch:
        found.append(f"a batch of at most {batch}")
    levels = None if spec.fix else _fewest_levels(problem)
    if levels is not None:
        found.append(f"{levels} levels, {1 << levels} accelerators")
    if spec.cost.optimiser != "sgd" and _fits(problem, cost=spec.cost.model_copy(update={"optimiser": "sgd"})):
        found.append("the optimiser sgd, which keeps nothing")
    every = ("dp", "mp") if spec.cost.accounting == "as-evaluated" else ("dp", "mp", "op")
    if spec.cost.choices != every and _fits(problem, cost=spec.cost.model_copy(update={"choices": every})):
        found.append(f"the choices {', '.join(every)}")
    if spec.fix and _fits(problem, fix={}):
        found.append("no given strategies")
    return found


def _largest_batch(problem: Problem) -> int:
    """Return the largest batch with which some plan fits, by halving; 0 where not even one sample does."""
    low, high = 0, problem.instance.batch
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fits(problem, batch=middle) else (low, middle)
    return low


def _fewest_levels(problem: Problem) -> int | None:
    array = problem.instance.spec.array
    if array.accelerators is not None or array.graph is not None or array.dims is not None:
        return None
    for levels in range(array.levels + 1, min(array.levels + MOST_MORE_LEVELS, MOST_LEVELS) + 1):
        if _fits(problem, array=array.model_copy(update={"levels": levels})):
            return levels
    return None


def _fits(problem: Problem, **changes: Any) -> bool:
    """Return whether some plan of a changed instance fits."""
    spec = problem.instance.spec.model_copy(update=changes)
    other = Problem(replace(problem.instance, spec=spec))
    least = _least(other)
    accelerator = problem.instance.accelerator
    assert least is not None and accelerator is not None and accelerator.capacity is not None
    return sum(least.values(), start=Fraction(0)) <= accelerator.capacity
