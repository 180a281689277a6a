"""How long steps take: as long as each other, as is given, or by counted operations and bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from hypar_opt.instance.text import shown
from hypar_opt.studies.conjugate_gradient.operations import OPERATIONS, Block
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.conjugate_gradient.listing import Variant
    from hypar_opt.studies.conjugate_gradient.unrolling import LoopStep


@dataclass(frozen=True)
class MatrixWork:
    """A matrix and a worker, from which seconds follow: flops / rate + bytes / bandwidth.

    Parameters
    ----------
    rows, nonzeros
        Of the matrix.
    rate, bandwidth
        Of one worker: floating-point operations and bytes a second, as if all worked.
    """

    rows: int
    nonzeros: int
    rate: Fraction
    bandwidth: Fraction

    def seconds(self, step: LoopStep, blocks: int) -> Fraction:
        """Return what a step takes; 0 of what is done once.

        Rows are cut as evenly as whole rows can be, the first blocks having one more; nonzeros as rows.
        """
        operation = step.kernel.operation
        if step.block is None:
            return Fraction(0)
        rows = self.rows // blocks + (step.block <= self.rows % blocks)
        block = Block(rows, Fraction(self.nonzeros * rows, self.rows))
        return operation.flops(block) / self.rate + operation.bytes_(block) / self.bandwidth


@dataclass(frozen=True)
class Durations:
    """Seconds of steps.

    Parameters
    ----------
    given
        By name of a listing's line or of an operation; the line's own goes first.
    counted
        What the others take; None for a second each, and none of barriers.
    """

    given: Mapping[str, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    counted: MatrixWork | None = None

    def check(self, variant: Variant) -> None:
        """Check that what is given is of the listing.

        Raises
        ------
        InputError
            If a name is neither a line's nor an operation's.
        """
        known = (*OPERATIONS, *(kernel.writes for kernel in variant.kernels))
        for name in self.given:
            if name not in known:
                hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
                raise InputError(
                    f"{variant.name} has no operation or line called {shown(name)}{hint}", field="--seconds"
                )

    def of(self, step: LoopStep, blocks: int) -> Fraction:
        """Return the seconds of a step where there are so many blocks."""
        operation = step.kernel.operation
        for name in (step.kernel.writes, operation.name):
            if name in self.given:
                return self.given[name]
        if self.counted is not None:
            return self.counted.seconds(step, blocks)
        return Fraction(operation.name != "barrier")

    def of_all(self, steps: Sequence[LoopStep], blocks: int) -> list[Fraction]:
        """Return the seconds of many steps, in their order; those of one line and block are computed once."""
        found: dict[tuple[str, int | None], Fraction] = {}
        for step in steps:
            if (step.kernel.writes, step.block) not in found:
                found[step.kernel.writes, step.block] = self.of(step, blocks)
        return [found[step.kernel.writes, step.block] for step in steps]
