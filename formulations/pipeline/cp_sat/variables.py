"""A pipeline's variables in CP-SAT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from formulations.cp_sat.search import CpSatModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ortools.sat.python.cp_model import IntVar


@dataclass(frozen=True)
class CpSatStages(CpSatModel):
    """A CP-SAT model and its variables.

    Parameters
    ----------
    model
        Filled by the families below.
    x
        By group and position among its choices: whether it is done so.
    chosen
        The same by group and slot, with the numbers of ways.
    inside
        By group and slot: whether it stands there.
    used
        By slot: whether it has a group.
    reads, sends
        By output and slot: whether the stage reads it, or sends it, and takes time for that.
    longest
        At least what every stage takes.
    times
        By slot, at least what it takes; empty unless the sum of times counts.
    positions
        By slot, q: which place its stage has; empty where slots' own order says that, or stages have none.
    """

    chosen: Mapping[tuple[int, int], tuple[tuple[IntVar, int], ...]]
    inside: Mapping[tuple[int, int], IntVar]
    used: tuple[IntVar, ...]
    reads: Mapping[tuple[int, int], IntVar]
    sends: Mapping[tuple[int, int], IntVar]
    longest: IntVar
    times: tuple[IntVar, ...]
    positions: tuple[IntVar, ...]

    def of(self, group: int, slot: int) -> IntVar:
        """Return whether a group stands in a slot."""
        found = self.inside.get((group, slot))
        return self.model.new_constant(0) if found is None else found

    def terms(self, slot: int, of_way: Callable[[int, int], int]) -> list[tuple[IntVar, int]]:
        """Return what stands in a slot, times what of a group and the number of its way."""
        found = ((x, of_way(group, n)) for (group, at), own in self.chosen.items() if at == slot for x, n in own)
        return [(x, weight) for x, weight in found if weight]
