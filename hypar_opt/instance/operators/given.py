"""What can be given: words of operators and of tensors that several of them read, and whether blocks run once more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.fix import OPEN, is_pattern, matched, nearest
from hypar_opt.instance.operators.repeated import NO, RECOMPUTE, YES, blocks_of
from hypar_opt.instance.operators.words import divided, offered, word_fault
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hypar_opt.instance.operators.graph import OperatorGraph
    from hypar_opt.util.partition import Partition

FORWARD, GRADIENT = ":forward", ":gradient"
"""Behind a tensor's name, what its placements are called."""
WHOLE, PARTIAL = "whole", "partial"
"""In a placement's word: every group has all of the tensor; of gradients, summands of it."""
PLACEMENTS: Final = (FORWARD, GRADIENT)
ENDS: Final = (*PLACEMENTS, RECOMPUTE)
"""Behind names, of what is no operator and can be given all the same."""


@dataclass(frozen=True)
class Choosable:
    """An operator, a placement, or whether a block runs once more.

    Parameters
    ----------
    name
        Unique.
    entries
        What its word may have on an axis.
    sizes
        By dimension that it can be split along.
    divided
        The dimensions that their parts have to divide.
    is_split
        Whether an entry an axis is given; else one of `entries`.
    """

    name: str
    entries: tuple[str, ...]
    sizes: Mapping[str, int] = field(hash=False)
    divided: Collection[str] = ()
    is_split: bool = True

    def fault(self, text: str, partition: Partition) -> str | None:
        """Return why it cannot be given a text, or None."""
        if self.is_split:
            return word_fault(self, text, self.entries, partition, divided=self.divided)
        known = " or ".join(self.entries)
        return None if text in self.entries else f"expected {known} for '{self.name}', got {shown(text)}"

    def open_word(self, partition: Partition) -> tuple[str, ...]:
        """Return what leaves everything open."""
        return (OPEN,) * (partition.levels if self.is_split else 1)


def is_shared(name: str, graph: OperatorGraph) -> bool:
    """Return whether a tensor has placements of its own: several operands read it, and it is no input."""
    return len(graph.readers[name]) > 1 and graph.tensors[name].role != "input"


def names_of(name: str, graph: OperatorGraph) -> tuple[str | None, ...]:
    """Return what a shared tensor's dimensions are called: as by who writes it, or who reads it first."""
    writer = graph.writers.get(name)
    if writer is not None:
        return graph.operators[writer].output.dims
    operator, place = graph.readers[name][0]
    return graph.operators[operator].operands[place].dims


@dataclass(frozen=True)
class Givable:
    """All that can be given words.

    Parameters
    ----------
    operators, placements, decisions
        By name.
    graph
        Whose they are.
    """

    operators: Mapping[str, Choosable]
    placements: Mapping[str, Choosable]
    decisions: Mapping[str, Choosable]
    graph: OperatorGraph

    @classmethod
    def of(
        cls,
        graph: OperatorGraph,
        choices: Sequence[str] | None,
        splits: str = "divisible",
        recompute: str = "none",
    ) -> Givable:
        """Return what can be given of operators.

        Parameters
        ----------
        choices
            Names of dimensions that operators may be split along, and `none`; None for all.
        splits
            As instances say, which have to divide.
        recompute
            As instances say: whether it is decided which blocks run once more.
        """
        operators = {
            one.name: Choosable(one.name, offered(one, choices), one.sizes, divided(one, graph, splits))
            for one in graph.operators
        }
        blocks = blocks_of(graph) if recompute == "choose" else ()
        decided = (Choosable(block.name + RECOMPUTE, (YES, NO), {}, is_split=False) for block in blocks)
        placements = {one.name: one for one in _placements(graph, divisible=splits == "divisible")}
        return cls(operators, placements, {one.name: one for one in decided}, graph)

    def __getitem__(self, name: str) -> Choosable:
        known = (self.operators, self.placements, self.decisions)
        return next(one[name] for one in known if name in one)

    def matched(self, pattern: str) -> tuple[str, ...]:
        """Return what a pattern stands for: placements or blocks where it ends as these do, otherwise operators."""
        if pattern in self.operators or not pattern.endswith(ENDS):
            return matched(pattern, self.operators)
        return matched(pattern, self.decisions if pattern.endswith(RECOMPUTE) else self.placements)

    def unmatched(self, pattern: str) -> str:
        """Return what is wrong with a pattern that stands for nothing, with the nearest name."""
        if pattern.endswith(RECOMPUTE):
            if not self.decisions and self.graph.repeats:
                return f"{shown(pattern)} decides of a block, and cost.recompute: choose alone leaves that to decide"
            return f"{shown(pattern)} {_none(pattern, 'block that is repeated', self.decisions)}"
        if not pattern.endswith(PLACEMENTS):
            known = {**self.operators, **({**self.placements, **self.decisions} if ":" in pattern else {})}
            return f"{shown(pattern)} {_none(pattern, 'operator', known)}"
        tensor, _, end = pattern.rpartition(":")
        if tensor in self.graph.tensors and is_shared(tensor, self.graph):
            return f"'{tensor}' has no gradient that could lie anywhere"
        if tensor in self.graph.writers:
            return (
                f"'{tensor}' has no placement of its own, for fewer than two operands read it; give words of operators"
            )
        alike = {name: one for name, one in self.placements.items() if name.endswith(f":{end}")}
        what = "placement of a tensor that several operators read"
        return f"{shown(pattern)} {_none(pattern, what, alike)}"


def _none(pattern: str, what: str, known: Mapping[str, Choosable]) -> str:
    """Return that there is nothing of that name, or matched by a pattern, with the nearest that there is."""
    if not known:
        return f"is no {what}, and there is none"
    if is_pattern(pattern):
        return f"matches no {what}; the nearest is '{nearest(pattern, known)}'"
    return f"is no {what}{did_you_mean(pattern, known)}"


def _placements(graph: OperatorGraph, *, divisible: bool) -> Iterator[Choosable]:
    for name, tensor in graph.tensors.items():
        if is_shared(name, graph):
            dims = zip(names_of(name, graph), tensor.sizes, strict=True)
            sizes = {dim: size for dim, size in dims if dim is not None}
            evenly = tuple(sizes) if divisible else ()
            yield Choosable(name + FORWARD, (*sizes, WHOLE), sizes, evenly)
            if tensor.has_gradient:
                yield Choosable(name + GRADIENT, (*sizes, WHOLE, PARTIAL), sizes, evenly)
