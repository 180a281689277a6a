"""How long a training step takes by a plan of operators, by parts: computing, and communication along each axis."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.operators import PHASES, waits
from hypar_opt.report.numbers import in_si
from hypar_opt.report.operators.phases import shown_phases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.operators import OperatorStep
    from hypar_opt.util.partition import Partition

COMPUTING: Final = "computing"


def seconds_of(step: OperatorStep) -> Mapping[tuple[str, str], Fraction]:
    """Return the seconds of a step by part and phase: computing, and axes; what the array does not tell is left out."""
    found = defaultdict[tuple[str, str], Fraction](Fraction)
    for work in step.works:
        found[COMPUTING, work.phase] += work.seconds
    if step.is_timed:
        for phase in PHASES:
            of_phase = [each for each in step.movements if each.phase == phase]
            if phase == "recompute" and not of_phase:
                continue
            for axis, seconds in waits(of_phase, step.partition, step.links).items():
                found[f"along {axis}", phase] += seconds
    crossed = step.crossed
    if crossed is not None:
        for exchange, part, times in crossed.parts if crossed.seconds is not None else ():
            found[f"along {axes_named(step.partition, exchange.axes)}", exchange.phase] += (part.seconds or 0) * times
    return dict(found)


def axes_named(partition: Partition, axes: Sequence[int]) -> str:
    """Return the names of some axes, outermost first."""
    return " x ".join(partition.axes[axis].name for axis in axes)


def time_rows(step: OperatorStep) -> list[dict[str, Any]]:
    """Return a row a part with the seconds of each phase, and one of all; nothing where nothing is known."""
    found = seconds_of(step)
    parts, phases = list(dict.fromkeys(part for part, _ in found)), shown_phases(phase for _, phase in found)
    rows = {part: [found.get((part, phase), Fraction(0)) for phase in phases] for part in parts}
    if len(rows) > 1:
        rows["all"] = [sum(column, start=Fraction(0)) for column in zip(*rows.values(), strict=True)]
    return [
        {
            "": part,
            **{phase: in_si(float(one), "s") for phase, one in zip((*phases, "step"), (*row, sum(row)), strict=True)},
        }
        for part, row in rows.items()
    ]
