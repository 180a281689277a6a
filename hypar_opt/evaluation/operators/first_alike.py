"""Which operators and tensors of first blocks are alike, by all that a plan says of them and of who touches them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.evaluation.operators.stretches import Stretch
    from hypar_opt.instance.operators import OperatorGraph


def first_alike(
    graph: OperatorGraph, plan: OperatorPlan, rows: Sequence[Stretch]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return by tensor, and by operator, of the first blocks of stretches the first of its like."""
    numbers = _numbers(graph, plan, rows)
    names = ((graph.operators[place].name, numbers[place]) for one in rows for place in one.block)
    return _firsts(_tensors(graph, plan, rows, numbers)), _firsts(names)


def _numbers(graph: OperatorGraph, plan: OperatorPlan, rows: Iterable[Stretch]) -> list[int]:
    """Return a number for each operator, the same for those at one place of blocks that do and keep the same."""
    places = list(range(len(graph.operators)))
    for run in graph.repeats:
        for number in range(1, run.times):
            start = run.first + number * run.length
            places[start : start + run.length] = range(run.first, run.first + run.length)
    known: dict[Hashable, int] = {}
    found: list[int] = []
    for row in rows:
        for number in row.block:
            name = graph.operators[number].name
            kept = plan.storage.get(name), plan.kept.get(name), name in plan.recomputed.again
            found.append(known.setdefault((places[number], plan.words[name], *kept), len(known)))
        found += found[len(found) - row.length :] * (row.times - 1)
    return found


def _tensors(
    graph: OperatorGraph, plan: OperatorPlan, rows: Iterable[Stretch], numbers: list[int]
) -> Iterator[tuple[str, Hashable]]:
    """Yield the tensors of first blocks with all that they depend on what happens to them.

    What no operator writes is there in full, but for what later blocks of a stretch have for themselves.
    """
    touched = set[str]()
    for row in rows:
        for operator in graph.operators[row.first : row.first + row.length]:
            touched.add(operator.output.tensor)
            touched.update(one.tensor for one in operator.operands if one.tensor not in graph.writers)
    for name in filter(touched.__contains__, graph.tensors):
        readers, writer = graph.readers[name], graph.writers.get(name)
        read = tuple((numbers[operator], place) for operator, place in readers)
        written = None if writer is None else numbers[writer]
        yield name, (written, read, plan.shared.get(name), name in plan.recomputed.inside)


def _firsts(items: Iterable[tuple[str, Hashable]]) -> Mapping[str, str]:
    """Return by name the first with the same key."""
    first: dict[Hashable, str] = {}
    return {name: first.setdefault(key, name) for name, key in items}
