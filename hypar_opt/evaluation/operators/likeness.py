"""What a plan does alike in blocks that the network repeats, so that it is followed once and counted as often.

What happens to a tensor depends on who writes it and who reads it, on their words and on how they keep it, and on where
it lies for all of its readers. Operators at one place of blocks that are alike differ in names only, and so does what
they read and write; if all else is equal as well, the same devices receive the same bytes, compute and keep as much.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from hypar_opt.evaluation.operators.first_alike import first_alike
from hypar_opt.evaluation.operators.program import Surroundings
from hypar_opt.evaluation.operators.stretches import own_operands, stretches
from hypar_opt.util.records import renamed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators.computing import Work
    from hypar_opt.evaluation.operators.movement import Movement
    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.evaluation.operators.stretches import Stretch
    from hypar_opt.instance.operators import OperatorGraph


@dataclass(frozen=True)
class Near:
    """What is in the first two blocks of stretches and in the last, and beside them.

    Parameters
    ----------
    tensors
        By name the first of its like.
    operators
        By name, of the first two, for how many blocks each stands: the second for all but the first.
    """

    tensors: Mapping[str, str]
    operators: Mapping[str, int]


@dataclass(frozen=True)
class Likeness:
    """Tensors and operators that stand for all that are like them.

    Parameters
    ----------
    graph
        Whose.
    stretches
        Blocks that are alike in a row; what is in any but the first of a stretch is not looked at.
    first_tensors, first_operators
        By name, of what is looked at, the first of its like.
    """

    graph: OperatorGraph
    stretches: tuple[Stretch, ...]
    first_tensors: Mapping[str, str]
    first_operators: Mapping[str, str]
    _known_own: dict[int, Sequence[tuple[int, int]]] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def of(graph: OperatorGraph, plan: OperatorPlan) -> Likeness:
        """Return what a plan does alike; it is found out once of a graph and a plan, for all that recount it."""
        known = plan._alike
        if not known or known[0][0] is not graph:
            rows = tuple(stretches(graph, plan))
            known[:] = [(graph, Likeness(graph, rows, *first_alike(graph, plan, rows)))]
        return cast("Likeness", known[0][1])

    @cached_property
    def times(self) -> Mapping[str, int]:
        """For how many blocks an operator of the first block of a stretch stands, and a tensor that is that block's."""
        found: dict[str, int] = {}
        for one in self.stretches:
            if one.times > 1:
                found |= dict.fromkeys(self.names(one, one.first), one.times)
        return found

    @cached_property
    def tensors(self) -> Mapping[str, str]:
        """By name, of all tensors, the first of their like."""
        found = dict(self.first_tensors)
        for one in self.stretches:
            for start in one.further:
                found |= self._alike(one, start)
        return {name: found.get(name, name) for name in self.graph.tensors}

    @cached_property
    def operators(self) -> Mapping[str, str]:
        """By name, of all operators, the first of their like."""
        found: dict[str, str] = {}
        graph = self.graph
        for one in self.stretches:
            firsts = [self.first_operators[graph.operators[number].name] for number in one.block]
            for start in (one.first, *one.further):
                names = (operator.name for operator in graph.operators[start : start + one.length])
                found.update(zip(names, firsts, strict=True))
        return found

    @cached_property
    def tensor_counts(self) -> Mapping[str, int]:
        """Of the first of each like, how many tensors there are."""
        return self._counts(self.first_tensors)

    @cached_property
    def operator_counts(self) -> Mapping[str, int]:
        """Of the first of each like, how many operators there are."""
        return self._counts(self.first_operators)

    def _counts(self, firsts: Mapping[str, str]) -> Mapping[str, int]:
        found = Counter[str]()
        for name, first in firsts.items():
            found[first] += self.times.get(name, 1)
        return found

    @property
    def first(self) -> Surroundings:
        """The first of each."""
        return Surroundings(frozenset(self.tensor_counts), frozenset(self.operator_counts))

    @cached_property
    def near(self) -> Near:
        """What is at the ends of stretches, where what one block keeps for another can be told from what all do."""
        tensors, operators, graph = dict(self.first_tensors), dict[str, int](), self.graph
        for one in self.stretches:
            names = [graph.operators[number].name for number in one.block]
            operators |= dict.fromkeys(names, 1)
            for start in dict.fromkeys((*one.further[:1], *one.further[-1:])):
                tensors |= self._alike(one, start)
            for start in one.further[:1]:
                names = [operator.name for operator in graph.operators[start : start + one.length]]
                operators |= dict.fromkeys(names, one.times - 1)
        return Near(tensors, operators)

    def names(self, stretch: Stretch, start: int) -> list[str]:
        """Return the operators of a block of a stretch, what they write, and what it has for itself."""
        block = self.graph.operators[start : start + stretch.length]
        found = [one.name for one in block] + [one.output.tensor for one in block]
        return found + [block[number].operands[place].tensor for number, place in self._own(stretch)]

    def _alike(self, stretch: Stretch, start: int) -> Mapping[str, str]:
        """Return what a block of a stretch writes and has for itself, each with the first of its like."""
        mine, its = (self.names(stretch, first)[stretch.length :] for first in (stretch.first, start))
        return {name: self.first_tensors[first] for first, name in zip(mine, its, strict=True)}

    def _own(self, stretch: Stretch) -> Sequence[tuple[int, int]]:
        """Return where a block reads what it has for itself: numbers of operators in it, and places."""
        if stretch.first not in self._known_own:
            self._known_own[stretch.first] = own_operands(self.graph, stretch.block)
        return self._known_own[stretch.first]

    def each_moved(self, graph: OperatorGraph, moved: Iterable[Movement]) -> Iterator[Movement]:
        """Yield the movements of all, in the network's order, from those of the first of each."""
        return self._moved(graph, moved, self.tensors, self.operators)

    def few_moved(self, graph: OperatorGraph, moved: Iterable[Movement]) -> Iterator[tuple[Movement, int]]:
        """Yield the movements of what is looked at, likewise, and for how many blocks in a row each stands."""
        for one in self._moved(graph, moved, self.first_tensors, self.first_operators):
            whose = one.tensor if one.tensor in self.first_tensors else one.reader
            yield one, self.times.get(whose or "", 1)

    def _moved(
        self, graph: OperatorGraph, moved: Iterable[Movement], tensors: Mapping[str, str], operators: Mapping[str, str]
    ) -> Iterator[Movement]:
        found: dict[tuple[str, str], list[Movement]] = defaultdict(list)
        for one in moved:
            what = "halo" if one.kind == "halo" else "conversion" if one.tensor in tensors else "sum"
            found[what, one.tensor if what == "conversion" else one.reader or ""].append(one)
        for name, first in tensors.items():
            for one in found.get(("conversion", first), ()):
                yield one if name == first else renamed(one, tensor=name, reader=_other_reader(graph, one, name))
        for what in ("sum", "halo"):
            for name, first in operators.items():
                for one in found.get((what, first), ()):
                    tensor = f"{name}:statistic" if what == "sum" else self._other_operand(one, name)
                    yield one if name == first else renamed(one, tensor=tensor, reader=name)

    def _other_operand(self, one: Movement, operator: str) -> str:
        """Return the tensor that an operator reads as the reader of a movement reads its own."""
        graph = self.graph
        place = next(place for number, place in graph.readers[one.tensor] if graph.operators[number].name == one.reader)
        return graph.operators[self._places[operator]].operands[place].tensor

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {one.name: place for place, one in enumerate(self.graph.operators)}

    def each_done(self, done: Iterable[Work]) -> Iterator[Work]:
        """Yield the work of all, in the network's order, from that of the first of each."""
        found: dict[str, list[Work]] = defaultdict(list)
        for one in done:
            found[one.operator].append(one)
        for name, first in self.operators.items():
            for one in found[first]:
                yield one if name == first else replace(one, operator=name)

    def all_moved(self, moved: Iterable[Movement]) -> Iterator[Movement]:
        """Yield movements of the first of each, each as large as those of its like together."""
        for one in moved:
            is_of_reader = one.kind == "halo" or one.tensor not in self.tensors
            times = self.operator_counts[one.reader or ""] if is_of_reader else self.tensor_counts[one.tensor]
            yield (
                one
                if times == 1
                else replace(
                    one,
                    bytes=one.bytes * times,
                    collectives=one.collectives * times,
                    received=one.received * times,
                    steps=one.steps * times,
                )
            )

    def all_done(self, done: Iterable[Work]) -> Iterator[Work]:
        """Yield the work of the first of each, each as much as that of its like together."""
        for one in done:
            times = self.operator_counts[one.operator]
            yield (
                one
                if times == 1
                else replace(
                    one,
                    products=one.products * times,
                    others=one.others * times,
                    bytes=one.bytes * times,
                    seconds=one.seconds * times,
                )
            )


def _other_reader(graph: OperatorGraph, one: Movement, tensor: str) -> str | None:
    """Return who does with a tensor what the reader of a movement does with its own."""
    if one.reader is None:
        return None
    readers = (graph.operators[number].name for number, _ in graph.readers[one.tensor])
    place = next(place for place, name in enumerate(readers) if name == one.reader)
    return graph.operators[graph.readers[tensor][place][0]].name
