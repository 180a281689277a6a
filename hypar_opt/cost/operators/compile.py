"""From a graph of operators to a CostGraph over their words.

A variable an operator: its words. A tensor that several operators read is converted once for those that need it alike,
so that it has two variables of its own, of where it lies for its readers and of where its gradient is added up; the
writer pays the way to the first, every reader that from it, and likewise back. What one operator reads is converted
directly, on the edge of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.charges import Received
from hypar_opt.cost.operators.domains import (
    FORWARD,
    GRADIENT,
    SHARDED,
    SHARED,
    Domain,
    OperatorModel,
    codes,
    is_shared,
    names_of,
    operator_domain,
    placement_domain,
)
from hypar_opt.cost.operators.memory import memory_of
from hypar_opt.cost.operators.placements import (
    needed,
    needed_gradient,
    stored,
    summed_statistic,
    written,
    written_gradient,
)
from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, TableEdge, TableUnary, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.cost.operators.charges import Charge
    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor


def compile_operators(graph: OperatorGraph, model: OperatorModel, objective: Objective) -> CompiledOperators:
    """Return the CostGraph of a graph of operators, with what its variables stand for.

    Parameters
    ----------
    objective
        Weighs bytes.

    Raises
    ------
    InputError
        If an operator has no word.
    Refusal
        If one has too many.
    """
    return CompiledOperators(graph, model, objective)


@dataclass(frozen=True, eq=False)
class CompiledOperators:
    """A graph of operators compiled.

    Parameters
    ----------
    graph
        The operators.
    model
        How they may be split.
    objective
        Weighs what is charged.
    given
        What is charged; bytes unless given.
    like
        The same operators compiled by another charge: what is decided is taken from there.
    """

    graph: OperatorGraph
    model: OperatorModel
    objective: Objective
    given: Charge | None = None
    like: CompiledOperators | None = None

    @cached_property
    def charge(self) -> Charge:
        """What is charged."""
        return Received(self.graph, self.model.axes) if self.given is None else self.given

    @cached_property
    def domains(self) -> tuple[Domain, ...]:
        """What is decided, in the order of the variables: an operator, then the placements of what it writes."""
        if self.like is not None:
            return self.like.domains
        found: list[Domain] = []
        for name in self.graph.tensors:
            if name in self._shared and name not in self.graph.writers:
                found += self._placements(name)
        for operator in self.graph.operators:
            found.append(operator_domain(operator, self.graph, self.model))
            if operator.output.tensor in self._shared:
                found += self._placements(operator.output.tensor)
        return tuple(found)

    def _placements(self, name: str) -> Iterator[Domain]:
        tensor, names = self.graph.tensors[name], names_of(name, self.graph)
        yield placement_domain(tensor, names, self.model, name + FORWARD)
        if tensor.has_gradient:
            yield placement_domain(tensor, names, self.model, name + GRADIENT, partial=True)

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The tensors that have placements of their own."""
        return frozenset(name for name in self.graph.tensors if is_shared(name, self.graph))

    @cached_property
    def index(self) -> Mapping[str, int]:
        """By name, the variables' positions."""
        return {domain.name: place for place, domain in enumerate(self.domains)}

    @cached_property
    def costgraph(self) -> CostGraph:
        """The CostGraph; costs are in the units of the charge, bytes in 1 / devices of one."""
        own = [np.zeros(len(domain.values), dtype=self.charge.dtype) for domain in self.domains]
        for operator in self.graph.operators:
            own[self.index[operator.name]] += self._own(operator)
        edges: list[Edge] = []
        for name in self.graph.tensors:
            edges += (
                Edge(first, second, {self.charge.component: TableEdge(table)})
                for first, second, table in self._tensor_costs(name, own)
            )
        unary = tuple({self.charge.component: TableUnary(values)} for values in own)
        objective = self.objective.divided(self.charge.unit)
        return CostGraph(self.variables, unary, tuple(edges), objective, self.capacities)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """One for each that is decided."""
        return tuple(Variable(domain.name, len(domain.values)) for domain in self.domains)

    @cached_property
    def capacities(self) -> tuple[Capacity, ...]:
        """The memory, where it matters."""
        capacity = memory_of(self.graph, self.model, self.domains)
        return () if capacity is None else (capacity,)

    def _own(self, operator: Operator) -> Array:
        """Return what an operator's words cost by themselves: statistics, halos, and gradients of its parameters."""
        words = self.domains[self.index[operator.name]].words
        found = np.zeros(len(words), dtype=self.charge.dtype)
        for one in operator.statistics:
            elements = int(np.prod([operator.sizes[dim] for dim in one.dims], dtype=object))
            for numbers in (one.forward, one.backward):
                size = elements * numbers * one.element_bytes
                found += self.charge.all_reduce(size, summed_statistic(one, words))
        for operand in operator.operands:
            tensor = self.graph.tensors[operand.tensor]
            need = needed(operand, words)
            if tensor.role != "input":  # inputs are loaded with their halos
                phases = 2 if tensor.has_gradient else 1
                found += phases * self.charge.halo(operand, tensor, need)
            if tensor.role == "parameter" and tensor.has_gradient and operand.tensor not in self._shared:
                found += self._updates(operator, operand, tensor, need)
        return found

    def _updates(self, operator: Operator, operand: Operand, tensor: Tensor, need: Placements) -> Array:
        """Return what a parameter costs that one operator reads: its gradient's sums, and its own gathers."""
        domain = self.domains[self.index[operator.name]]
        gradient = written_gradient(operator, operand, domain.words)
        update = self.charge.conversion(tensor.bytes, gradient, need)
        sharded = np.array([value.storage == SHARDED for value in domain.values])
        if not sharded.any():
            return update
        kept = stored(gradient, need)
        gathered = self.charge.conversion(tensor.bytes, kept, need)
        scattered = self.charge.conversion(tensor.bytes, gradient, kept)
        return np.where(sharded, 2 * gathered + scattered, update)

    def _tensor_costs(self, name: str, own: list[Array]) -> Iterator[tuple[int, int, Array]]:
        """Yield the costs of a tensor's conversions by two variables; what depends on one is added to its own."""
        tensor, readers = self.graph.tensors[name], self.graph.readers[name]
        if tensor.role == "input" or (tensor.role == "parameter" and name not in self._shared):
            return
        if name in self._shared:
            yield from self._shared_costs(name)
            return
        writer = self.graph.operators[self.graph.writers[name]]
        first = self.index[writer.name]
        have = written(writer, self.domains[first].words)
        if not readers:
            own[first] += self.charge.all_reduce(tensor.bytes, have)
            return
        reader, operand = self._reader(readers[0])
        second = self.index[reader.name]
        words = self.domains[second].words
        table = self._table(tensor, have, needed(operand, words))
        if tensor.has_gradient:
            back = needed_gradient(writer, self.domains[first].words)
            table = table + self._table(tensor, written_gradient(reader, operand, words), back).T
        yield first, second, table

    def _shared_costs(self, name: str) -> Iterator[tuple[int, int, Array]]:
        tensor, names = self.graph.tensors[name], names_of(name, self.graph)
        forward = self.index[name + FORWARD]
        gradient = self.index[name + GRADIENT] if tensor.has_gradient else None
        lies = codes(self.domains[forward], names)
        added = None if gradient is None else codes(self.domains[gradient], names)
        if name in self.graph.writers:
            writer = self.graph.operators[self.graph.writers[name]]
            place = self.index[writer.name]
            words = self.domains[place].words
            yield place, forward, self._table(tensor, written(writer, words), lies)
            if gradient is not None and added is not None:
                yield gradient, place, self._table(tensor, added, needed_gradient(writer, words))
        elif gradient is not None and added is not None:
            yield gradient, forward, self._table(tensor, added, lies)
        for reader, operand in map(self._reader, self.graph.readers[name]):
            place = self.index[reader.name]
            words = self.domains[place].words
            table = self._table(tensor, lies, needed(operand, words))
            yield forward, place, table * self._times(place) if operand.saved else table
            if gradient is not None and added is not None:
                yield place, gradient, self._table(tensor, written_gradient(reader, operand, words), added)

    def _times(self, place: int) -> Array:
        """Return how often an operator's operand is converted by each of its values: once more where it is not kept."""
        values = self.domains[place].values
        return np.array([2 if value.kept == SHARED else 1 for value in values], dtype=self.charge.dtype)

    def _reader(self, place: tuple[int, int]) -> tuple[Operator, Operand]:
        operator = self.graph.operators[place[0]]
        return operator, operator.operands[place[1]]

    def _table(self, tensor: Tensor, have: Placements, need: Placements) -> Array:
        """Return what conversions cost from every placement to every other; alike ones are computed once."""
        key = tensor.bytes, have.tobytes(), need.tobytes(), len(have)
        if key not in self._tables:
            found = self.charge.conversion(tensor.bytes, have[:, None, :], need[None, :, :])
            found.setflags(write=False)
            self._tables[key] = found
        return self._tables[key]

    @cached_property
    def _tables(self) -> dict[tuple[int, bytes, bytes, int], Array]:
        return {}
