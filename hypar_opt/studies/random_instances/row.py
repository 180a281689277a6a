"""What a campaign finds out about one chain under one accounting."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.communication import LEAF_EXACT
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hypar_opt.studies.random_instances.generator import Family


DECLINED = "DECLINED"
"""Stands for a status where a formulation declined an instance."""


@dataclass(frozen=True)
class CampaignRow:
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
        return None if self.gap is None else number(self.gap)

    @property
    def published_gap(self) -> Fraction | None:
        """How much the plan that `published` finds optimal costs more, relative to the optimum."""
        if self.published_plan is None or self.optimum is None or not self.decided:
            return None
        return relative(number(self.published_plan), number(self.optimum))

    def values(self) -> tuple[Any, ...]:
        """Return the fields in the order of `COLUMNS`."""
        return _values(self)


COLUMNS = tuple(field.name for field in fields(CampaignRow))
"""Names of a row's fields."""
_values: Final[Callable[[CampaignRow], tuple[Any, ...]]] = attrgetter(*COLUMNS)


def number(text: str) -> Fraction:
    """Return an exact number of its text; most are whole, which takes a fifth of the time."""
    return NONE if text == "0" else Fraction(text) if "/" in text else Fraction(int(text))


NONE: Final = Fraction(0)


def relative(value: Fraction, optimum: Fraction) -> Fraction:
    """Return how much a value is above the optimum, in optima.

    Every letter of a plan exchanges something, so only one accelerator (H = 0) has an optimum of 0, which all of
    its plans match.
    """
    return NONE if value == optimum else (value - optimum) / optimum


def gap_of(greedy_status: str, optimum_status: str, greedy: str | None, optimum: str | None) -> Fraction | None:
    """Return what a row's gap has to be; None where there is no plan that stood up, or no proven optimum."""
    if greedy is None or optimum is None:
        return None
    if greedy_status == Status.ERROR.value or optimum_status != Status.OPTIMAL.value:
        return None
    return relative(number(greedy), number(optimum))


MOST_CHAINS: Final = 10**9
"""Indices are below."""
_STATUSES: Final = (*(status.value for status in Status), DECLINED)
_COST: Final = re.compile(r"[1-9][0-9]{0,99}(/[1-9][0-9]{0,99})?")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class RowChecker:
    """Makes rows of what a store has, for one family and seed.

    Parameters
    ----------
    family, seed
        Whose rows.
    file
        For messages.
    """

    def __init__(self, family: Family, seed: int, file: Path | None) -> None:
        self._possible, self._file = _possible(family, seed), file

    def row(self, values: Sequence[Any]) -> CampaignRow:
        """Return the row.

        Raises
        ------
        InputError
            If a value cannot be there: names the file, the chain and the column.
        """
        found = dict(zip(COLUMNS, values, strict=True))
        for column in self._strange(found):
            raise InputError(
                f"chain {found['chain']!r:.30} under {found['accounting']!r:.30}: "
                f"its {column} cannot be {found[column]!r:.80}; the store is damaged",
                file=self._file,
            )
        return CampaignRow(*values)

    def _strange(self, found: dict[str, Any]) -> Iterator[str]:
        """Yield the columns that cannot be; the gap is computed only where what it is of can be."""
        yield from (column for column, possible in self._possible.items() if not possible(found[column]))
        gap = gap_of(found["greedy_status"], found["optimum_status"], found["greedy"], found["optimum"])
        if found["gap"] != (None if gap is None else str(gap)):
            yield "gap"
        if found["gap_float"] != (None if gap is None else float(gap)):
            yield "gap_float"
        if found["accounting"] != LEAF_EXACT and found["published_plan"] is not None:
            yield "published_plan"


def _possible(family: Family, seed: int) -> dict[str, Callable[[Any], bool]]:
    letters = family.letters
    return {
        "chain": lambda value: _within(value, (0, MOST_CHAINS - 1)),
        "accounting": lambda value: isinstance(value, str) and value in ACCOUNTINGS,
        "family": lambda value: value == family.name,
        "seed": lambda value: value == seed,
        "layers": lambda value: _within(value, family.layers),
        "levels": lambda value: _within(value, family.levels),
        "batch": lambda value: _within(value, family.batch),
        "choices": lambda value: value == letters,
        "sha256": lambda value: isinstance(value, str) and _SHA256.fullmatch(value) is not None,
        "greedy_status": lambda value: value in _STATUSES,
        "optimum_status": lambda value: value in _STATUSES,
        "greedy": _is_cost,
        "optimum": _is_cost,
        "published_plan": _is_cost,
    }


def _within(value: object, bounds: tuple[int, int]) -> bool:
    return isinstance(value, int) and bounds[0] <= value <= bounds[1]


def _is_cost(value: object) -> bool:
    """Say whether a value is a number above 0, as exact text in lowest terms, or None."""
    if value is None:
        return True
    return isinstance(value, str) and _COST.fullmatch(value) is not None and str(number(value)) == value
