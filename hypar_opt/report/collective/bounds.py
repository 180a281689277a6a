"""What no schedule of a collective is below, each bound with what proves it."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.evaluation.collective.bound import BoundProver
from hypar_opt.evaluation.collective.packing_bound import PackingProver
from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.numbers import in_component
from hypar_opt.report.tables import Column, Entry, Table
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.collective.bound import ProvenBound
    from hypar_opt.instance.collective import CollectiveInstance

MOST_NAMED: Final = 12
"""Nodes of a cut that are named."""
MOST_TOLD: Final = 64
"""Accelerators up to which what proves a bound is looked for while a terminal waits."""


class KindOfBound(NamedTuple):
    """A bound, and of which kind it is.

    Parameters
    ----------
    kind
        In words.
    proven
        Its value and why.
    """

    kind: str
    proven: ProvenBound


def bounds_of(instance: CollectiveInstance) -> tuple[KindOfBound, ...]:
    """Return the best bound of every kind, the greatest first."""
    found = _of_bandwidth(PackingProver(instance)) if instance.goal == "bandwidth" else _bounds(BoundProver(instance))
    return tuple(sorted(found, key=lambda one: -one.proven.value))


def _of_bandwidth(prover: PackingProver) -> Iterator[KindOfBound]:
    yield KindOfBound("tightest cut", prover.by_narrow_cut)
    yield KindOfBound("messages in all", prover.by_messages)


def _bounds(prover: BoundProver) -> Iterator[KindOfBound]:
    yield KindOfBound("cut around one accelerator", prover.by_single_cut)
    narrow = prover.by_narrow_cut
    if narrow is not None:
        yield KindOfBound("tightest cut", narrow)
    late = prover.by_late_chunks
    if late is not None:
        yield KindOfBound("chunks from afar", late)
    yield KindOfBound("longest way", prover.by_way)
    yield KindOfBound("messages in all", prover.by_messages)


def in_goal(instance: CollectiveInstance, value: Fraction) -> str:
    """Return a value of the objective with its unit: `4 steps`, or seconds with a prefix."""
    if instance.goal in ("time", "bandwidth"):
        return in_component(TIME, value)
    return f"{in_full(value)} {instance.goal if value != 1 else instance.goal.removesuffix('s')}"


def why_no_less(instance: CollectiveInstance, bound: Fraction) -> str:
    """Return what proves that nothing is below a bound, in a sentence; nothing where sums do not show it.

    Large arrays are left to `verify` and to reports.
    """
    if len(instance.machine.accelerators) > MOST_TOLD:
        return ""
    found = next((one.proven for one in _bounds(BoundProver(instance)) if one.proven.value == bound), None)
    return "" if found is None else f"no schedule is below {in_goal(instance, bound)}: {found.text}"


def bounds_table(instance: CollectiveInstance, found: tuple[KindOfBound, ...]) -> Table:
    """Return a row a kind of bound."""
    columns = (
        Column("kind", "Kind"),
        Column("bound", "No schedule is below"),
        Column("why", "Because", width=0.4),
        Column("nodes", "Cut around", width=0.3),
    )
    best = found[0].proven.value
    rows = tuple(
        {
            "kind": Entry(kind),
            "bound": Entry(proven.value, in_goal(instance, proven.value), best=proven.value == best),
            "why": Entry(proven.text),
            "nodes": Entry(_named(instance, proven.inside) or None),
        }
        for kind, proven in found
    )
    return Table("bounds", "Bounds", columns, rows, ("Recounted by code that shares nothing with any search",))


def _named(instance: CollectiveInstance, nodes: tuple[int, ...]) -> str:
    names = instance.machine.names
    more = f" and {len(nodes) - MOST_NAMED:,} more" if len(nodes) > MOST_NAMED else ""
    return " ".join(names[node] for node in islice(nodes, MOST_NAMED)) + more
