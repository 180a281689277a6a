"""What is in a device's memory at the moments of a training step, as capacities: all that the peak is the most of.

At every moment the memory is a sum over variables, of what is kept and of what is needed while an operator runs, and
over pairs of variables that make a tensor lie otherwise than it is needed. The sum with the least that each pair takes
is a relaxation, which variables use one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from math import floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.operators.holdings import Holding, Misfit, Sizes
from hypar_opt.cost.operators.map_holdings import DirectHoldings, InputHoldings, SharedMapHoldings
from hypar_opt.cost.operators.model import OperatorModel
from hypar_opt.cost.operators.moments import RETURNS, RUNS, RUNS_AGAIN, Moments
from hypar_opt.cost.operators.other_holdings import GradientHoldings, ParameterHoldings, SharedParameterHoldings
from hypar_opt.cost.operators.tensor_holdings import Setting
from hypar_opt.costgraph import Capacity, TableEdge, TableUnary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hypar_opt.cost.operators.domains import Domain
    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.cost.operators.tensor_holdings import TensorHoldings
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import OperatorGraph, Tensor

MEMORY: Final = "memory"
"""The capacities' name, with what is done at their moments."""
WHEN: Final[Mapping[str, str]] = MappingProxyType({
    RUNS: "in the forward phase of '{}'",
    RUNS_AGAIN: "while '{}' runs once more",
    RETURNS: "in the backward phase of '{}'",
})  # fmt: skip
"""By what is done at a moment, when that is, with a place for the operator's name."""


