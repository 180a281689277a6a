"""An operator as it is written into a program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.evaluation.operators.program import Phase
    from hypar_opt.export.jax.site import OperatorSite
    from hypar_opt.export.jax.writer import Writer


@dataclass
class WrittenOperator:
    """An operator in a program.

    Parameters
    ----------
    writer
        What it is written into.
    site
        The operator.
    reads
        The variables of what it reads, by operand, as it needs them.
    output
        The variable of what it writes.
    error
        That of the output's gradient, as the operator needs it.
    gradients
        By operand that has a gradient, the variable of that.
    phase
        In which it runs: forward, or once more in the backward phase, `recompute`.
    """

    writer: Writer
    site: OperatorSite
    reads: Sequence[str]
    output: str
    error: str = ""
    gradients: Mapping[int, str] = field(default_factory=dict)
    phase: Phase = "forward"

    @property
    def word(self) -> tuple[str, ...]:
        """By axis, what is split."""
        return self.writer.step.plan.words[self.site.operator.name]

    @property
    def name(self) -> str:
        """A name for functions of it."""
        return self.writer.names[self.site.operator.output.tensor]

    def viewed(self) -> str:
        """Return the first operand as the operator sees it."""
        return self.site.read(0, self.reads[0])

    def write_gradient(self, expression: str) -> None:
        """Write the gradient of the first operand, by that of what the operator sees of it."""
        target, view = self.gradients[0], self.site.read(0, "x")
        if view == "x":
            self.writer.line(f"{target} = {expression}")
            return
        function = self.writer.function(f"{self.name}_view", ["x"], view)
        self.writer.line(f"({target},) = gradients({function}, {expression}, {self.reads[0]}, of=(0,))")

    def summed_axes(self) -> tuple[int, ...]:
        """Return the axes along which the operator's own sums are partial, slowest first."""
        kept = {"none", *(dim for one in self.site.operator.statistics for dim in one.dims)}
        return tuple(axis for axis in reversed(self.writer.step.fastest) if self.word[axis] not in kept)

    def axes(self) -> str:
        """Return these axes as an argument."""
        return f"({self.writer.quoted(self.summed_axes())}{',' if len(self.summed_axes()) == 1 else ''})"

    def write_sums(self, phase: Phase, line: str) -> None:
        """Write a line that sums up over other devices."""
        if not self.summed_axes():
            self.writer.line(line)
            return
        name = self.site.operator.name
        self.writer.line(f'with scope("{self.writer.scope(f"{name}:statistic", phase, name)}"):')
        self.writer.line(line, 2)


@dataclass(frozen=True)
class WrittenKind:
    """How operators of a kind are written.

    Parameters
    ----------
    forward, backward
        Write the phase.
    whole
        From an operator, the variables of what it reads and that of what it writes to lines for one device.
    """

    forward: Callable[[WrittenOperator], None]
    backward: Callable[[WrittenOperator], None]
    whole: Callable[[OperatorSite, Sequence[str], str], Sequence[str]]


def spread(site: OperatorSite, place: int, name: str) -> str:
    """Return an operand as it goes along dimensions of the output alone."""
    dims, sizes = site.operator.operands[place].dims, site.local_output()
    shape = tuple(size if dim in dims else 1 for dim, size in zip(site.operator.output.dims, sizes, strict=True))
    return f"{name}.reshape({', '.join(map(str, shape))})"


def others(site: OperatorSite, place: int) -> str:
    """Return the dimensions of the output along which an operand does not go."""
    dims = site.operator.operands[place].dims
    return str(tuple(number for number, dim in enumerate(site.operator.output.dims) if dim not in dims))
