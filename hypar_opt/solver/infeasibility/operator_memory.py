"""Why no plan of operators fits into the devices' memory, and what would make room for one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.costgraph import Objective
from hypar_opt.util.errors import HyparError
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.costgraph import Capacity
    from hypar_opt.instance.operators import OperatorInstance

SHARDED: Final = ("replicated", "zero-1", "zero-2", "zero-3")
"""All ways of keeping parameters."""


def model_of(instance: OperatorInstance) -> OperatorModel:
    """Return how an instance's operators may be split, and what has to fit."""
    accelerator = instance.accelerator
    return OperatorModel(
        instance.partition,
        instance.choices,
        instance.splits == "divisible",
        instance.storages,
        None if accelerator is None else accelerator.capacity,
        instance.optimiser.states,
        instance.fix,
        instance.splits == "padded",
    )


@dataclass(frozen=True)
class OperatorShortage:
    """What is needed and what there is, in bytes of one device.

    Parameters
    ----------
    needed
        The least that any plan keeps.
    available
        The capacity.
    parts
        By operator, or tensor that several read, the least that it keeps; they do not depend on each other here.
    levers
        Changes that would each make room for some plan.
    """

    needed: Fraction
    available: Fraction
    parts: Mapping[str, Fraction]
    levers: tuple[str, ...]

    @property
    def text(self) -> str:
        """In a sentence or two."""
        name, most = max(self.parts.items(), key=lambda pair: pair[1])
        helps = f"; enough would be: {'; or '.join(self.levers)}" if self.levers else "; nothing tried makes room"
        return (
            f"memory: any plan keeps at least {in_full(self.needed)} bytes on each device, which has "
            f"{in_full(self.available)}; '{name}' needs most of them, {in_full(most)}{helps}"
        )


def operator_shortage(instance: OperatorInstance) -> OperatorShortage | None:
    """Return why nothing fits, or None where some plan does: what is kept is a sum over choices that are all free."""
    least = _least(instance)
    available = model_of(instance).memory
    if least is None or available is None or sum(least.values()) <= available:
        return None
    return OperatorShortage(sum(least.values(), Fraction(0)), available, least, tuple(_levers(instance)))


def _least(instance: OperatorInstance) -> dict[str, Fraction] | None:
    """Return the least bytes that everything keeps by itself, the largest first; None without a capacity."""
    compiled = CompiledOperators(instance.graph, model_of(instance), Objective({}))
    if not compiled.capacities:
        return None
    (capacity,) = compiled.capacities
    parts = {compiled.domains[place].name: _smallest(capacity, place) for place in capacity.usages}
    return dict(sorted(parts.items(), key=lambda one: -one[1]))


def _smallest(capacity: Capacity, place: int) -> Fraction:
    usage = capacity.usages[place]
    return Fraction(min(usage.value(value) for value in range(usage.size)), capacity.unit)


def _fits(instance: OperatorInstance) -> bool:
    """Return whether some plan of a changed instance fits; not if there can be no such instance."""
    try:
        least, room = _least(instance), model_of(instance).memory
    except HyparError:  # such as operators that cannot be split so often
        return False
    return least is not None and room is not None and sum(least.values()) <= room


def _levers(instance: OperatorInstance) -> Iterator[str]:
    """Yield the changes that make room, each alone; where none does, those of the batch with all storages."""
    stored = instance.changed(storage=SHARDED)
    if instance.storages != SHARDED and _fits(stored):
        yield f"cost.storage: [{', '.join(SHARDED)}]"
    if instance.choices is not None and _fits(instance.changed(choices=None)):
        yield "all choices, not only those of cost.choices"
    batch = _largest_batch(instance)
    if batch is not None:
        yield f"--batch {batch}"
        return
    batch = _largest_batch(stored)
    if batch is not None:
        yield f"cost.storage: [{', '.join(SHARDED)}] with --batch {batch}"


def _largest_batch(instance: OperatorInstance) -> int | None:
    """Return the largest batch that fits, of those that halve it some times; None where none does."""
    batch = instance.batch // 2
    while batch:
        if _fits(instance.changed(batch=batch)):
            return batch
        batch //= 2
    return None
