"""What components that are sums charge on an array of several kinds: every byte that is read, every operation.

A half reads together; each of its leaves reads its part, from the leaf that is its counterpart at the level, and spends
what a byte costs its memory and the links between the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.cost.computing import EXCHANGED
from hypar_opt.cost.counting import WORD
from hypar_opt.cost.crossings import crossings
from hypar_opt.cost.links import charge_of
from hypar_opt.instance.hardware import routing_of
from hypar_opt.instance.objective.components import (
    ADD_ENERGY,
    COMMUNICATION,
    DRAM_ENERGY,
    MULTIPLY_ENERGY,
    PLACED,
    parts_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.hardware import Machine
    from hypar_opt.instance.hardware.accelerator import Accelerator
    from hypar_opt.instance.hardware.mixed import MixedArray, Path

NOTHING = Fraction(0)


@dataclass(frozen=True)
class SumCharges:
    """What an objective charges.

    Parameters
    ----------
    a_byte
        By level and path down to a half of it: a byte that each half of the path reads, all of these together.
    a_mac
        By class, a multiplication and an addition.
    a_word
        By class, an element that passes between an accelerator and its memory.
    """

    a_byte: tuple[Mapping[Path, Fraction], ...]
    a_mac: tuple[Fraction, ...]
    a_word: tuple[Fraction, ...]


def charges_of(
    array: MixedArray, bytes_per_element: int, weights: Mapping[str, Fraction], sites: LeafSites | None = None
) -> SumCharges:
    """Return what an objective charges.

    Parameters
    ----------
    weights
        By component, none of which is a time.
    sites
        Where the leaves stand, if a component depends on it.

    Raises
    ------
    MachineError
        If a link has no energy, and that counts.
    """
    parts: dict[str, Fraction] = {}
    for name, weight in weights.items():
        for part in parts_of(name):
            parts[part] = parts.get(part, NOTHING) + weight
    kinds = [array.kinds[one.kind].accelerator for one in array.classes]
    return SumCharges(
        tuple(_bytes(array, level, parts, sites) for level in range(array.levels)),
        tuple(_macs(kind, parts) for kind in kinds),
        tuple(_accesses(kind, parts) * Fraction(bytes_per_element, WORD) for kind in kinds),
    )


@dataclass(frozen=True)
class LeafSites:
    """Where the leaves stand.

    Parameters
    ----------
    machine
        The array as a graph.
    placed
        By leaf, the position of its accelerator.
    """

    machine: Machine
    placed: Sequence[int]

    def routes(self, array: MixedArray, level: int, weights: Mapping[str, Fraction]) -> list[Fraction]:
        """Return by leaf what a byte from its counterpart at a level weighs on its way."""
        charge = charge_of(self.machine, weights)
        sources = (self.placed[array.partition.peers(leaf, level)[0]] for leaf in range(array.partition.leaves))
        found = crossings(self.machine, zip(sources, self.placed, strict=True), routing_of(self.machine))
        return [Fraction(int(one), charge.common * found.parts) for one in found.sums(charge.added)]


def _bytes(
    array: MixedArray, level: int, weights: Mapping[str, Fraction], sites: LeafSites | None
) -> Mapping[Path, Fraction]:
    """Return by path what a byte that each of its halves reads weighs, all leaves of all these halves together."""
    plain = weights.get(COMMUNICATION, NOTHING)
    found = {path: plain * count for path, count in array.halves(level).items()}
    on_links = {name: weights[name] for name in PLACED if weights.get(name)}
    of_memory = {name: weights[name] for name in EXCHANGED if weights.get(name)}
    if not on_links and not of_memory:
        return found
    leaves = range(array.partition.leaves)
    routes = sites.routes(array, level, on_links) if sites is not None and on_links else [NOTHING] * len(leaves)
    for leaf in leaves:
        kind = array.kinds[array.partition.accelerator(leaf)].accelerator
        spent = sum((weight * EXCHANGED[name](kind) for name, weight in of_memory.items()), start=routes[leaf])
        found[array.path(leaf)[: level + 1]] += array.reading_part(leaf, level) * spent
    return found


def _macs(kind: Accelerator, weights: Mapping[str, Fraction]) -> Fraction:
    joules = kind.energies
    if joules is None:
        return NOTHING
    return weights.get(MULTIPLY_ENERGY, NOTHING) * joules.multiply + weights.get(ADD_ENERGY, NOTHING) * joules.add


def _accesses(kind: Accelerator, weights: Mapping[str, Fraction]) -> Fraction:
    return NOTHING if kind.energies is None else weights.get(DRAM_ENERGY, NOTHING) * kind.energies.dram
