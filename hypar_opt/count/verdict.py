"""A program's bytes and numbers as part of a verdict."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.count.jax_counter import TOLERANCE, count
from hypar_opt.count.small import smaller
from hypar_opt.export.read import read_step
from hypar_opt.util.numbers import in_full
from hypar_opt.verification.verdict import Check, CheckOutcome

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.count.jax_counter import Counted
    from hypar_opt.verification.verdict import Verdict

PROGRAM: Final = "program"
NUMBERS: Final = "numbers"
"""Names of the checks of what a program moves, and of what it computes."""


def with_program(verdict: Verdict, instance: str, path: Path) -> Verdict:
    """Return a verdict with what the program of a plan's file moves and computes; raises as its parts do."""
    step = read_step(instance, path)
    counted = count(step, runs=smaller(step))
    return replace(verdict, checks=(*verdict.checks, *checks_of(counted)))


def checks_of(counted: Counted) -> tuple[Check, ...]:
    """Return whether a program moves what is predicted, and, if it was run, computes what one device does."""
    first = next(iter(counted.different), None)
    if first is None:
        total = sum((line.counted for line in counted.lines), start=Fraction(0))
        moved = Check(PROGRAM, CheckOutcome.CONFIRMED, f"moves {in_full(total)} bytes, counted in XLA's program")
    else:
        what = f"{first.tensor or 'something'} {first.phase} for {first.reader or 'all'}, {first.kind} on {first.axis}"
        said = f"{in_full(first.counted)} bytes counted, {in_full(first.predicted)} predicted"
        moved = Check(PROGRAM, CheckOutcome.REFUTED, f"{what}: {said}")
    if counted.run is None:
        return (moved,)
    off = counted.run.most
    held = CheckOutcome.CONFIRMED if off <= TOLERANCE else CheckOutcome.REFUTED
    text = f"loss and gradients are those of one device within {off:.1e}, on {counted.ran_on}"
    return (moved, Check(NUMBERS, held, text))
