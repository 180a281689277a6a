"""What a plan does alike in blocks that the network repeats, so that it is followed once and counted as often.

What happens to a tensor depends on who writes it and who reads it, on their words and on how they keep it, and on where
it lies for all of its readers. Operators at one place of blocks that are alike differ in names only, and so does what
they read and write; if all else is equal as well, the same devices receive the same bytes, compute and keep as much.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.program import Surroundings

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
        By name, the first of its like, how many there are with it.
    """

    tensors: Mapping[str, int]
    operators: Mapping[str, int]

    @staticmethod
    def of(graph: OperatorGraph, plan: OperatorPlan) -> Likeness:
        """Return what a plan does alike."""
        numbers = _numbers(graph, plan)
        operators = _counted((one.name, numbers[place]) for place, one in enumerate(graph.operators))
        return Likeness(_counted(_tensors(graph, plan, numbers)), operators)

    @property
    def first(self) -> Surroundings:
        """The first of each."""
        return Surroundings(frozenset(self.tensors), frozenset(self.operators))

    def all_moved(self, moved: Iterable[Movement]) -> Iterator[Movement]:
        """Yield movements of the first of each, each as large as those of its like together."""
        for one in moved:
            is_of_reader = one.kind == "halo" or one.tensor not in self.tensors
            times = self.operators[one.reader or ""] if is_of_reader else self.tensors[one.tensor]
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
            times = self.operators[one.operator]
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
        known.setdefault((place, plan.words[one.name], plan.storage.get(one.name), plan.kept.get(one.name)), len(known))
        for place, one in zip(places, graph.operators, strict=True)
    ]


def _tensors(graph: OperatorGraph, plan: OperatorPlan, numbers: list[int]) -> Iterator[tuple[str, Hashable]]:
    """Yield every tensor with all that it depends on what happens to it; of one that nobody touches its name."""
    for name, readers in graph.readers.items():
        writer = graph.writers.get(name)
        read = tuple((numbers[operator], place) for operator, place in readers)
        written = None if writer is None else numbers[writer]
        yield name, (written, read, plan.shared.get(name)) if read or writer is not None else name


def _counted(items: Iterable[tuple[str, Hashable]]) -> Mapping[str, int]:
    """Return by the first name with a key how many have that key."""
    first: dict[Hashable, str] = {}
    return Counter(first.setdefault(key, name) for name, key in items)
