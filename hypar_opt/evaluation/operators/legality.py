"""Whether a plan of operators is one: what is split can be, and into so many parts."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.evaluation.operators.placements import NONE, Word
from hypar_opt.evaluation.operators.plan import UNSPLIT, OperatorPlan, is_shared, shared_dims

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

    from hypar_opt.instance.operators import Operator, OperatorGraph
    from hypar_opt.util.partition import Partition

STORAGES = ("replicated", "zero-1", "zero-2", "zero-3")


def faults(
    graph: OperatorGraph,
    partition: Partition,
    plan: OperatorPlan,
    divisible: bool,
    choices: Collection[str] | None = None,
    storages: Sequence[str] = STORAGES,
) -> Iterator[str]:
    """Yield what is not allowed of a plan, in words.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what.
    divisible
        Whether all parts have to be of one size; otherwise there are at most as many as elements, and a plan that pads
        divides factors of dimensions evenly.
    choices
        The dimensions along which operators may be split, and `none`; without them, all along which each can be, and
        none where that is cheap. What can be split along none of them is left whole.
    storages
        Of `STORAGES`, those that operators with parameters may have; others have none but the first.
    """
    rules = _Rules(graph, partition, plan, divisible, choices, storages)
    if graph.repeats and all(one.name in plan.words for one in graph.operators):
        alike = Likeness.of(graph, plan)
        first = [graph.operators[number] for one in alike.stretches for number in one.block]
        if next(rules.broken(first, alike.first_tensors), None) is None:
            return  # nor is any broken by what is like these
    yield from rules.broken(graph.operators, graph.tensors)


@dataclass(frozen=True)
class _Rules:
    """What is allowed; parameters as of `faults`."""

    graph: OperatorGraph
    partition: Partition
    plan: OperatorPlan
    divisible: bool
    choices: Collection[str] | None
    storages: Sequence[str]

    def broken(self, operators: Iterable[Operator], tensors: Iterable[str]) -> Iterator[str]:
        """Yield what is not allowed of operators, and of the tensors among some that several operators read."""
        graph, plan = self.graph, self.plan
        clean: set[Hashable] = set()
        for operator in operators:
            word, stored = plan.words.get(operator.name), plan.storage.get(operator.name, STORAGES[0])
            has_parameters = any(graph.tensors[one.tensor].role == "parameter" for one in operator.operands)
            padded = graph.factors(operator) if plan.is_padded else frozenset[str]()
            divided = operator.sizes if self.divisible else padded
            sizes = tuple(operator.sizes.items())
            key = word, stored, has_parameters, operator.splits, operator.is_cheap, sizes, frozenset(divided)
            if key in clean:
                continue  # all that is asked below is as of an operator in which nothing is wrong
            found = [
                *_misread(operator, word, self.partition, self.choices, divided),
                *_misstored(operator, stored, has_parameters, self.storages),
            ]
            yield from found
            clean |= set() if found else {key}
        for name in tensors:
            if is_shared(graph, name):
                yield from _misplaced(graph, name, plan, self.partition, self.divisible)


def _misread(
    operator: Operator,
    word: Word | None,
    partition: Partition,
    choices: Collection[str] | None,
    divided: Collection[str],
) -> Iterator[str]:
    """Yield what is wrong with an operator's word."""
    if word is None:
        yield f"'{operator.name}' has no strategy"
    elif len(word) != partition.levels:
        yield f"'{operator.name}' has {len(word)} entries for {partition.levels} axes"
    else:
        yield from _not_offered(operator, word, choices)
        yield from _indivisible(operator, word, partition, divided)


def _misstored(operator: Operator, stored: str, has_parameters: bool, storages: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with how an operator's parameters are kept."""
    if has_parameters and stored not in storages:
        yield f"'{operator.name}' stores its parameters '{stored}', expected one of {', '.join(storages)}"
    elif not has_parameters and stored != STORAGES[0]:
        yield f"'{operator.name}' has no parameters that it could store '{stored}'"


def _not_offered(operator: Operator, word: Word, choices: Collection[str] | None) -> Iterator[str]:
    cheap = (NONE,) if operator.is_cheap else ()
    offered = {*operator.splits, *cheap} if choices is None else {*operator.splits, NONE} & set(choices)
    offered = offered or {NONE}
    for entry in dict.fromkeys(word):
        if entry not in offered:
            yield f"'{operator.name}' is not to be split along '{entry}', but along {', '.join(sorted(offered))}"


def _indivisible(operator: Operator, word: Word, partition: Partition, divided: Collection[str]) -> Iterator[str]:
    for dim, parts in _parts(word, partition).items():
        size = operator.sizes.get(dim, parts)
        if parts > size or (dim in divided and size % parts):
            yield f"'{operator.name}' splits its {dim} of {size:,} into {parts:,} parts"


def _parts(word: Word, partition: Partition) -> dict[str, int]:
    """Return into how many parts each dimension of a word is split."""
    axes = [(entry, axis.size) for entry, axis in zip(word, partition.axes, strict=True)]
    return {dim: prod(size for entry, size in axes if entry == dim) for dim in dict.fromkeys(word) if dim != NONE}


def _misplaced(
    graph: OperatorGraph, name: str, plan: OperatorPlan, partition: Partition, divisible: bool
) -> Iterator[str]:
    """Yield what is wrong with the placements of a tensor that several read."""
    tensor = graph.tensors[name]
    forward, gradient = plan.shared.get(name, ((), ()))
    dims = shared_dims(graph, name)
    for what, word in (("", forward), *((("the gradient of ", gradient),) if tensor.has_gradient else ())):
        where = f"{what}'{name}'"
        if len(word) != partition.levels:
            yield f"{where}, which several read, has {len(word)} entries for {partition.levels} axes"
            continue
        for entry in dict.fromkeys(word):
            if entry not in dims and entry not in UNSPLIT:
                yield f"{where} has no dimension '{entry}', but {', '.join(dim for dim in dims if dim is not None)}"
            elif entry == "partial" and not what:
                yield f"{where} is to lie in partial sums, and only gradients can"
        for dim, parts in _parts(word, partition).items():
            size = tensor.sizes[dims.index(dim)] if dim in dims else parts
            if parts > size or (divisible and size % parts):
                yield f"{where} is split along its {dim} of {size:,} into {parts:,} parts"
