"""What is computed once for all operators that are alike: their words, and what depends on these."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from hypar_opt.cost.operators.domains import (
    KEPT,
    SHARED,
    STORAGE,
    Domain,
    codes,
    copied,
    is_shared,
    operator_domain,
    placement_domain,
)
from hypar_opt.cost.operators.model import OperatorModel
from hypar_opt.cost.operators.placements import (
    alike_before,
    needed,
    needed_before,
    needed_gradient,
    written,
    written_gradient,
)
from hypar_opt.cost.operators.recompute import KEEPS, Recomputed, is_read_backward, keeps_output, recomputed
from hypar_opt.costgraph import Repeats
from hypar_opt.instance.operators.equal_blocks import EqualBlocks

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from hypar_opt.cost.operators.placements import Placements, Word
    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Sharing:
    """Results by what they depend on.

    Parameters
    ----------
    graph, model
        The operators, and how they may be split.
    """

    graph: OperatorGraph
    model: OperatorModel
    _found: dict[Hashable, object] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made for a key, or make it."""
        if key not in self._found:
            self._found[key] = make()
        return cast("T", self._found[key])

    @cached_property
    def again(self) -> Recomputed:
        """What can be computed once more."""
        one = self.model
        return recomputed(self.graph, one.recompute, one.fix, is_limited=one.memory is not None)

    def flags(self, domain: Domain) -> NDArray[np.bool_]:
        """Return of what values the block runs once more."""
        return self.once(("flags", id(domain.values)), lambda: np.array([one.again for one in domain.values]))

    def longer(self, tensor: str) -> tuple[int, ...]:
        """Return who may keep a map longer than anyone does in any case; as of `Recomputed.longer`."""
        return self.once(("longer", tensor), lambda: self.again.longer(tensor, self.graph))

    def lasting(self, domain: Domain) -> NDArray[np.int64]:
        """Return of values of where a map lies who is the first to keep it longer, counted from 1."""
        return self.once(("lasting", id(domain.values)), lambda: np.array([one.until for one in domain.values]))

    def runs(self, operator: Operator) -> NDArray[np.bool_]:
        """Return by which of its values an operator runs once more."""
        return self.flags(self.domain(operator)) & (operator.name in self.again.operators)

    def rows_again(self, operator: Operator, place: int) -> NDArray[np.int64]:
        """Return by an operator's values how often it needs neighbours' rows of an operand behind its forward phase.

        Once if it runs once more, or is given a map made anew; and once if its backward phase converts the map itself.
        """
        operand, again, domain = operator.operands[place], self.again, self.domain(operator)
        flags, runs = self.flags(domain), self.runs(operator)
        apart = {flag: copied(operator, self.graph, again, again=flag) for flag in again.ways(operator)}
        bare = np.array([
            place in apart[one.again] and one.kept[apart[one.again].index(place)] == SHARED for one in domain.values
        ])  # fmt: skip
        made_anew = flags & (operand.tensor in again.interior)
        found: NDArray[np.int64] = (runs | (operand.saved & made_anew & ~bare)) + (operand.saved & bare).astype(
            np.int64
        )
        return found

    @cached_property
    def shared(self) -> frozenset[str]:
        """The tensors that have placements of their own."""
        several = (name for name, readers in self.graph.readers.items() if len(readers) > 1)
        return frozenset(name for name in several if is_shared(name, self.graph))

    @cached_property
    def likeness(self) -> Mapping[str, int]:
        """By operator a number, the same for those that differ in names only, and in what others do."""
        found: dict[str, int] = {}
        operators, known = self.graph.operators, dict[int, list[int]]()
        for piece in self.equal.pieces:
            those = operators[piece.start : piece.stop]
            if piece.like is not None:
                if piece.like not in known:
                    first = operators[piece.like : piece.like + len(those)]
                    known[piece.like] = [found[one.name] for one in first]
                found.update(zip([one.name for one in those], known[piece.like], strict=True))
            else:
                numbers = (self.once(self._of_operator(one), lambda: len(self._found)) for one in those)
                found.update((one.name, number) for one, number in zip(those, numbers, strict=True))
        return found

    @cached_property
    def equal(self) -> EqualBlocks:
        """The blocks that are copies of another; none where words are given, which single ones may be."""
        return EqualBlocks(self.graph, not self.model.fix)

    def of_alike(self, what: str, operator: Operator, make: Callable[[], T], *further: Hashable) -> T:
        """Return what is the same for all operators like one, made once."""
        return self.once((what, self.likeness[operator.name], *further), make)

    def domain(self, operator: Operator) -> Domain:
        """Return what an operator can choose."""
        found = self.of_alike("domain", operator, lambda: operator_domain(operator, self.graph, self.model, self.again))
        return Domain(operator.name, found.values)

    def placements(self, tensor: Tensor, names: Sequence[str | None], name: str, *, partial: bool = False) -> Domain:
        """Return where a tensor can lie for those who read it, or its gradient."""
        ways = KEEPS if partial else self.again.ways_of_map(tensor.name)
        longer = 0 if partial else len(self.longer(tensor.name))
        key = tensor.sizes, tuple(names), partial, self.model.fix.get(name), ways, longer

        def make() -> Domain:
            return placement_domain(tensor, names, self.model, name, partial=partial, ways=ways, longer=longer)

        made = self.once(key, make)
        return Domain(name, made.values)

    def codes(self, domain: Domain, names: Sequence[str | None]) -> Placements:
        """Return the placements that a shared tensor can have."""
        return self.once(("codes", id(domain.values), tuple(names)), lambda: codes(domain, names))

    def words(self, operator: Operator) -> Sequence[Word]:
        """Return an operator's words."""
        return self.of_alike("words", operator, lambda: self.domain(operator).words)

    def written(self, operator: Operator) -> Placements:
        """Return how its output lies by its words."""
        return self.of_alike("written", operator, lambda: written(operator, self.words(operator)))

    def wanted(self, operator: Operator) -> Placements:
        """Return how it needs its output's gradient."""
        return self.of_alike("wanted", operator, lambda: needed_gradient(operator, self.words(operator)))

    def needed(self, operator: Operator, place: int) -> Placements:
        """Return how it needs an operand."""
        operand = operator.operands[place]
        return self.of_alike("needed", operator, lambda: needed(operand, self.words(operator)), place)

    def written_gradient(self, operator: Operator, place: int) -> Placements:
        """Return how an operand's gradient lies."""
        operand = operator.operands[place]
        return self.of_alike(
            "gradient", operator, lambda: written_gradient(operator, operand, self.words(operator)), place
        )

    def converted_before(self, operator: Operator, place: int, *, kept: bool = False) -> NDArray[np.bool_]:
        """Return by its words whether an operator needs an operand as it needs one before it of the same tensor.

        Parameters
        ----------
        kept
            Whether those come first that the backward phase reads: which of several decides what is kept of them.
        """
        return self.of_alike(
            "converted before",
            operator,
            lambda: needed_before(operator, place, self.words(operator), kept=kept),
            place,
            kept,
        )

    def added_before(self, operator: Operator, place: int) -> NDArray[np.bool_]:
        """Return by its words whether an operand's gradient lies as that of one before it of the same tensor."""

        def lies(one: Operand) -> Placements:
            return written_gradient(operator, one, self.words(operator))

        before = tuple(one for one in operator.operands[:place] if one.has_gradient)
        some = replace(operator, operands=(*before, operator.operands[place]))
        return self.of_alike("added before", operator, lambda: alike_before(some, len(before), lies), place)

    def _of_operator(self, one: Operator) -> Hashable:
        given = (self.model.fix.get(one.name + what) for what in ("", STORAGE, KEPT))
        operands = (self._of_operand(operand) for operand in (*one.operands, one.output))
        names = [operand.tensor for operand in one.operands]
        runs, same = one.name in self.again.operators, tuple(names.index(name) for name in names)
        how = runs, self.again.ways(one), same, keeps_output(one, self.graph)
        return tuple(one.sizes.items()), one.splits, one.is_cheap, one.statistics, *how, *given, *operands

    def _of_operand(self, one: Operand) -> Hashable:
        tensor = self.graph.tensors[one.tensor]
        where = one.tensor in self.shared, one.tensor in self.again.interior, is_read_backward(one.tensor, self.graph)
        whose = (tensor.sizes, tensor.role, tensor.element_bytes, tensor.has_gradient, *where)
        return one.dims, tuple(one.windows.items()), one.saved, one.is_added, one.has_gradient, *whose


def repeats_of(graph: OperatorGraph, index: Mapping[str, int], count: int) -> tuple[Repeats, ...]:
    """Return the blocks of variables that blocks of operators have become, as many as are of one length.

    Parameters
    ----------
    index
        By operator, its variable; those between it and the next one's belong to it.
    count
        How many variables there are.
    """
    found = []
    behind = [*(index[operator.name] for operator in graph.operators), count] if graph.repeats else []
    for one in graph.repeats:
        starts = [behind[one.first + number * one.length] for number in range(one.times + 1)]
        length = starts[1] - starts[0]
        times = next((n for n in range(one.times) if starts[n + 1] - starts[n] != length), one.times)
        found.append(Repeats(starts[0], length, times))
    return tuple(found)
