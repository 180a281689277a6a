"""What gradients of maps and parameters take, with what parameters need while they are gathered and added up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.domains import FORWARD, GRADIENT
from hypar_opt.cost.operators.holdings import Holding, Misfit
from hypar_opt.cost.operators.model import REPLICATED, SHARDED
from hypar_opt.cost.operators.placements import PARTIAL, WHOLE, complete, stored
from hypar_opt.cost.operators.tensor_holdings import LyingTensor, TensorHoldings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hypar_opt.costgraph import Array

SHARED_GRADIENTS = ("zero-2", SHARDED)
"""Storages under which gradients are shared out, too."""


class GradientHoldings(TensorHoldings):
    """What the gradient of a map takes: as it is made, as it is added up, and as its map's writer reads it."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        readers = [one for one in self.readers if self.graph.operators[one[0]].operands[one[1]].has_gradient]
        if not readers:
            return
        end, writer = self.moments.returns(self.writer), self.at(self.writer)
        if self.tensor.name not in self.sharing.shared:
            ((reader, place),) = readers
            made = self._made(reader, place)
            yield self.of_reader(reader, self.moments.returns(reader), end, made)
            yield self.apart(writer, self.at(reader), (end, end), self.wanted, made.lies)
            return
        added, here = self.index[self.tensor.name + GRADIENT], self.lying(GRADIENT)
        first = min(self.moments.returns(number) for number, _ in readers)
        yield self.holding(added, first, end, here)
        yield self.apart(writer, added, (end, end), self.wanted, here.lies)
        seen: set[int] = set()
        for number, place in readers:
            now, is_further = self.moments.returns(number), number in seen
            seen.add(number)
            alone = ~self.sharing.added_before(self.graph.operators[number], place)
            made = self._made(number, place).only(self.sizes, alone)
            yield self.apart(self.at(number), added, (now, now), made, here.lies)
            if is_further:  # beside the first one that its operator makes, where it lies otherwise
                yield self.where(added, self.at(number), (now, now), here, alone)
            elif now > first:  # what is added to the sum
                yield self.holding(added, now, now, here)

    def _made(self, number: int, place: int) -> LyingTensor:
        """Return how a reader makes it."""
        return self.lying_as(self.sharing.written_gradient(self.graph.operators[number], place))


class ParameterHoldings(TensorHoldings):
    """What a parameter takes that one operator reads, by how that stores it."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        ((number, place),) = self.readers
        now, back = self.moments.runs(number), self.moments.returns(number)
        variable, last = self.at(number), self.moments.last
        operator, values = self.graph.operators[number], self.domains[variable].values
        need = self.lying_as(self.sharing.needed(operator, place))
        if not self.tensor.has_gradient:
            yield self.holding(variable, 0, last, need)
            return
        made = self.sharing.written_gradient(operator, place)
        parts = self.sharing.of_alike("stored", operator, lambda: stored(made, need.lies), place)
        part, states = self.lying_as(parts).taken, self.sharing.model.states

        def by_storage(*which: str) -> NDArray[np.bool_]:
            return np.array([value.storage in which for value in values])

        def all_along() -> Array:
            found: Array = np.where(by_storage(SHARDED), part, need.taken)
            found = found + np.where(by_storage(*SHARED_GRADIENTS), part, need.taken)
            found += states * np.where(by_storage(REPLICATED), need.taken, part)
            return found

        yield Holding(variable, 0, last, self.sharing.of_alike("all along", operator, all_along, place))
        is_parted = ((made == PARTIAL) & (need.lies == WHOLE)).any(axis=1)
        gathered = self.sizes.where(is_parted & by_storage(SHARDED), need.taken)
        scattered = self.sizes.where(is_parted & by_storage(*SHARED_GRADIENTS), self.lying_as(made).taken)
        spans = ((now, now, gathered), (back, back, scattered))
        yield from (Holding(variable, first, last, taken) for first, last, taken in spans if taken.any())
        for way in self.ways(number) if gathered.any() else ():
            again = self.runs_again(number, again=way)
            last_read = back if operator.operands[place].saved else again
            if last_read is not None:  # what is gathered to run once more serves the backward phase, too
                span = last_read if again is None else again, last_read
                yield from self.only([Holding(variable, *span, gathered)], again=way)


class SharedParameterHoldings(TensorHoldings):
    """What a parameter takes that several operators read."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        lies, here = self.index[self.tensor.name + FORWARD], self.lying(FORWARD)
        copies = 2 + self.sharing.model.states if self.tensor.has_gradient else 1
        yield Holding(lies, 0, self.moments.last, self.sizes.times(copies, here.taken))
        for number, place in self.readers:
            operator, reader = self.graph.operators[number], self.at(number)
            now, back = self.moments.runs(number), self.moments.returns(number)
            for way in self.ways(number):
                last_read = back if operator.operands[place].saved else self.runs_again(number, again=way)
                span = now, now if last_read is None else last_read
                needed = self.apart(reader, lies, span, self.read_first(number, place), here.lies)
                yield from self.only([needed], again=way)
            if self.tensor.has_gradient:
                made = self.sharing.written_gradient(operator, place)
                whole = self.sharing.of_alike("complete", operator, partial(complete, made), place)
                yield self.apart(reader, lies, (back, back), LyingTensor(whole, self.lying_as(made).taken), here.lies)
