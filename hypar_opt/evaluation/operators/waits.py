"""How long a plan's movements take and what their bytes cost on the links: one after the other, none hidden."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.evaluation.operators.movement import Movement
    from hypar_opt.instance.operators.links import AxisLink
    from hypar_opt.util.partition import Partition


def waits(moved: Iterable[Movement], partition: Partition, links: Sequence[AxisLink]) -> Mapping[str, Fraction]:
    """Return the seconds that movements take, by axis.

    Raises
    ------
    ValueError
        If a bandwidth is not known.
    """
    found = {axis.name: Fraction(0) for axis in partition.axes}
    by_name = dict(zip(found, links, strict=True))
    for one in moved:
        found[one.axis] += seconds_along(one.axis, by_name[one.axis], one.received, one.steps)
    return found


def seconds_along(axis: str, link: AxisLink, received: Fraction, steps: int) -> Fraction:
    """Return how long so many bytes take along an axis, in so many messages one after the other.

    Raises
    ------
    ValueError
        If the bandwidth is not known.
    """
    if link.bandwidth is None:
        raise ValueError(f"the bandwidth along '{axis}' is not known")
    return received / link.bandwidth + steps * link.latency


def joules(moved: Iterable[Movement], partition: Partition, links: Sequence[AxisLink]) -> Fraction:
    """Return what the links of all devices spend on movements.

    Raises
    ------
    ValueError
        If an energy is not known.
    """
    by_name = {axis.name: link for axis, link in zip(partition.axes, links, strict=True)}
    total = Fraction(0)
    for one in moved:
        energy = by_name[one.axis].energy
        if energy is None:
            raise ValueError(f"the energy of a byte along '{one.axis}' is not known")
        total += one.bytes * energy
    return total
