"""What is equal in all blocks that are repeated is said once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from hypar_opt.instance.operators.repeated import RECOMPUTE

if TYPE_CHECKING:
    from hypar_opt.instance.operators import OperatorGraph

V = TypeVar("V", bound=Hashable)


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
    """

    graph: OperatorGraph

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

    def folded(self, items: Iterable[tuple[str, V]]) -> list[Folded[V]]:
        """Return what is said of operators or tensors, in order, of equal ones in neighbouring blocks once.

        Parameters
        ----------
        items
            Names, and what is said; of one name as much as there is to say.
        """
        runs: dict[tuple[Hashable, V], list[list[tuple[Spot | None, str]]]] = {}
        for name, value in items:
            spot = self.spot(name)
            whose = name if spot is None else (spot.blocks, spot.name)
            there = runs.setdefault((whose, value), [])
            before = there[-1][-1][0] if there else None
            if spot is not None and before is not None and spot.number == before.number + 1:
                there[-1].append((spot, name))
            else:
                there.append([(spot, name)])
        return [
            Folded(self._label(run), tuple(name for _, name in run), value)
            for (_, value), found in runs.items()
            for run in found
        ]

    def _label(self, run: list[tuple[Spot | None, str]]) -> str:
        (first, name), (last, _) = run[0], run[-1]
        if first is None or last is None or len(run) == 1:
            return name
        return f"{first.blocks}.{first.number} to {last.blocks}.{last.number}: {first.name.removeprefix(':')}"
