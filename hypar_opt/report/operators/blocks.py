"""What is equal in all blocks that are repeated is said once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

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
    """Where in repeated blocks something stands: of which repetition, in which block, and its name there."""

    repeat: int
    block: int
    name: str


@dataclass(frozen=True)
class Blocks:
    """The repeated blocks of a network of operators.

    Parameters
    ----------
    graph
        Whose.
    """

    graph: OperatorGraph

    @cached_property
    def _prefixes(self) -> tuple[tuple[str, ...], ...]:
        """By repetition and block, what the names in it begin with."""
        found = []
        for one in self.graph.repeats:
            names = [self.graph.operators[one.first + i * one.length].name.split(".") for i in range(one.times)]
            pairs = zip(names[0], names[-1], strict=False)
            apart = next((place for place, (a, b) in enumerate(pairs) if a != b), len(names[0]) - 1)
            found.append(tuple(".".join(name[: apart + 1]) for name in names))
        return tuple(found)

    @cached_property
    def _blocks(self) -> dict[str, tuple[int, int]]:
        """By what names in it begin with, the repetition and the number of a block."""
        return {
            prefix: (repeat, block)
            for repeat, prefixes in enumerate(self._prefixes)
            for block, prefix in enumerate(prefixes)
        }

    def spot(self, name: str) -> Spot | None:
        """Return where a layer, an operator or a tensor stands by its name; None where in no block."""
        parts = name.split(".")
        for end in range(1, len(parts)):
            found = self._blocks.get(".".join(parts[:end]))
            if found is not None:
                return Spot(*found, ".".join(parts[end:]))
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
            whose = name if spot is None else (spot.repeat, spot.name)
            there = runs.setdefault((whose, value), [])
            before = there[-1][-1][0] if there else None
            if spot is not None and before is not None and spot.block == before.block + 1:
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
        prefixes = self._prefixes[first.repeat]
        return f"{prefixes[first.block]} to {prefixes[last.block]}: {first.name}"
