"""Writes a training step line by line: operators on parts, and between them the conversions of a plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE
from hypar_opt.export.jax.identifiers import identifiers
from hypar_opt.export.jax.tables import Row
from hypar_opt.export.lying import Digit
from hypar_opt.export.stages import MOVING, ConversionStage, lacks_parts, stages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.planned import PlannedStep

CALLS: Mapping[str, str] = {
    "slice": "cut_off",
    "reduce-scatter": "reduce_scatter",
    "all-gather": "all_gather",
    "embed": "embed",
}
"""What stages are called in programs that say only which digits they cut off or put back."""
UNPARTED = "what a device has of it falls into no equal parts"
"""Why a conversion moves more than it is said to."""
TAKEN = ("jax", "jnp", "lax", "os", "np", "P", "scope", "step", "parameters", "inputs", "loss", "updated")
"""Names that programs have for other things."""


@dataclass
class Writer:
    """Of one step.

    Parameters
    ----------
    step
        What is written.
    reserved
        Names that stand for something else.
    """

    step: PlannedStep
    reserved: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list)
    functions: dict[tuple[str, str], str] = field(default_factory=dict)
    given: dict[str, Row] = field(default_factory=dict)
    kept: dict[str, Row] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    begun: Counter[str] = field(default_factory=Counter)
    sources: dict[str, tuple[str, str, str | None]] = field(default_factory=dict)
    reasons: dict[tuple[str, str, str | None], str] = field(default_factory=dict)

    @cached_property
    def outputs(self) -> Mapping[str, str]:
        """By operator, the tensor that it writes."""
        return {one.name: one.output.tensor for one in self.step.graph.operators}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """By tensor, its variable."""
        return identifiers(self.step.graph.tensors, (*TAKEN, *self.reserved))

    def line(self, text: str, depth: int = 1) -> None:
        """Write a line."""
        self.lines.append("    " * depth + text)

    def comment(self, text: str) -> None:
        """Write a comment behind an empty line."""
        self.lines += ["", f"    # {text}"]

    def function(self, name: str, arguments: Sequence[str], body: str) -> str:
        """Return the name of a function of what lies on one device; operators that compute alike have one."""
        found = self.functions.get((", ".join(arguments), body))
        if found is not None:
            return found
        self.functions[", ".join(arguments), body] = made = f"{name}_of_parts"
        return made

    def orders(self, tensor: str) -> tuple[tuple[int, ...], ...]:
        """Return the axes whose digits a tensor's dimensions have."""
        if tensor in self.kept:
            return self.kept[tensor].orders
        return self.step.layouts.of(tensor, len(self.step.graph.tensors[tensor].sizes))

    def scope(self, tensor: str, phase: str, reader: str | None, part: str = "") -> str:
        """Return what a conversion is called in a program.

        Parameters
        ----------
        tensor, phase, reader
            Which one; the reader is an operator's name.
        part
            What stands for the phase, where in that there is another conversion of the tensor for the reader.
        """
        names = self.names
        plain = tensor if tensor in names else tensor.rpartition(":")[0]
        own = names[plain] if plain == tensor else f"{names[plain]}_sums"
        called = "/".join((own, part or phase, names[self.outputs[reader]] if reader else "all"))
        self.sources[called] = (tensor, phase, reader)
        return called

    def convert(
        self,
        name: str,
        tensor: str,
        have: Placement,
        need: Placement,
        scope: str,
        into: str | None = None,
        anew: bool = False,
        after: str | None = None,
    ) -> str:
        """Write a conversion, and return the variable that it ends in.

        Parameters
        ----------
        name, tensor
            The variable, and the tensor that it has parts of.
        have, need
            How it lies and shall lie.
        scope
            What the conversion is called.
        into
            The variable to end in; the same unless given.
        anew
            Whether it is done once more, although what came of it is there.
        after
            Then, the variable of what has to be there before, if anything.
        """
        graph, step = self.step.graph, self.step
        shape = graph.tensors[tensor].sizes
        found = list(stages(shape, self.orders(tensor), step.sizes, have, need, step.fastest))
        if not found:
            return name
        if lacks_parts(found):
            self.reasons[self.sources[scope]] = UNPARTED
        target = into or name
        self.line(f'with scope("{scope}"):')
        if any(stage.name in MOVING for stage in found):
            name = self._distinct(found[0], name, target, anew, after)
        for stage in found:
            self.line(f"{target} = {self.call(stage, name)}", 2)
            name = target
        return target

    def _distinct(self, stage: ConversionStage, name: str, target: str, anew: bool, after: str | None) -> str:
        """Return the variable that a conversion begins with, such that no compiler takes another's result for it."""
        begun = self.call(stage, self.same.get(name, name))
        times = max(self.begun[begun], int(anew))
        self.begun[begun] = times + 1
        if times and after is not None:  # both are used: of what is not, barriers are rid
            self.line(f"{target}, {after} = again(({name}, {after}))", 2)
            return target
        # two barriers of one variable are one to compilers, but not one and one behind another
        return "again(" * times + name + ")" * times

    def call(self, stage: ConversionStage, name: str) -> str:
        """Return the expression of a stage."""
        if stage.name in CALLS:
            return f"{CALLS[stage.name]}({name}, {self.cuts(stage.cuts)})"
        if stage.name == "all-to-all":
            return f"all_to_all({name}, [{self.cuts(stage.cuts)}], [{self.cuts(stage.into)}])"
        return f"{stage.name.replace('-', '_')}({name}, {self.quoted(stage.axes)})"

    def cuts(self, cuts: Iterable[Digit]) -> str:
        """Return digits as programs have them."""
        found = []
        for cut in cuts:
            size = "" if cut.size is None else f", {cut.size}"
            if cut.dealing is not None:
                size += f", {cut.dealing.size}, {self.listed(cut.dealing.axes)}, {self.listed(cut.dealing.there)}"
            found.append(f'("{self.step.axes[cut.axis]}", {cut.dimension}, {cut.before}{size})')
        return ", ".join(found)

    def quoted(self, axes: Iterable[int]) -> str:
        """Return axes as programs have them."""
        return ", ".join(f'"{self.step.axes[axis]}"' for axis in axes)

    def listed(self, axes: Sequence[int]) -> str:
        """Return axes as programs have them where they stand together."""
        return f"({self.quoted(axes)}{',' if len(axes) == 1 else ''})"

    def partial_axes(self, placement: Placement) -> tuple[int, ...]:
        """Return the axes on which there are partial sums, slowest first."""
        return tuple(axis for axis in reversed(self.step.fastest) if placement[axis] == PARTIAL)

    def summed(self, placement: Placement) -> Placement:
        """Return a placement with all partial sums added up."""
        return tuple(WHOLE if entry == PARTIAL else entry for entry in placement)

    def input(self, row: Row, name: str) -> str:
        """Return the key of something that the step is given, noted once for all that need it alike."""
        for key, known in self.given.items():
            if known == row:
                return key
        key = row.source if row.source not in self.given else f"{row.source} for {name}"
        self.given[key] = row
        return key
