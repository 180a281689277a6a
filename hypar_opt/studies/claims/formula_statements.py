"""What a claim can state of a printed formula: that it is what a plan moves."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.instance.fields import Size, refusal
from hypar_opt.studies.claims.statement_parts import Statement
from hypar_opt.studies.formulae import FORMULAE, FormulaSetting

if TYPE_CHECKING:
    FormulaName: TypeAlias = str
else:
    FormulaName = Literal[tuple(FORMULAE)]

MOST_GRIDS: Final = 100
MOST_PROCESSES: Final = 1 << 10
MOST_WIDTHS: Final = 100
BYTES: Final = 4
"""Of an element."""


def _halved(grid: tuple[int, int]) -> tuple[int, int]:
    rows, columns = grid
    if rows & (rows - 1) or columns & (columns - 1) or rows * columns > MOST_PROCESSES:
        raise refusal(f"expected two powers of two, at most {MOST_PROCESSES:,} processes, got {rows} x {columns}")
    return grid


Grid: TypeAlias = Annotated[tuple[Size, Size], Field(strict=False), AfterValidator(_halved)]
"""Processes that divide outputs, and that divide the batch."""


class OfFormula(Statement):
    """A formula is what a plan of the project moves, on every grid of processes."""

    of_instances: ClassVar[bool] = False
    formula: FormulaName = Field(description="which")
    reading: Literal["printed", "corrected"] = Field("printed", description="as it is printed, or put right")
    batch: Size = Field(description="samples of a step")
    widths: Annotated[tuple[Size, ...], Field(strict=False, min_length=2, max_length=MOST_WIDTHS)] = Field(
        description="features of the input, then of every layer, all of them linear"
    )
    grids: Annotated[tuple[Grid, ...], Field(strict=False, min_length=1, max_length=MOST_GRIDS)] = Field(
        description="processes that divide outputs, and that divide the batch: powers of two"
    )

    @property
    def says(self) -> str:
        """The formula, as it is read."""
        one = FORMULAE[self.formula]
        return (one.as_printed if self.reading == "printed" else one.as_corrected or one.as_printed)[:100]

    @property
    def settings(self) -> tuple[FormulaSetting, ...]:
        """Of every grid; beta is the bytes of an element, alpha 0."""
        return tuple(
            FormulaSetting(self.batch, self.widths, rows, columns, beta=Fraction(BYTES)) for rows, columns in self.grids
        )

    @model_validator(mode="after")
    def _can_be_compared(self) -> Self:
        one = FORMULAE[self.formula]
        if one.counterpart is None:
            others = ", ".join(name for name, other in FORMULAE.items() if other.counterpart is not None)
            raise refusal(f"no plan of layers has what '{one.name}' says; expected one of {others}", at="formula")
        return self
