"""What all tensors have in common of what they take in a device's memory, and when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from hypar_opt.cost.operators.domains import names_of
from hypar_opt.cost.operators.holdings import Holding, Misfit, Sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
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
        """Whether it is not kept, as its block runs once more."""
        return self.tensor.name in self.again.interior

    @cached_property
    def is_own(self) -> bool:
        """Whether its writer keeps it for its own backward phase."""
        return self.again.keeps_output(self.graph.operators[self.writer], self.graph)

    def at(self, number: int) -> int:
        """Return the variable of an operator."""
        return self.index[self.graph.operators[number].name]

    def keeps(self, number: int, place: int) -> bool:
        """Return whether it has to be there for a reader behind the forward phase."""
        operator = self.graph.operators[number]
        return self.again.keeps(operator, operator.operands[place])

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
