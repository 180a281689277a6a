"""From the weights of an objective to what a byte, a second of computing and a joule of it weigh."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.cost.computing import EXCHANGED
from hypar_opt.cost.links import level_weights
from hypar_opt.instance.objective.components import COMM_TIME, COMMUNICATION, COMPUTED, EXCHANGES, PLACED, parts_of
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hypar_opt.costgraph import Weight
    from hypar_opt.instance import Instance


@dataclass(frozen=True)
class Charges:
    """What an objective charges.

    Parameters
    ----------
    byte
        Of communication: one number, or one a level for a given placement.
    computed
        By component that depends on what an accelerator can do.
    exchanged
        By component that is a part of the communication.
    between
        Beside `byte`, of what boundaries exchange, where partial sums are exchanged by schedules: one number a level.
    summed
        Of a second that these take.
    """

    byte: Weight
    computed: Mapping[str, Fraction]
    exchanged: Mapping[str, Fraction] = field(default_factory=dict)
    between: Weight | None = None
    summed: Fraction = Fraction(0)


Known: TypeAlias = "dict[str, tuple[Fraction, ...]]"
"""By component: what a byte of every level weighs by it alone."""


def follow_routes(instance: Instance, names: Iterable[str], known: Known, over: Callable[[], bool] = never) -> None:
    """Find what a byte of every level weighs by components that depend on the placement, where one is given.

    Parameters
    ----------
    names
        Components, or totals of them.
    known
        As far as it was asked for; added to.
    over
        Asked now and then whether to stop.

    Raises
    ------
    Interrupted
        If it has to stop.
    MachineError
        If a link lacks what a component needs.
    """
    sites = instance.placement
    parts = {part for name in names for part in parts_of(name)}
    for name in PLACED:
        if sites is not None and name in parts and name not in known:
            known[name] = level_weights(instance.machine, {name: Fraction(1)}, sites, instance.partition, over)


def charges_of(instance: Instance, weights: Mapping[str, Fraction], known: Known) -> Charges:
    """Return what weights by component come to; totals are the sums of their parts.

    Parameters
    ----------
    weights
        By component.
    known
        Of components that were asked for before; added to. A level's weight is their sum: of hops, energy and the
        busiest link's time.

    Raises
    ------
    MachineError
        If a link lacks what a weight needs.
    """
    each: dict[str, Fraction] = {}
    for name, weight in weights.items():
        for part in parts_of(name):
            each[part] = each.get(part, Fraction(0)) + weight
    computed = {name: weight for name, weight in each.items() if name in COMPUTED and weight}
    exchanged = {name: weight for name, weight in each.items() if name in EXCHANGES and weight}
    moved: dict[str, Fraction] = {name: each[name] for name in (COMMUNICATION, *PLACED) if name in each}
    for name, of_a_byte in EXCHANGED.items():
        if name in computed:
            assert instance.accelerator is not None  # asked for where the objective weighs it
            weight = computed[name] * of_a_byte(instance.accelerator)
            moved[COMMUNICATION] = moved.get(COMMUNICATION, Fraction(0)) + weight
    sites = instance.placement
    if not any(moved.get(name) for name in PLACED) or sites is None:
        return Charges(moved.get(COMMUNICATION, Fraction(0)), computed, exchanged)
    follow_routes(instance, [name for name in PLACED if moved.get(name)], known)
    byte = [moved.get(COMMUNICATION, Fraction(0))] * instance.levels
    timed = moved.pop(COMM_TIME, Fraction(0)) if instance.scheduled_sums is not None else Fraction(0)
    for name in PLACED:
        if moved.get(name):
            byte = [sum_ + moved[name] * one for sum_, one in zip(byte, known[name], strict=True)]
    if not timed:
        return Charges(tuple(byte), computed, exchanged)
    between = tuple(timed * one for one in known[COMM_TIME])
    return Charges(tuple(byte), computed, exchanged, between, timed)
