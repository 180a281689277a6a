"""What each device keeps by a plan of operators, by operator and kind: in tables, and for machines."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.blocks import ONCE
from hypar_opt.report.operators.peak import peak_document
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators import OperatorStep
    from hypar_opt.evaluation.operators.memory import Kept
    from hypar_opt.report.operators.blocks import RepeatedBlocks

KEPT_KINDS: Final[tuple[Kept, ...]] = ("parameters", "gradients", "states", "maps", "recomputed")
"""Of what is kept on a device, in the order in which they are shown."""


def memory_document(step: OperatorStep) -> dict[str, Any]:
    """Return what a plan takes on each device at its peak, and what operators keep by kind, recounted and exact."""
    kept = {name: own for name, own in step.kept.items() if own}
    return {
        **peak_document(step.peak),
        "operators": {name: {kind: exact(size) for kind, size in own.items()} for name, own in kept.items()},
    }


def kept_by_operator(
    kept: Mapping[str, Mapping[Kept, Fraction]], blocks: RepeatedBlocks, times: Mapping[str, int] = ONCE
) -> tuple[tuple[Kept, ...], list[tuple[str, list[Fraction]]]]:
    """Return the kinds that there are, and operators with the bytes of each; of equal ones together in one row.

    Parameters
    ----------
    kept
        Bytes on each device, by operator and kind.
    blocks
        Of the network.
    times
        By operator, for how many blocks in a row it stands.
    """
    there = {kind for own in kept.values() for kind, size in own.items() if size}
    kinds, nothing = tuple(kind for kind in KEPT_KINDS if kind in there), Fraction(0)
    items = [(name, tuple([own.get(kind, nothing) for kind in kinds])) for name, own in kept.items() if own]
    return kinds, [(one.label, [size * len(one.names) for size in one.value]) for one in blocks.folded(items, times)]


def memory_rows(step: OperatorStep, blocks: RepeatedBlocks) -> list[dict[str, Any]]:
    """Return a row an operator with what each device keeps of it by kind, and one of all; nothing where nothing is."""
    if blocks.spread is None:
        kinds, rows = kept_by_operator(step.kept, blocks)
    else:
        kept = {name: own for name, (own, _) in step.few_kept.items()}
        kinds, rows = kept_by_operator(kept, blocks, {name: times for name, (_, times) in step.few_kept.items()})
    if rows:
        sums = [sum(column, start=Fraction(0)) for column in zip(*(sizes for _, sizes in rows), strict=True)]
        rows.append(("all", sums))
    return [
        {"operator": label, **dict(zip((*kinds, "all"), map(in_bytes, (*sizes, sum(sizes))), strict=True))}
        for label, sizes in rows
    ]
