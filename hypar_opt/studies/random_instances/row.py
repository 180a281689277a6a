"""What a campaign finds out about one chain under one accounting."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from fractions import Fraction
from typing import Any

from hypar_opt.plan import Status


@dataclass(frozen=True)
class Row:
    """One chain under one accounting. Nothing in it depends on the machine or on when it was made.

    Parameters
    ----------
    family, seed, chain, accounting
        Which instance: the same chain for all accountings.
    layers, levels, batch, choices
        Its weighted layers, H, samples, letters.
    sha256
        Of the instance, to see that one drawn again is the same.
    greedy_status, optimum_status
        Of hypar-dp and joint-dp.
    greedy, optimum
        Their plans' bytes, as exact text; None without a plan.
    gap
        (greedy - optimum) / optimum, as exact text; None where joint-dp proved nothing.
    gap_float
        The same, rounded.
    published_plan
        Under `leaf-exact`, what the optimum of `published` costs; None elsewhere, or where that was not proven.
    """

    family: str
    seed: int
    chain: int
    accounting: str
    layers: int
    levels: int
    batch: int
    choices: str
    sha256: str
    greedy_status: str
    optimum_status: str
    greedy: str | None
    optimum: str | None
    gap: str | None
    gap_float: float | None
    published_plan: str | None

    @property
    def decided(self) -> bool:
        """Whether there is a proven optimum to measure the greedy plan against."""
        return self.gap is not None

    @property
    def faulty(self) -> bool:
        """Whether a result did not stand up to recomputation, or a plan beats what was proven to be optimal."""
        errors = Status.ERROR.value in (self.greedy_status, self.optimum_status)
        gaps = (self.exact_gap, self.published_gap)
        return errors or any(gap is not None and gap < 0 for gap in gaps)

    @property
    def exact_gap(self) -> Fraction | None:
        """How much the greedy plan costs more, relative to the optimum."""
        return None if self.gap is None else Fraction(self.gap)

    @property
    def published_gap(self) -> Fraction | None:
        """How much the plan that `published` finds optimal costs more, relative to the optimum."""
        if self.published_plan is None or self.optimum is None or not self.decided:
            return None
        return relative(Fraction(self.published_plan), Fraction(self.optimum))

    def values(self) -> tuple[Any, ...]:
        """Return the fields in the order of `COLUMNS`."""
        return astuple(self)


COLUMNS = tuple(field.name for field in fields(Row))
"""Names of a row's fields."""


def relative(value: Fraction, optimum: Fraction) -> Fraction:
    """Return how much a value is above the optimum, in optima.

    Every letter of a plan exchanges something, so only one accelerator (H = 0) has an optimum of 0, which all of
    its plans match.
    """
    return Fraction(0) if value == optimum else (value - optimum) / optimum


def gap_of(greedy_status: str, optimum_status: str, greedy: str | None, optimum: str | None) -> Fraction | None:
    """Return what a row's gap has to be; None where there is no plan that stood up, or no proven optimum."""
    if greedy is None or optimum is None:
        return None
    if greedy_status == Status.ERROR.value or optimum_status != Status.OPTIMAL.value:
        return None
    return relative(Fraction(greedy), Fraction(optimum))
