"""Rows as a store gives them back: checked, since anybody can write to a file."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.boxes import LEAF_EXACT
from hypar_opt.campaign.measuring import DECLINED
from hypar_opt.campaign.row import COLUMNS, Row, gap_of
from hypar_opt.errors import InputError
from hypar_opt.plan import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hypar_opt.campaign.family import Family

MOST_CHAINS: Final = 10**9
"""Indices are below."""
_STATUSES: Final = (*(status.value for status in Status), DECLINED)
_COST: Final = re.compile(r"[1-9][0-9]{0,99}(/[1-9][0-9]{0,99})?")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class Checker:
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

    def row(self, values: Sequence[Any]) -> Row:
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
        return Row(*values)

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
    from hypar_opt.cost import ACCOUNTINGS

    return {
        "chain": lambda value: _within(value, (0, MOST_CHAINS - 1)),
        "accounting": lambda value: isinstance(value, str) and value in ACCOUNTINGS,
        "family": lambda value: value == family.name,
        "seed": lambda value: value == seed,
        "layers": lambda value: _within(value, family.layers),
        "levels": lambda value: _within(value, family.levels),
        "batch": lambda value: _within(value, family.batch),
        "choices": lambda value: value == family.letters,
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
    return isinstance(value, str) and _COST.fullmatch(value) is not None and str(Fraction(value)) == value
