"""What is illegal in a plan, and what it costs."""

from __future__ import annotations

from reprlib import repr as short
from typing import TYPE_CHECKING

from .domains import STORAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .costs import Costs


def faults(costs: Costs, plan: Mapping[str, str]) -> Iterator[str]:
    """Yield what is illegal in a plan."""
    for name in plan:
        if name not in costs.variables.places and name.removesuffix(STORAGE) not in costs.variables.places:
            yield f"the plan has {short(name)}, and there is nothing of that name"
    for name, place in costs.variables.places.items():
        word = plan.get(name)
        if word is None:
            yield f"the plan lacks {short(name)}"
        elif value_of(costs, place, plan) is None:
            way = plan.get(name + STORAGE)
            yield f"the plan gives {short(name)} {short(word)}{'' if way is None else f' ({short(way)})'}, not allowed"


def value_of(costs: Costs, place: int, plan: Mapping[str, str]) -> int | None:
    """Return the number of what a plan gives a variable, None if that is not allowed; the first storage unless said."""
    name, domain = costs.variables.names[place], costs.variables.domains[place]
    return domain.numbers.get((plan[name], plan.get(name + STORAGE, domain.storages[0])))


def cost_of(costs: Costs, plan: Mapping[str, str]) -> int:
    """Return what a legal plan costs, in units of the costs."""
    values = [value_of(costs, place, plan) for place in range(len(costs.variables.names))]
    found = sum(int(costs.own(x).values[value]) for x, value in enumerate(values))
    return found + sum(int(costs.pair(i, j).values[values[i], values[j]]) for i, j in sorted(costs.pairs))
