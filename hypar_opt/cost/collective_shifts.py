"""Arrays that look the same from every accelerator: permutations that take one to another, and links to links."""

from __future__ import annotations

from collections import deque
from math import prod
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.hardware import Machine

Permutation: TypeAlias = tuple[int, ...]
"""By accelerator, where it is taken to."""


def shifts_of(machine: Machine) -> tuple[Permutation, ...]:
    """Return for every accelerator the shift that takes the first one to it; none where the array has none.

    Shifts are of rings, tori and hypercubes: by a place along a dimension, or with a bit turned over. Whatever is
    returned was checked: the shifts are a group, each keeps what links there are and what these can do, and no two take
    an accelerator to the same place.
    """
    count = len(machine.accelerators)
    found = _closed([one for one in _generators(machine) if _keeps_links(machine, one)], count)
    return found if len(found) == count and not machine.switches else ()


def _generators(machine: Machine) -> list[Permutation]:
    """Return shifts by one place."""
    count = len(machine.accelerators)
    if machine.topology == "ring":
        return [_along((count,), 0)]
    if machine.topology == "torus" and prod(machine.dims) == count:
        return [_along(machine.dims, axis) for axis in range(len(machine.dims)) if machine.dims[axis] > 1]
    if machine.topology == "hypercube":
        return [tuple(node ^ 1 << bit for node in range(count)) for bit in range(count.bit_length() - 1)]
    return []


def _along(dims: Sequence[int], axis: int) -> Permutation:
    """Return the shift by one place along a dimension; the last one is the fastest."""
    stride, size = prod(dims[axis + 1 :]), dims[axis]
    return tuple(
        node + ((node // stride % size + 1) % size - node // stride % size) * stride for node in range(prod(dims))
    )


def _keeps_links(machine: Machine, shift: Permutation) -> bool:
    """Return whether a permutation takes every link to one that can do the same."""

    def able(hop: tuple[int, int]) -> object:
        link = machine.link_of.get(hop)
        return None if link is None else (link.bandwidth, link.latency)

    return all(able(hop) == able((shift[hop[0]], shift[hop[1]])) for hop in machine.link_of)


def _closed(generators: Sequence[Permutation], count: int) -> tuple[Permutation, ...]:
    """Return the group that shifts generate, by where each takes the first accelerator; nothing where two do alike."""
    same = tuple(range(count))
    found, waiting = {0: same}, deque([same])
    while waiting:
        one = waiting.popleft()
        for step in generators:
            then = tuple(step[node] for node in one)
            if found.setdefault(then[0], then) != then:
                return ()
            if found[then[0]] is then:
                waiting.append(then)
    return tuple(found[node] for node in range(count)) if len(found) == count else ()
