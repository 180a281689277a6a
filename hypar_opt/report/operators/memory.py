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

AT_THE_TURN: Final[tuple[Kept, ...]] = ("parameters", "gradients", "states", "maps")
"""Of what is kept on a device at the turn of a step, in the order in which they are shown."""
RECOMPUTED: Final[Kept] = "recomputed"
"""Of what a block that runs once more makes anew: there later, when maps behind it are there no more."""


def memory_document(step: OperatorStep) -> dict[str, Any]:
    """Return what a plan takes on each device at its peak, and what operators keep by kind, recounted and exact."""
    kept = {name: own for name, own in step.kept.items() if own}
    return {
        **peak_document(step.peak),
        "operators": {name: {kind: exact(size) for kind, size in own.items()} for name, own in kept.items()},
    }


def kept_at_turn(kinds: Mapping[Kept, Fraction]) -> Fraction:
    """Return the bytes of all kinds that are there at the turn of a step."""
    return sum((size for kind, size in kinds.items() if kind in AT_THE_TURN), start=Fraction(0))


def kept_by_operator(
    kept: Mapping[str, Mapping[Kept, Fraction]], blocks: RepeatedBlocks, times: Mapping[str, int] = ONCE
) -> tuple[tuple[str, ...], list[tuple[str, list[Fraction]]]]:
    """Return the kinds that there are, and operators with the bytes of each; of equal ones together in one row.

    Behind those that are there at the turn is their sum, `all`, and last what is made anew later.

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
    kinds, later = ([kind for kind in these if kind in there] for these in (AT_THE_TURN, (RECOMPUTED,)))
    nothing = Fraction(0)

    def sizes(own: Mapping[Kept, Fraction]) -> tuple[Fraction, ...]:
        return (
            *(own.get(kind, nothing) for kind in kinds),
            kept_at_turn(own),
            *(own.get(kind, nothing) for kind in later),
        )

    items = [(name, sizes(own)) for name, own in kept.items() if own]
    rows = [(one.label, [size * len(one.names) for size in one.value]) for one in blocks.folded(items, times)]
    return (*kinds, "all", *later), rows


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
    return [{"operator": label, **dict(zip(kinds, map(in_bytes, sizes), strict=True))} for label, sizes in rows]
