"""All that is decided of a network, in order; of blocks that are copies as in the block of which they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hypar_opt.cost.operators.domains import FORWARD, GRADIENT, Domain, DomainValue, names_of
from hypar_opt.util.interrupt import asking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.instance.operators import Operator, OperatorGraph


class _Copied(NamedTuple):
    """What is decided in each copy of a block."""

    operator: int
    """Counted from the block's first."""
    end: str
    """Behind the name of what that writes, of a placement; else nothing."""
    values: tuple[DomainValue, ...]


@dataclass(frozen=True, eq=False)
class Decided:
    """What is decided of a network.

    Parameters
    ----------
    graph
        The operators.
    sharing
        What is the same for those that are alike.
    """

    graph: OperatorGraph
    sharing: Sharing

    def domains(self, over: Callable[[], bool], doing: str) -> tuple[Domain, ...]:
        """Return them in the order of the variables: an operator, then the placements of what it writes.

        Parameters
        ----------
        over, doing
            As of `asking`.
        """
        found: list[Domain] = []
        shared, writers = self.sharing.shared, self.graph.writers
        for name in self.graph.tensors:
            if name in shared and name not in writers:
                found += (domain for _, domain in self._placements(name))
        operators, models = self.graph.operators, dict[int, list[_Copied]]()
        for piece in asking(self.sharing.equal.pieces, over, doing):
            if piece.like is None:
                found += (domain for _, domain in self._of(operators[piece.start]))
                continue
            if piece.like not in models:
                block = operators[piece.like : piece.like + piece.stop - piece.start]
                models[piece.like] = [
                    _Copied(number, end, domain.values)
                    for number, operator in enumerate(block)
                    for end, domain in self._of(operator)
                ]
            for number, end, values in models[piece.like]:
                operator = operators[piece.start + number]
                found.append(Domain(operator.output.tensor + end if end else operator.name, values))
        return tuple(found)

    def _of(self, operator: Operator) -> Iterator[tuple[str, Domain]]:
        """Yield what is decided of an operator and of what it writes, of that with the end of its name."""
        yield "", self.sharing.domain(operator)
        if operator.output.tensor in self.sharing.shared:
            yield from self._placements(operator.output.tensor)

    def _placements(self, name: str) -> Iterator[tuple[str, Domain]]:
        tensor, names = self.graph.tensors[name], names_of(name, self.graph)
        yield FORWARD, self.sharing.placements(tensor, names, name + FORWARD)
        if tensor.has_gradient:
            yield GRADIENT, self.sharing.placements(tensor, names, name + GRADIENT, partial=True)
