"""Why no plan of operators fits into the devices' memory, and what would make room for one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.cost.operators.smallest import smallest
from hypar_opt.costgraph import Objective
from hypar_opt.solver.infeasibility.shortage import MemoryShortage
from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import Capacity
    from hypar_opt.instance.operators import OperatorInstance

SHARDED: Final = ("replicated", "zero-1", "zero-2", "zero-3")
"""All ways of keeping parameters."""
SEQUENCE: Final = "sequence"
"""The dimension along which long inputs are split most often."""


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
        instance.recompute,
        instance.conversions,
    )


def operator_shortage(instance: OperatorInstance) -> MemoryShortage | None:
    """Return why nothing fits, or None where some plan may: by what choices take that are all free."""
    needs = _needs(instance)
    if needs is None or needs.needed <= needs.available:
        return None
    levers = tuple(_levers(instance))
    said = "device", "; nothing tried makes room", "takes", f", {needs.when}"
    return MemoryShortage(needs.needed, needs.available, needs.parts, levers, *said)


def has_room(instance: OperatorInstance, **changes: Any) -> bool:
    """Return whether some plan is known to fit into the memory; not if there can be no such instance.

    Parameters
    ----------
    instance
        As it is read.
    changes
        Fields that are to be others, as `OperatorInstance.changed` takes them.
    """
    try:
        needs = _needs(instance.changed(**changes) if changes else instance)
        return needs is not None and needs.needed <= needs.available and needs.is_met
    except HyparError:  # such as operators that cannot be split so often, which is found when they are compiled
        return False


@dataclass(frozen=True)
class _Needs:
    """What plans take at least, at the moment at which that is most."""

    compiled: CompiledOperators
    available: Fraction

    @cached_property
    def _least(self) -> tuple[int, ...]:
        return self.compiled.occupancy.least()

    @property
    def _moment(self) -> int:
        return max(range(len(self._least)), key=self._least.__getitem__)

    @property
    def needed(self) -> Fraction:
        """The least that any plan takes, as far as the smallest values of each moment say."""
        return Fraction(self._least[self._moment], self.compiled.occupancy.unit)

    @property
    def when(self) -> str:
        """When that is."""
        return self.compiled.occupancy.named(self._moment)

    @property
    def parts(self) -> dict[str, Fraction]:
        """The least bytes that everything takes by itself then, the largest first."""
        row = self.compiled.occupancy.relaxed(self._moment)
        parts = {self.compiled.domains[place].name: Fraction(min(_usage(row, place)), row.unit) for place in row.usages}
        return dict(sorted(parts.items(), key=lambda one: -one[1]))

    @cached_property
    def is_met(self) -> bool:
        """Whether the plan fits that is small at the moments at which most is needed, if blocks run again or not."""
        one = self.compiled.occupancy
        return any(max(one.used(smallest(one, again=again))) <= one.limit for again in (False, True))


def _usage(row: Capacity, place: int) -> list[int]:
    usage = row.usages[place]
    return [usage.value(value) for value in range(usage.size)]


def _needs(instance: OperatorInstance) -> _Needs | None:
    """Return what plans take at least; None without a capacity."""
    model = model_of(instance)
    return (
        None if model.memory is None else _Needs(CompiledOperators(instance.graph, model, Objective({})), model.memory)
    )


def _levers(instance: OperatorInstance) -> Iterator[str]:
    """Yield the changes that make room, each alone; where none does, two of them, or a smaller batch beside them."""
    changes = dict(_changes(instance))
    alone = [text for text, change in changes.items() if has_room(instance, **change)]
    batch = _largest_batch(instance)
    yield from alone
    if batch is not None:
        yield f"--batch {batch}"
    if alone or batch is not None:
        return
    pairs = [
        f"{one} with {other}"
        for one, other in combinations(changes, 2)
        if has_room(instance, **{**changes[one], **changes[other]})
    ]
    yield from pairs
    if pairs or not changes:
        return
    last = {tuple(change): text for text, change in changes.items()}  # all choices are more than one more
    every = {field: value for text in last.values() for field, value in changes[text].items()}
    for chosen in (next(iter(changes.items())), (" and ".join(last.values()), every)):
        batch = _largest_batch(instance, **chosen[1])
        if batch is not None:
            yield f"{chosen[0]} with --batch {batch}"
            return


def _changes(instance: OperatorInstance) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what could be changed of how an instance is charged, each in words and as fields of its cost."""
    if instance.storages != SHARDED:
        yield f"cost.storage: [{', '.join(SHARDED)}]", {"storage": SHARDED}
    if instance.recompute == "none" and instance.graph.repeats:
        yield "--recompute choose", {"recompute": "choose"}
    if instance.choices is not None:
        can = any(SEQUENCE in one.splits for one in instance.graph.operators)
        if can and SEQUENCE not in instance.choices:
            yield f"{SEQUENCE} among cost.choices", {"choices": (*instance.choices, SEQUENCE)}
        yield "all choices, not only those of cost.choices", {"choices": None}


def _largest_batch(instance: OperatorInstance, **changes: Any) -> int | None:
    """Return the largest batch that fits, of those that halve it some times; None where none does."""
    batch = instance.batch // 2
    while batch:
        if has_room(instance, batch=batch, **changes):
            return batch
        batch //= 2
    return None
