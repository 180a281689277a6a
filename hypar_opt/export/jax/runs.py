"""Operators as they run, in the forward phase, and those once more that a plan computes anew for the backward one."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import WHOLE, AxisPlacement, written
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement
from hypar_opt.export.jax.kinds import kind_of
from hypar_opt.export.jax.operands import Operands
from hypar_opt.export.jax.second_run import is_given, is_lying_anew
from hypar_opt.export.jax.site import OperatorSite
from hypar_opt.export.jax.tables import Row
from hypar_opt.export.jax.written import WrittenOperator
from hypar_opt.export.planned import sizes_by_dim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.evaluation.operators.program import Phase
    from hypar_opt.export.jax.second_run import SecondRun
    from hypar_opt.export.jax.writer import Writer
    from hypar_opt.instance.operators import Operator
    from hypar_opt.instance.operators.made import MadeLayer


@dataclass
class OperatorRuns:
    """Of the operators of one step.

    Parameters
    ----------
    writer
        What takes the lines.
    reads
        By operator and operand, the variable of what its backward phase reads.
    made
        By operator, the variable of what it wrote, as it wrote it.
    """

    writer: Writer
    reads: dict[tuple[str, int], str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)

    @cached_property
    def operands(self) -> Operands:
        """What operators read."""
        return Operands(self.writer)

    @cached_property
    def layers(self) -> Mapping[str, MadeLayer]:
        """By operator, the layer that it comes from."""
        step = self.writer.step
        return {step.graph.operators[number].name: layer for layer in step.layers for number in layer.operators}

    def site(self, operator: Operator) -> OperatorSite:
        """Return an operator with its parts."""
        step = self.writer.step
        parts = dict(sizes_by_dim(step, step.plan.words[operator.name]))
        parts.pop("none", None)
        cuts = {dim: self._cuts(operator, dim) for dim in parts}
        return OperatorSite(step.graph, operator, self.layers[operator.name], parts, cuts)

    def _cuts(self, operator: Operator, dim: str) -> str:
        """Return the digits that an operator's axes cut off of one of its dimensions, as if it lay alone."""
        step, writer = self.writer.step, self.writer
        places = ((one.tensor, one.position(dim)) for one in (*operator.operands, operator.output))
        tensor, place = next((tensor, place) for tensor, place in places if place is not None)
        order = writer.orders(tensor)[place]
        word = step.plan.words[operator.name]
        placement = tuple(AxisPlacement(0) if entry == dim else WHOLE for entry in word)
        return writer.cuts(Row(dim, (operator.sizes[dim],), placement, (order,)).cuts(step.sizes))

    def run(self, operator: Operator) -> None:
        """Write what an operator does in the forward phase, until its output lies where it is read from."""
        writer, graph = self.writer, self.writer.step.graph
        site = self.site(operator)
        for place in range(len(operator.operands)):
            self.reads[operator.name, place] = self.operands.read(site, place)
        output = operator.output.tensor
        name, have = self._write(site, writer.names[output], "forward")
        if is_shared(graph, output):
            need = shared_placement(graph, output, writer.step.plan.shared[output][0])
        elif not graph.readers[output]:
            need = writer.summed(have)
        else:
            return
        # its own backward phase may read it as it was written
        into = f"{name}_for_all" if operator.output.saved else None
        lies = writer.convert(name, output, have, need, writer.scope(output, "forward", None), into)
        self.operands.lies[output] = (lies, need)
        if operator.kind == "loss":
            scale = 1 / graph.tensors[output].elements / self.copies(need)
            writer.line(f"loss += {scale!r} * {name}.sum()")

    def _write(self, site: OperatorSite, name: str, phase: Phase) -> tuple[str, Placement]:
        """Write an operator in a phase, and return its output's variable and how it lies."""
        operator = site.operator
        reads = [self.reads[operator.name, place] for place in range(len(operator.operands))]
        kind_of(operator).forward(WrittenOperator(self.writer, site, reads, name, phase=phase))
        emptied = site.emptied(operator.output, name)
        if emptied != name:
            self.writer.line(f"{name} = {emptied}")
        have = written(operator, self.writer.step.plan.words[operator.name])
        self.made[operator.name] = name
        self.operands.lies[operator.output.tensor] = (name, have)
        return name, have

    def copies(self, placement: Placement) -> int:
        """Return how many devices have the same of a tensor."""
        entries = zip(self.writer.step.sizes, placement, strict=True)
        return prod(size for size, entry in entries if entry.position is None)

    def run_again(self, run: SecondRun, error: str | None) -> None:
        """Write what a block does once more.

        Parameters
        ----------
        run
            The block.
        error
            The variable of a gradient that the backward phase has come to, before which nothing is to be done.
        """
        writer, graph, plan = self.writer, self.writer.step.graph, self.writer.step.plan
        sites = [self.site(graph.operators[number]) for number in run.numbers]
        self._delay(run, sites, error)
        for site in sites:
            operator = site.operator
            for place, lead in self.operands.leading(operator).items():
                found = self._given(run, site, place, error) if place == lead else self.reads[operator.name, lead]
                self.reads[operator.name, place] = found or self.reads[operator.name, place]
            if operator.name not in run.again:
                continue
            output = operator.output.tensor
            name, have = self._write(site, f"{writer.names[output]}_again", "recompute")
            if is_lying_anew(graph, plan, output):
                need = shared_placement(graph, output, plan.shared[output][0])
                into = f"{name}_for_all" if operator.output.saved else None
                lies = writer.convert(name, output, have, need, writer.scope(output, "recompute", None), into)
                self.operands.lies[output] = (lies, need)

    def _given(self, run: SecondRun, site: OperatorSite, place: int, error: str | None) -> str | None:
        """Return the variable of an operand for a second run, or for the backward phase after it, if it is another."""
        step, operator = self.writer.step, site.operator
        if is_given(step.graph, step.plan, run, operator, place):
            return self.operands.read_once_more(site, place)
        if operator.name not in run.again:
            return None
        gathered = self.operands.read_again(site, place, error, runs_again=True)
        plain = self.operands.plain.get((operator.name, place))
        return gathered if gathered or not plain else self.operands.widen(site, place, plain, "recompute")

    def _delay(self, run: SecondRun, sites: Sequence[OperatorSite], error: str | None) -> None:
        """Write what keeps the compiler from taking what was computed first, or from computing again too early."""
        step, known = self.writer.step, self.operands
        later: dict[str, str] = {}

        def delayed(name: str, tensor: str) -> str:
            if name in later.values():
                return name
            plain = name if name.isidentifier() else self.writer.names[tensor]
            return later.setdefault(name, f"{plain.removesuffix('_later')}_later")

        for site in sites:
            operator = site.operator
            for place, operand in enumerate(operator.operands):
                key, tensor = (operator.name, place), operand.tensor
                if operator.name not in run.again or tensor in run.inside:
                    continue
                if is_given(step.graph, step.plan, run, operator, place):
                    name, lies = known.lies[tensor]
                    known.lies[tensor] = (delayed(name, tensor), lies)
                elif not known.is_gathered_again(site, place, True):
                    self.reads[key] = delayed(self.reads[key], tensor)
                    if key in known.plain:
                        known.plain[key] = delayed(known.plain[key], tensor)
        if error is not None:
            later[error] = error
        self.writer.line(f"{', '.join(later.values())}, = again(({', '.join(later)},))")
