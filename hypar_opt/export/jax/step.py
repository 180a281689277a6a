"""A plan's training step as lines of a program: forward, backward, update, each conversion a collective."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import needed, produced
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement
from hypar_opt.export.jax.halos import split_rows
from hypar_opt.export.jax.kinds import kind_of
from hypar_opt.export.jax.operands import windows_of
from hypar_opt.export.jax.parameters import IN_PARTS, stored
from hypar_opt.export.jax.runs import OperatorRuns
from hypar_opt.export.jax.second_run import second_runs
from hypar_opt.export.jax.tables import Row
from hypar_opt.export.jax.written import WrittenOperator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.jax.second_run import SecondRun
    from hypar_opt.export.jax.writer import Writer
    from hypar_opt.instance.operators import Operator, Tensor


@dataclass
class StepWriter:
    """Writes the step of a writer's plan.

    Parameters
    ----------
    writer
        What takes the lines.
    """

    writer: Writer
    parts: dict[str, Placement] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    sums: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @cached_property
    def runs(self) -> OperatorRuns:
        """Operators as they run."""
        return OperatorRuns(self.writer)

    @property
    def lies(self) -> dict[str, tuple[str, Placement]]:
        """By tensor that is there, its variable and where it lies."""
        return self.runs.operands.lies

    def write(self) -> None:
        """Write the whole step."""
        writer = self.writer
        graph = writer.step.graph
        for name, tensor in graph.tensors.items():
            if tensor.role == "parameter" and graph.readers[name]:
                writer.kept[name], self.parts[name] = stored(writer, name)
                self.lies[name] = (f'parameters["{name}"]', writer.kept[name].placement)
        writer.comment("forward")
        writer.line("loss = 0.0")
        for operator in graph.operators:
            self.runs.run(operator)
        self._targets()
        writer.comment("backward")
        again = second_runs(graph, writer.step.plan)
        for number in reversed(range(len(graph.operators))):
            if number in again:
                self._run_again(again[number])
            self._backward(graph.operators[number])
        writer.comment("update")
        writer.line("updated = {}")
        for name in writer.kept:
            self._update(graph.tensors[name])
        writer.line("return updated, loss.reshape(1)")

    def _targets(self) -> None:
        """Write what stands for a loss where nothing reads an output: half of the squares of what it is off."""
        writer, graph = self.writer, self.writer.step.graph
        for operator in graph.operators:
            tensor = graph.tensors[operator.output.tensor]
            if not tensor.has_gradient or graph.readers[tensor.name]:
                continue
            name, placement = self.lies[tensor.name]
            row = Row(f"{tensor.name}:target", tensor.sizes, placement, writer.orders(tensor.name))
            error, copies = f"d_{writer.names[tensor.name]}", self.runs.copies(placement)
            writer.line(f'{error} = ({name} - inputs["{writer.input(row, "")}"]) / {tensor.sizes[0]}')
            writer.line(f"loss += {tensor.sizes[0] / 2 / copies} * (({error}) ** 2).sum()")

    def _run_again(self, run: SecondRun) -> None:
        """Write what a block computes once more, when the gradient is there of what it wrote last."""
        graph = self.writer.step.graph
        last = graph.operators[run.numbers[-1]]
        output = last.output.tensor
        self.writer.comment(f"once more, for the backward phase of {last.name} and what is above it")
        self.runs.run_again(run, f"d_{self.writer.names[output]}" if graph.tensors[output].has_gradient else None)

    def _backward(self, operator: Operator) -> None:
        writer, graph = self.writer, self.writer.step.graph
        output = operator.output.tensor
        gradients = {
            place: self._gradient_name(operator, place)
            for place, operand in enumerate(operator.operands)
            if graph.has_gradient(operand)
        }
        if not gradients:
            return
        site, known = self.runs.site(operator), self.runs.reads
        error = f"d_{writer.names[output]}" if graph.tensors[output].has_gradient else None
        for place, lead in self.runs.operands.leading(operator).items():
            again = self.runs.operands.read_again(site, place, error) if place == lead else known[operator.name, lead]
            known[operator.name, place] = again or known[operator.name, place]
        reads = [known[operator.name, place] for place in range(len(operator.operands))]
        made = self.runs.made[operator.name]
        kind_of(operator).backward(WrittenOperator(writer, site, reads, made, error or "", gradients))
        for place, name in gradients.items():
            rows = tuple(split_rows(site)) if place == 0 else ()
            if rows:
                operand = operator.operands[0]
                tensor = graph.tensors[operand.tensor]
                own = tuple(-(-size // site.parts_at(operand, number)) for number, size in enumerate(tensor.sizes))
                writer.line(f'with scope("{writer.scope(tensor.name, "backward", operator.name)}"):')
                writer.line(f"{name} = narrowed({name}, {own}, {windows_of(writer, operator, rows)})", 2)
            emptied = site.emptied(operator.operands[place], name)
            if emptied != name:
                writer.line(f"{name} = {emptied}")
            others = self._made_alike(operator, place, gradients)
            if place == others[0]:  # what one operator makes alike is added up on each device
                if len(others) > 1:
                    writer.line(f"{name} = {' + '.join(gradients[other] for other in others)}")
                self._summed(operator, place, name, len(others))

    def _made_alike(self, operator: Operator, place: int, gradients: Mapping[int, str]) -> tuple[int, ...]:
        """Return the operands that are of one tensor with another, and whose gradients lie as that one's."""
        word, operand = self.writer.step.plan.words[operator.name], operator.operands[place]
        made = produced(operator, operand, word)
        alike = ((other, operator.operands[other]) for other in gradients)
        return tuple(
            other for other, one in alike if one.tensor == operand.tensor and produced(operator, one, word) == made
        )

    def _gradient_name(self, operator: Operator, place: int) -> str:
        graph, names = self.writer.step.graph, self.writer.names
        tensor = operator.operands[place].tensor
        if not is_shared(graph, tensor):
            return f"d_{names[tensor]}"
        several = sum(one.tensor == tensor for one in operator.operands) > 1
        return f"d_{names[tensor]}_of_{names[operator.output.tensor]}" + (f"_{place}" if several else "")

    def _summed(self, operator: Operator, place: int, name: str, count: int) -> None:
        """Write where a gradient goes: to who needs it, or to the sum of several."""
        writer, step, graph = self.writer, self.writer.step, self.writer.step.graph
        operand = operator.operands[place]
        tensor = graph.tensors[operand.tensor]
        made = produced(operator, operand, step.plan.words[operator.name])
        phase = "update" if tensor.role == "parameter" else "backward"
        several = sum(one.tensor == tensor.name for one in operator.operands) > count
        scope = writer.scope(tensor.name, phase, operator.name, f"{phase}.{place}" if several else "")
        if not is_shared(graph, tensor.name):
            need = self.parts[tensor.name] if tensor.role == "parameter" else self._home(tensor)
            writer.convert(name, tensor.name, made, need, scope)
            return
        lies = shared_placement(graph, tensor.name, step.plan.shared[tensor.name][1])
        known = self.sums[tensor.name]
        known.append(writer.convert(name, tensor.name, made, lies, scope))
        self.done[tensor.name] += count
        readers = ((graph.operators[number], one) for number, one in graph.readers[tensor.name])
        if self.done[tensor.name] == sum(reader.operands[one].has_gradient for reader, one in readers):
            total = f"d_{writer.names[tensor.name]}"
            writer.line(f"{total} = {' + '.join(known)}")
            home = self.parts[tensor.name] if tensor.role == "parameter" else self._home(tensor)
            writer.convert(total, tensor.name, lies, home, writer.scope(tensor.name, phase, None))

    def _home(self, tensor: Tensor) -> Placement:
        """Return where the gradient of what an operator writes has to lie for it."""
        step = self.writer.step
        writer = step.graph.operators[step.graph.writers[tensor.name]]
        return needed(writer.output, step.plan.words[writer.name])

    def _update(self, tensor: Tensor) -> None:
        writer, step = self.writer, self.writer.step
        row, parts = writer.kept[tensor.name], self.parts[tensor.name]
        name, gradient = f'parameters["{tensor.name}"]', f"d_{writer.names[tensor.name]}"
        if row.placement == parts:
            writer.line(f'updated["{tensor.name}"] = {name} - RATE * {gradient}')
            return
        reader = step.graph.operators[step.graph.readers[tensor.name][0][0]]
        assert step.plan.storage[reader.name] in IN_PARTS
        scope = writer.scope(tensor.name, "update", reader.name)
        new = f"new_{writer.names[tensor.name]}"
        part = writer.convert(name, tensor.name, row.placement, parts, scope, f"old_{writer.names[tensor.name]}")
        writer.line(f"{new} = {part} - RATE * {gradient}")
        writer.line(f'updated["{tensor.name}"] = {writer.convert(new, tensor.name, parts, row.placement, scope)}')
