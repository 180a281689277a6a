"""What a claim can state of variants of conjugate gradients, whose iterations are tasks in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from hypar_opt.instance.fields import Given, refusal
from hypar_opt.studies.claims.cg_quantities import CG_QUANTITIES, MAKESPAN
from hypar_opt.studies.claims.statement_parts import Statement
from hypar_opt.studies.conjugate_gradient import VARIANTS, Loop

MOST_BLOCKS = 64
MOST_ITERATIONS = 16
MOST_WORKERS = 1024
Workers: TypeAlias = Annotated[int, Field(ge=1, le=MOST_WORKERS)]
if TYPE_CHECKING:
    VariantName: TypeAlias = str
    CgQuantityName: TypeAlias = str
else:
    VariantName = Literal[tuple(VARIANTS)]
    CgQuantityName = Literal[(*CG_QUANTITIES, MAKESPAN)]


class OfConjugateGradient(Statement):
    """Counts of an iteration of a variant, or the least makespan of some iterations, a unit a task."""

    of_instances: ClassVar[bool] = False
    variant: VariantName = Field(description="of conjugate gradients")
    quantity: CgQuantityName = Field(description="what of it")
    blocks: Annotated[int, Field(ge=1, le=MOST_BLOCKS)] = Field(3, description="into which vectors are cut")
    iterations: Annotated[int, Field(ge=1, le=MOST_ITERATIONS)] = Field(2, description="of a makespan")
    workers: Annotated[tuple[Workers, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="of a makespan: how many there are, each by itself"
    )
    equals: Annotated[int | None, Given] = Field(None, ge=0, description="what it is")
    no_longer_than: Annotated[VariantName | None, Given] = Field(
        None, description="or the variant whose makespan is as long or longer, on each number of workers"
    )

    @property
    def says(self) -> str:
        """The quantity, and what it is said to be."""
        said = self.equals if self.no_longer_than is None else f"no more than of {self.no_longer_than}"
        return f"{self.quantity} of {self.variant}: {said}"

    def loop(self, variant: str, iterations: int) -> Loop:
        """Return iterations of a variant; those that fuse them have no barrier."""
        return Loop(VARIANTS[variant], self.blocks, iterations)

    @model_validator(mode="after")
    def _one_relation(self) -> Self:
        if (self.equals is None) == (self.no_longer_than is None):
            raise refusal(f"expected one of equals, no_longer_than, got {'none' if self.equals is None else 'both'}")
        timed = self.quantity == MAKESPAN
        if timed != (self.workers is not None):
            raise refusal(f"expected {'some' if timed else 'none'} for '{self.quantity}'", at="workers")
        if self.no_longer_than is not None and not timed:
            raise refusal(f"is of makespans, got '{self.quantity}'", at="no_longer_than")
        return self