@dataclass(frozen=True, eq=False)
class Occupancy:
    """What is in a device's memory, moment by moment.

    Parameters
    ----------
    graph, model
        The operators, and how they may be split.
    domains
        What is decided.
    sharing
        What is the same for operators that are alike.
    """

    graph: OperatorGraph
    model: OperatorModel
    domains: Sequence[Domain]
    sharing: Sharing

    @cached_property
    def moments(self) -> Moments:
        """Of a step."""
        return Moments(self.graph, self.sharing.again)

    @property
    def unit(self) -> int:
        """How many of the units in which is counted make a byte."""
        return self.model.partition.leaves

    @cached_property
    def holdings(self) -> tuple[Holding | Misfit, ...]:
        """All that takes memory."""
        index = {domain.name: place for place, domain in enumerate(self.domains)}
        sizes = Sizes(self.model, self.sharing)
        setting = Setting(self.graph, self.moments, self.domains, index, self.sharing, sizes)
        return tuple(one for tensor in self.graph.tensors.values() for kind in self._kinds(tensor)
                     for one in kind(setting, tensor).found())  # fmt: skip

    def _kinds(self, tensor: Tensor) -> Iterator[type[TensorHoldings]]:
        """Yield what is counted of a tensor."""
        shared, has_readers = tensor.name in self.sharing.shared, bool(self.graph.readers[tensor.name])
        if tensor.role == "activation":
            yield SharedMapHoldings if shared else DirectHoldings
            if tensor.has_gradient:
                yield GradientHoldings
        elif has_readers:
            yield InputHoldings if tensor.role == "input" else SharedParameterHoldings if shared else ParameterHoldings

    @cached_property
    def _differences(self) -> tuple[Misfit, ...]:
        """What pairs of values take."""
        return tuple(one for one in self.holdings if isinstance(one, Misfit) and one.taken.any())

    @cached_property
    def _relaxed(self) -> Mapping[int, list[tuple[int, int, TableUnary]]]:
        """By variable what its values take at the least, from one moment to another in which that is the same."""
        found: dict[int, list[Holding]] = defaultdict(list)
        for one in self.holdings:
            least = one if isinstance(one, Holding) else self._least(one)
            if least.taken.any():
                found[one.variable].append(least)
        return {place: list(self._spans(own)) for place, own in found.items()}

    def _least(self, one: Misfit) -> Holding:
        least = self.sharing.once(("least", *one.key[2:]), lambda: one.least)
        return Holding(one.variable, one.first, one.last, least)

    def _spans(self, own: Sequence[Holding]) -> Iterator[tuple[int, int, TableUnary]]:
        """Yield from when to when what a variable's values take is the same, and what that is."""
        points = sorted({one.first for one in own} | {one.last + 1 for one in own})
        for first, end in pairwise(points):
            there = [one.taken for one in own if one.first <= first <= one.last]
            if there:
                yield first, end - 1, self._sum(there)

    def _sum(self, parts: Sequence[Array]) -> TableUnary:
        key = "sum", *sorted(map(id, parts))
        return self.sharing.once(key, lambda: TableUnary(sum(parts[1:], start=parts[0])))

    def differences(self, number: int) -> tuple[Misfit, ...]:
        """Return what pairs of values take at a moment."""
        return tuple(one for one in self._differences if one.first <= number <= one.last)

    @property
    def limit(self) -> int:
        """What there is of it."""
        assert self.model.memory is not None  # asked for where it matters
        return floor(self.model.memory * self.unit)

    def relaxed(self, number: int) -> Capacity:
        """Return the memory at a moment as a capacity, with the least that each pair of variables takes."""
        return self._capacity(number, self._relaxed)

    def row(self, number: int, beside: Iterable[tuple[int, TableUnary]]) -> Capacity:
        """Return the memory at a moment as a capacity, exact.

        Parameters
        ----------
        number
            The moment's.
        beside
            What further variables take that stand for pairs of values.
        """
        own = self._capacity(number, self._apart)
        return replace(own, usages={**own.usages, **dict(beside)})

    def coupled(self, number: int) -> Capacity:
        """Return the memory at a moment as a capacity that pairs of values use, exact."""
        found: dict[tuple[int, int], Array] = {}
        for one in self.differences(number):
            table = self.sharing.once(("pairs", *one.key[2:]), one.all_pairs)
            pair = (one.variable, one.other)
            table = table if one.variable < one.other else table.T
            pair = min(pair), max(pair)
            found[pair] = found[pair] + table if pair in found else table
        pairs = {pair: TableEdge(table) for pair, table in found.items()}
        return replace(self._capacity(number, self._apart), pairs=pairs)

    def _capacity(self, number: int, by_variable: Mapping[int, list[tuple[int, int, TableUnary]]]) -> Capacity:
        usages = {place: table for place, spans in by_variable.items() for first, last, table in spans
                  if first <= number <= last}  # fmt: skip
        return Capacity(f"{MEMORY} {self.named(number)}", self.limit, usages, self.unit)

    def named(self, number: int) -> str:
        """Return when a moment is, in words."""
        phase, operator = self.moments.all[number]
        return WHEN[phase].format(self.graph.operators[operator].name)

    @cached_property
    def _apart(self) -> Mapping[int, list[tuple[int, int, TableUnary]]]:
        """By variable what its values take by themselves."""
        found: dict[int, list[Holding]] = defaultdict(list)
        for one in self.holdings:
            if isinstance(one, Holding):
                found[one.variable].append(one)
        return {place: list(self._spans(own)) for place, own in found.items()}

    def used(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return what an assignment takes, moment by moment."""
        changes = [0] * (self.moments.last + 2)
        for one in self.holdings:
            value = choices[one.variable]
            taken = int(one.taken[value]) if isinstance(one, Holding) else one.used(value, choices[one.other])
            changes[one.first] += taken
            changes[one.last + 1] -= taken
        return tuple(accumulate(changes[:-1]))

    def least(self) -> tuple[int, ...]:
        """Return what any assignment takes at the least, moment by moment, as far as variables by themselves say."""
        changes = [0] * (self.moments.last + 2)
        for spans in self._relaxed.values():
            for first, last, table in spans:
                least = int(table.values.min())
                changes[first] += least
                changes[last + 1] -= least
        return tuple(accumulate(changes[:-1]))

    @cached_property
    def can_be_exceeded(self) -> bool:
        """Whether the most that all values and pairs take is more than the limit at some moment."""
        changes = [0] * (self.moments.last + 2)
        for spans in self._apart.values():
            for first, last, table in spans:
                changes[first] += table.upper
                changes[last + 1] -= table.upper
        for one in self._differences:
            most = int(one.taken.max())
            changes[one.first] += most
            changes[one.last + 1] -= most
        return max(accumulate(changes[:-1])) > self.limit
