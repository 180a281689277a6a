"""What a plan does alike in blocks that the network repeats, so that it is followed once and counted as often.

What happens to a tensor depends on who writes it and who reads it, on their words and on how they keep it, and on where
it lies for all of its readers. Operators at one place of blocks that are alike differ in names only, and so does what
they read and write; if all else is equal as well, the same devices receive the same bytes, compute and keep as much.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from hypar_opt.evaluation.operators.program import Surroundings
from hypar_opt.util.records import renamed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from hypar_opt.evaluation.operators.computing import Work
    from hypar_opt.evaluation.operators.movement import Movement
    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.operators import OperatorGraph


@dataclass(frozen=True)
class Likeness:
    """Tensors and operators that stand for all that are like them.

    Parameters
    ----------
    tensors, operators
        By name, the first of its like.
    """

    tensors: Mapping[str, str]
    operators: Mapping[str, str]

    @staticmethod
    def of(graph: OperatorGraph, plan: OperatorPlan) -> Likeness:
        """Return what a plan does alike; it is found out once of a graph and a plan, for all that recount it."""
        known = plan._alike
        if not known or known[0][0] is not graph:
            numbers = _numbers(graph, plan)
            operators = _firsts((one.name, numbers[place]) for place, one in enumerate(graph.operators))
            known[:] = [(graph, Likeness(_firsts(_tensors(graph, plan, numbers)), operators))]
        return cast("Likeness", known[0][1])

    @cached_property
    def tensor_counts(self) -> Mapping[str, int]:
        """Of the first of each like, how many tensors there are."""
        return Counter(self.tensors.values())

    @cached_property
    def operator_counts(self) -> Mapping[str, int]:
        """Of the first of each like, how many operators there are."""
        return Counter(self.operators.values())

    @property
    def first(self) -> Surroundings:
        """The first of each."""
        return Surroundings(frozenset(self.tensor_counts), frozenset(self.operator_counts))

    def each_moved(self, graph: OperatorGraph, moved: Iterable[Movement]) -> Iterator[Movement]:
        """Yield the movements of all, in the network's order, from those of the first of each."""
        found: dict[tuple[str, str], list[Movement]] = defaultdict(list)
        for one in moved:
            what = "halo" if one.kind == "halo" else "conversion" if one.tensor in self.tensors else "sum"
            found[what, one.tensor if what == "conversion" else one.reader or ""].append(one)
        for name, first in self.tensors.items():
            for one in found.get(("conversion", first), ()):
                yield one if name == first else renamed(one, tensor=name, reader=_other_reader(graph, one, name))
        for what in ("sum", "halo"):
            for place, (name, first) in enumerate(self.operators.items()):
                for one in found.get((what, first), ()):
                    tensor = f"{name}:statistic" if what == "sum" else _other_operand(graph, one, place)
                    yield one if name == first else renamed(one, tensor=tensor, reader=name)

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


def _numbers(graph: OperatorGraph, plan: OperatorPlan) -> list[int]:
    """Return a number for each operator, the same for those at one place of blocks that do and keep the same."""
    places = list(range(len(graph.operators)))
    for run in graph.repeats:
        for number in range(1, run.times):
            start = run.first + number * run.length
            places[start : start + run.length] = range(run.first, run.first + run.length)
    known: dict[Hashable, int] = {}
    return [
        known.setdefault(
            (
                place,
                plan.words[one.name],
                plan.storage.get(one.name),
                plan.kept.get(one.name),
                one.name in plan.recomputed.again,
            ),
            len(known),
        )
        for place, one in zip(places, graph.operators, strict=True)
    ]


def _tensors(graph: OperatorGraph, plan: OperatorPlan, numbers: list[int]) -> Iterator[tuple[str, Hashable]]:
    """Yield every tensor with all that it depends on what happens to it; of one that nobody touches its name."""
    for name, readers in graph.readers.items():
        writer = graph.writers.get(name)
        read = tuple((numbers[operator], place) for operator, place in readers)
        written = None if writer is None else numbers[writer]
        inside = name in plan.recomputed.inside
        yield name, (written, read, plan.shared.get(name), inside) if read or writer is not None else name


def _firsts(items: Iterable[tuple[str, Hashable]]) -> Mapping[str, str]:
    """Return by name the first with the same key."""
    first: dict[Hashable, str] = {}
    return {name: first.setdefault(key, name) for name, key in items}


def _other_reader(graph: OperatorGraph, one: Movement, tensor: str) -> str | None:
    """Return who does with a tensor what the reader of a movement does with its own."""
    if one.reader is None:
        return None
    readers = (graph.operators[number].name for number, _ in graph.readers[one.tensor])
    place = next(place for place, name in enumerate(readers) if name == one.reader)
    return graph.operators[graph.readers[tensor][place][0]].name


def _other_operand(graph: OperatorGraph, one: Movement, operator: int) -> str:
    """Return the tensor that an operator reads as the reader of a movement reads its own."""
    place = next(place for number, place in graph.readers[one.tensor] if graph.operators[number].name == one.reader)
    return graph.operators[operator].operands[place].tensor
