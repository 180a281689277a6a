"""What is equal in all blocks that are repeated is said once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from hypar_opt.instance.operators.repeated import RECOMPUTE

if TYPE_CHECKING:
    from hypar_opt.evaluation.operators import Likeness
    from hypar_opt.instance.operators import Operator, OperatorGraph

V = TypeVar("V", bound=Hashable)
ONCE: Final[Mapping[str, int]] = MappingProxyType({})
"""All that is said is of one block."""


@dataclass(frozen=True)
class Folded(Generic[V]):
    """What is the same of several operators or tensors, one in every block of a run.

    Parameters
    ----------
    label
        Their names together, as `h.0 to h.11: norm`.
    names
        All of them.
    value
        What is the same.
    """

    label: str
    names: tuple[str, ...]
    value: V


@dataclass(frozen=True)
class Spot:
    """Where in repeated blocks something stands: what the blocks are called, in which, and its name there."""

    blocks: str
    number: int
    name: str


@dataclass(frozen=True)
class RepeatedBlocks:
    """The repeated blocks of a network of operators, those included at the ends that read or write something else.

    Parameters
    ----------
    graph
        Whose.
    alike
        What a plan does alike in them, if what is told is told of one.
    """

    graph: OperatorGraph
    alike: Likeness | None = None

    @cached_property
    def _names(self) -> frozenset[str]:
        """What blocks are called, as `h` of h.0, h.1 and so on."""
        found = set()
        for one in self.graph.repeats:
            first, other = (
                self.graph.operators[one.first + i * one.length].name.split(".") for i in (0, one.times - 1)
            )
            apart = next((place for place, (a, b) in enumerate(zip(first, other, strict=False)) if a != b), None)
            found |= set() if apart is None else {".".join(first[:apart])}
        return frozenset(found)

    def spot(self, name: str) -> Spot | None:
        """Return where a layer, an operator or a tensor stands by its name; None where in no block."""
        if name.endswith(RECOMPUTE):  # of a block itself
            blocks, _, number = name.removesuffix(RECOMPUTE).rpartition(".")
            return Spot(blocks, int(number), RECOMPUTE) if blocks in self._names and number.isdecimal() else None
        parts = name.split(".")
        for end in range(1, len(parts) - 1):
            blocks = ".".join(parts[:end])
            if blocks in self._names and parts[end].isdecimal():
                return Spot(blocks, int(parts[end]), ".".join(parts[end + 1 :]))
        return None

    def folded(self, items: Iterable[tuple[str, V]], times: Mapping[str, int] = ONCE) -> list[Folded[V]]:
        """Return what is said of operators or tensors, in order, of equal ones in neighbouring blocks once.

        Parameters
        ----------
        items
            Names, and what is said; of one name as much as there is to say.
        times
            By name, in how many blocks in a row it is said of what stands there; one unless told.
        """
        runs: dict[tuple[Hashable, V], list[_Run]] = {}
        for name, value in items:
            spot = self.spot(name)
            whose = name if spot is None else (spot.blocks, spot.name)
            there = runs.setdefault((whose, value), [])
            names = [name]
            if spot is not None and times.get(name, 1) > 1:
                numbers = range(spot.number, spot.number + times[name])
                names = [f"{spot.blocks}.{number}.{spot.name}" for number in numbers]
            if spot is not None and there and there[-1].next == spot.number:
                there[-1].names += names
            else:
                there.append(_Run(spot, names))
        return [Folded(run.label, tuple(run.names), value) for (_, value), found in runs.items() for run in found]

    @cached_property
    def spread(self) -> Mapping[str, int] | None:
        """By name in how many blocks in a row the plan does the same, if in several; None if not said of all by one.

        That takes blocks that are called by their numbers.
        """
        if self.alike is None:
            return None
        for one in self.alike.stretches:
            spots = [self.spot(name) for name in self.alike.names(one, one.first)] if one.times > 1 else []
            parts = [(f"{spot.blocks}.", spot.number, f".{spot.name}") for spot in spots if spot is not None]
            for place, start in enumerate(one.further, start=1):
                called = [f"{begin}{number + place}{end}" for begin, number, end in parts]
                if called != self.alike.names(one, start):
                    return None
        return self.alike.times

    @property
    def operators(self) -> Iterable[Operator]:
        """Those that are told of, in order."""
        if self.alike is None or self.spread is None:
            return self.graph.operators
        return (self.graph.operators[number] for one in self.alike.stretches for number in one.block)

    def tells_of(self, tensor: str) -> bool:
        """Return whether a tensor is told of, which those of other blocks are not that one stands for."""
        return self.alike is None or self.spread is None or tensor in self.alike.first_tensors


@dataclass
class _Run:
    """Something that stands in blocks in a row: where in the first, and its names."""

    spot: Spot | None
    names: list[str]

    @property
    def next(self) -> int | None:
        """The number of the block behind the last."""
        return None if self.spot is None else self.spot.number + len(self.names)

    @property
    def label(self) -> str:
        spot = self.spot
        if spot is None or len(self.names) == 1:
            return self.names[0]
        last = spot.number + len(self.names) - 1
        return f"{spot.blocks}.{spot.number} to {spot.blocks}.{last}: {spot.name.removeprefix(':')}"
