"""What conversions of tensors cost, by the variables of who writes and who reads them.

A tensor that several operators read has two variables of its own, of where it lies for its readers and of where its
gradient is added up; what one operator reads is converted directly, on the edge of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.domains import FORWARD, GRADIENT, SHARED, Domain, DomainValue, copied, names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.cost.operators.charges import ConversionCharge
    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operator, OperatorGraph, Tensor


@dataclass(frozen=True, eq=False)
class TensorCosts:
    """What the conversions of each tensor cost.

    Parameters
    ----------
    graph
        The operators.
    charge
        What is charged.
    domains
        What is decided.
    index
        By name, the places of `domains`.
    sharing
        What is the same for operators that are alike.
    """

    graph: OperatorGraph
    charge: ConversionCharge
    domains: Sequence[Domain]
    index: Mapping[str, int]
    sharing: Sharing

    def of(self, name: str, own: list[Array]) -> Iterator[tuple[int, int, Array]]:
        """Yield the costs of a tensor's conversions by two variables; what depends on one is added to its own."""
        tensor, readers = self.graph.tensors[name], self.graph.readers[name]
        if tensor.role == "input" or (tensor.role == "parameter" and name not in self.sharing.shared):
            return
        if name in self.sharing.shared:
            yield from self._shared_costs(name)
            return
        writer = self.graph.operators[self.graph.writers[name]]
        first = self.index[writer.name]
        if not readers:
            own[first] = self.sharing.of_alike("last", writer, lambda: own[first] + self._summed(writer, tensor))
            return
        place, reader = readers[0][1], self.graph.operators[readers[0][0]]
        likeness = self.sharing.likeness[reader.name]
        table = self.sharing.of_alike(
            "direct", writer, lambda: self._direct(tensor, writer, reader, place), likeness, place
        )
        yield first, self.index[reader.name], table

    def _summed(self, writer: Operator, tensor: Tensor) -> Array:
        """Return what it costs to add up what nobody reads."""
        return self.charge.all_reduce(tensor.bytes, self.sharing.written(writer), tensor.sizes)

    def _direct(self, tensor: Tensor, writer: Operator, reader: Operator, place: int) -> Array:
        """Return what it costs to convert what one operator reads, and its gradient back."""
        again, table = (
            self.sharing.again,
            self._table(tensor, self.sharing.written(writer), self.sharing.needed(reader, place)),
        )
        if tensor.name in again.interior and again.reads(reader, reader.operands[place]):
            table = table * (1 + self._flags(reader.name))
        if self.graph.has_gradient(reader.operands[place]):
            table = (
                table + self._table(tensor, self.sharing.written_gradient(reader, place), self.sharing.wanted(writer)).T
            )
        return table

    def _shared_costs(self, name: str) -> Iterator[tuple[int, int, Array]]:
        tensor, names = self.graph.tensors[name], names_of(name, self.graph)
        forward, sharing = self.index[name + FORWARD], self.sharing
        gradient = self.index[name + GRADIENT] if tensor.has_gradient else None
        lies = sharing.codes(self.domains[forward], names)
        added = None if gradient is None else self._left(sharing.codes(self.domains[gradient], names))
        if name in self.graph.writers:
            writer = self.graph.operators[self.graph.writers[name]]
            place = self.index[writer.name]
            made = self._table(tensor, sharing.written(writer), lies)
            yield place, forward, self._made_again(made, name, writer)
            if gradient is not None and added is not None:
                yield gradient, place, self._table(tensor, added, sharing.wanted(writer))
        elif gradient is not None and added is not None:
            yield gradient, forward, self._table(tensor, added, lies)
        for number, operand in self.graph.readers[name]:
            reader = self.graph.operators[number]
            place = self.index[reader.name]
            table = self._table(tensor, lies, sharing.needed(reader, operand))
            yield forward, place, self._again(table, reader, operand)
            if gradient is not None and added is not None and reader.operands[operand].has_gradient:
                table = self._table(tensor, sharing.written_gradient(reader, operand), added)
                yield place, gradient, self._once_added(table, reader, operand)

    def _left(self, codes: Placements) -> Placements:
        """Return how sums of gradients lie that have such placements."""
        return self.sharing.once(("left", id(codes)), lambda: self.charge.left(codes))

    def _again(self, table: Array, operator: Operator, place: int) -> Array:
        """Return a table by an operator's values, as many times as it converts its operand.

        What it converts alike for another operand that is the same tensor is converted once for both.
        """
        sharing, operand = self.sharing, operator.operands[place]
        again, known = sharing.again, sharing.converted_before(operator, place)
        times = np.where(known, 0, 1)
        if self.graph.tensors[operand.tensor].role != "parameter":
            values = self.domains[self.index[operator.name]].values
            apart = {flag: copied(operator, self.graph, again, again=flag) for flag in again.ways(operator)}
            often = {flag: again.shared(operator, operand, again=flag) for flag in apart}

            def is_converted(one: DomainValue) -> int:
                places = apart[one.again]
                return place in places and one.kept[places.index(place)] == SHARED

            more = np.array([often[one.again][is_converted(one)] - 1 for one in values])
            times = times + np.where(sharing.converted_before(operator, place, kept=True), 0, more)
        if (times == 1).all():
            return table
        weights = times.astype(self.charge.dtype)
        return sharing.of_alike("again", operator, lambda: table * weights, id(table), place)

    def _once_added(self, table: Array, operator: Operator, place: int) -> Array:
        """Return a table without gradients that lie as that of an operand before, to which they are added first."""
        known = self.sharing.added_before(operator, place)
        if not known.any():
            return table
        weights = np.where(known, 0, 1).astype(self.charge.dtype)[:, None]
        return self.sharing.of_alike("once", operator, lambda: table * weights, id(table), place)

    def _made_again(self, table: Array, name: str, writer: Operator) -> Array:
        """Return a table of the way from who writes a map, doubled where that is made once more."""
        again, flags = self.sharing.again, self._flags(writer.name)
        readers = ((self.graph.operators[number], place) for number, place in self.graph.readers[name])
        if name not in again.interior or not any(again.reads(one, one.operands[place]) for one, place in readers):
            return table
        return self.sharing.once(("twice", id(table), id(flags)), lambda: table * (1 + flags)[:, None])

    def _flags(self, name: str) -> Array:
        """Return of which values the block runs once more, as numbers."""
        domain = self.domains[self.index[name]]
        return self.sharing.once(
            ("numbers", id(domain.values)), lambda: self.sharing.flags(domain).astype(self.charge.dtype)
        )

    def _table(self, tensor: Tensor, have: Placements, need: Placements) -> Array:
        """Return what conversions cost from every placement to every other; alike ones are computed once."""

        def make() -> Array:
            found = self.charge.conversion(tensor.bytes, have[:, None, :], need[None, :, :], tensor.sizes)
            found.setflags(write=False)
            return found

        return self.sharing.once(("table", tensor.bytes, tensor.sizes, id(have), id(need)), make)
