"""What partitioners of frameworks move from one placement to another, counted once a pair: tables, some shipped.

A table is of one framework in one version, on axes of given sizes. A pair stands as `0P>R0`: an entry an axis of where
a tensor lies and then of where it is needed, the number of a dimension in the order in which they come first, R for
whole, P for partial sums.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.instance.faults import checked
from hypar_opt.instance.fields import Name, Spec, refusal
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SCHEMA: Final = "hypar-opt/conversions/1"
FOLDER: Final = Path(__file__).parent
COMMAND: Final = "hypar-opt count-conversions"
"""What makes a table."""


def _share(text: str) -> str:
    try:
        if Fraction(text) > 0:
            return text
    except (ValueError, ZeroDivisionError):
        pass
    raise refusal(f"expected a fraction above 0 of the whole tensor, as text, got {shown(text)}")


Share: TypeAlias = Annotated[tuple[str, int, Annotated[str, AfterValidator(_share)]], Field(strict=False)]
"""A kind of collective, the number of an axis, and what all devices together receive, the whole tensor being one."""


class ConversionTable(Spec):
    """What a partitioner moves from each placement to each other."""

    schema_version: Literal["hypar-opt/conversions/1"] = Field(alias="schema", description="version of the format")
    framework: Name = Field(description="whose partitioner, as export --to has its programs")
    version: Name = Field(description="of the framework")
    axes: Annotated[tuple[int, ...], Field(strict=False, min_length=1)] = Field(description="their sizes")
    pairs: dict[str, Annotated[tuple[Share, ...], Field(strict=False)]] = Field(
        description="by pair of placements, kind of collective, number of an axis, and what all devices receive"
    )

    @model_validator(mode="after")
    def _pairs_are_of_the_axes(self) -> ConversionTable:
        for pair, shares in self.pairs.items():
            if [len(side) for side in pair.split(">")] != [len(self.axes)] * 2:
                raise refusal(f"expected of each side an entry for each of {len(self.axes)} axes, got {shown(pair)}")
            wrong = next((axis for _, axis, _ in shares if not 0 <= axis < len(self.axes)), None)
            if wrong is not None:
                raise refusal(f"expected the number of an axis, got {wrong} in {shown(pair)}")
        return self

    @property
    def title(self) -> str:
        """Whose it is, in which version."""
        return f"{self.framework} {self.version}"


def every_pair(axes: int) -> Iterator[str]:
    """Yield the pairs of different placements on so many axes: nothing is needed in partial sums."""

    def longer(text: str, split: int) -> Iterator[str]:
        if len(text) == 2 * axes:
            yield f"{text[:axes]}>{text[axes:]}"
            return
        for one in ("R", *("P" if len(text) < axes else ""), *map(str, range(split + 1))):
            yield from longer(text + one, split + (one == str(split)))

    return (pair for pair in longer("", 0) if pair[:axes] != pair[axes + 1 :])


def size_text(axes: Sequence[int]) -> str:
    """Return axes' sizes as names of tables have them."""
    return "x".join(map(str, axes))


def read_table(path: Path) -> ConversionTable:
    """Return the table of a file.

    Raises
    ------
    InputError
        If it cannot be read, or a field is wrong.
    """
    document = read_document(path)
    return checked(ConversionTable, document.data, document.error)


@cache
def shipped_table(axes: tuple[int, ...]) -> ConversionTable | None:
    """Return the shipped table of axes of some sizes, or None."""
    path = FOLDER / f"jax-gspmd-{size_text(axes)}.json"
    return ConversionTable.model_validate(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def shipped_sizes() -> tuple[str, ...]:
    """Return of which axes tables are shipped."""
    return tuple(sorted(path.stem.rpartition("-")[2] for path in FOLDER.glob("jax-gspmd-*.json")))
