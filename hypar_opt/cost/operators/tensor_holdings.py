"""What all tensors have in common of what they take in a device's memory, and when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hypar_opt.cost.operators.domains import names_of
from hypar_opt.cost.operators.holdings import Holding, Misfit, Sizes
from hypar_opt.cost.operators.recompute import is_read_backward, keeps_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from hypar_opt.cost.operators.domains import Domain
    from hypar_opt.cost.operators.moments import Moments
    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.cost.operators.recompute import Recomputed
    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import OperatorGraph, Tensor


class LyingTensor(NamedTuple):
    """How a tensor lies by the values of a variable, and what it takes then."""

    lies: Placements
    taken: Array

    def only(self, sizes: Sizes, chosen: NDArray[np.bool_]) -> LyingTensor:
        """Return the same of those values that are chosen; of others nothing is taken."""
        return self if chosen.all() else LyingTensor(self.lies, sizes.where(chosen, self.taken))


@dataclass(frozen=True, eq=False)
class Setting:
    """What the holdings of all tensors are found by.

    Parameters
    ----------
    graph
        The operators.
    moments
        Of a step.
    domains
        What is decided.
    index
        By name, the places of `domains`.
    sharing
        What is the same for operators that are alike.
    sizes
        What tensors take.
    """

    graph: OperatorGraph
    moments: Moments
    domains: Sequence[Domain]
    index: Mapping[str, int]
    sharing: Sharing
    sizes: Sizes


@dataclass(frozen=True, eq=False)
class TensorHoldings(ABC):
    """What one tensor takes.

    Parameters
    ----------
    setting
        Of all tensors.
    tensor
        Which.
    """

    setting: Setting
    tensor: Tensor

    @abstractmethod
    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""

    @property
    def graph(self) -> OperatorGraph:
        """The operators."""
        return self.setting.graph

    @property
    def moments(self) -> Moments:
        """Of a step."""
        return self.setting.moments

    @property
    def domains(self) -> Sequence[Domain]:
        """What is decided."""
        return self.setting.domains

    @property
    def index(self) -> Mapping[str, int]:
        """By name, the variables' positions."""
        return self.setting.index

    @property
    def sharing(self) -> Sharing:
        """What is the same for operators that are alike."""
        return self.setting.sharing

    @property
    def sizes(self) -> Sizes:
        """What tensors take."""
        return self.setting.sizes

    @property
    def again(self) -> Recomputed:
        """What is computed once more."""
        return self.moments.again

    @property
    def readers(self) -> Sequence[tuple[int, int]]:
        """Who reads it, and as which operand."""
        return self.graph.readers[self.tensor.name]

    @property
    def writer(self) -> int:
        """Who writes it."""
        return self.graph.writers[self.tensor.name]

    @property
    def is_inside(self) -> bool:
        """Whether it is dropped where its block runs once more."""
        return self.tensor.name in self.again.interior

    @cached_property
    def is_own(self) -> bool:
        """Whether its writer keeps it for its own backward phase."""
        return keeps_output(self.graph.operators[self.writer], self.graph)

    @cached_property
    def stays_for_all(self) -> bool:
        """Whether it stays where several read it, as a backward phase of theirs does so again."""
        return is_read_backward(self.tensor.name, self.graph)

    def at(self, number: int) -> int:
        """Return the variable of an operator."""
        return self.index[self.graph.operators[number].name]

    def ways(self, number: int) -> tuple[bool, ...]:
        """Return whether an operator's block may run once more: one of the two, or both."""
        return self.again.ways(self.graph.operators[number])

    def keeps(self, number: int, place: int, *, again: bool) -> bool:
        """Return whether it is there for a reader behind the forward phase, if its block runs once more or not."""
        operator = self.graph.operators[number]
        return self.again.keeps(operator, operator.operands[place], again=again)

    def runs_again(self, number: int, *, again: bool) -> int | None:
        """Return when an operator runs once more if its block does so or not; None where it does not."""
        return self.moments.runs_again(number) if again else None

    def only(self, found: Iterable[Holding | Misfit], *, again: bool) -> Iterator[Holding | Misfit]:
        """Yield the same, taken by those values alone by which the block runs once more, or does not."""
        for one in found:
            chosen = self.sharing.flags(self.domains[one.variable]) == again
            yield one if chosen.all() else one._replace(taken=self.sizes.where(chosen, one.taken))

    @cached_property
    def as_written(self) -> LyingTensor:
        """How its writer writes it."""
        return self.lying_as(self.sharing.written(self.graph.operators[self.writer]))

    @cached_property
    def wanted(self) -> LyingTensor:
        """How its writer needs it, or its gradient, backward."""
        return self.lying_as(self.sharing.wanted(self.graph.operators[self.writer]))

    @property
    def home(self) -> Placements:
        """The placements of `wanted`."""
        return self.wanted.lies

    def lying_as(self, placements: Placements) -> LyingTensor:
        """Return placements with what is taken."""
        return LyingTensor(placements, self.sizes.of(self.tensor, placements))

    def lying(self, what: str) -> LyingTensor:
        """Return where it lies for all readers, or where its gradient is added up."""
        domain = self.domains[self.index[self.tensor.name + what]]
        return self.lying_as(self.sharing.codes(domain, names_of(self.tensor.name, self.graph)))

    def read_first(self, number: int, place: int) -> LyingTensor:
        """Return how a reader needs it; nothing is taken where another operand is the same form of it."""
        operator = self.graph.operators[number]
        lying = self.lying_as(self.sharing.needed(operator, place))
        return lying.only(self.sizes, ~self.sharing.converted_before(operator, place, kept=True))

    def holding(self, variable: int, first: int, last: int, lying: LyingTensor) -> Holding:
        """Return what a variable's values take."""
        return Holding(variable, first, last, lying.taken)

    def of_writer(self, first: int, last: int) -> Holding:
        """Return the tensor as it is written."""
        return self.holding(self.at(self.writer), first, last, self.as_written)

    def of_reader(self, number: int, first: int, last: int, lying: LyingTensor) -> Holding:
        """Return the tensor as a reader has it."""
        return self.holding(self.at(number), first, last, lying)

    def of_own(self, first: int) -> Iterator[Holding]:
        """Yield what its writer keeps of it, up to its backward phase."""
        yield self.holding(self.at(self.writer), first, self.moments.returns(self.writer), self.wanted)

    def held_between(self, holding: Callable[[int, int], Holding], first: int, last: int) -> Iterator[Holding]:
        """Yield something, if there is any time for it."""
        if first <= last:
            yield holding(first, last)

    def apart(self, variable: int, other: int, span: tuple[int, int], lying: LyingTensor, there: Placements) -> Misfit:
        """Return what a variable's values take where the tensor does not lie as another's values say."""
        return Misfit(variable, other, *span, lying.taken, lying.lies, there)

    def where(
        self, variable: int, other: int, span: tuple[int, int], lying: LyingTensor, chosen: NDArray[np.bool_]
    ) -> Misfit:
        """Return what a variable's values take beside those of another's that are chosen."""
        never = self.sharing.once(("never", len(lying.lies)), lambda: np.zeros((len(lying.lies), 1), dtype=np.int8))
        flags = self.sharing.once(("chosen", chosen.tobytes()), lambda: chosen.astype(np.int8)[:, None])
        return Misfit(variable, other, *span, lying.taken, never, flags)
