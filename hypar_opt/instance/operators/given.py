"""What can be given words: operators, and placements of tensors that several of them read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.fix import is_pattern, matched, nearest
from hypar_opt.instance.operators.words import divided, offered
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hypar_opt.instance.operators.graph import OperatorGraph

FORWARD, GRADIENT = ":forward", ":gradient"
"""Behind a tensor's name, what its placements are called."""
WHOLE, PARTIAL = "whole", "partial"
"""In a placement's word: every group has all of the tensor; of gradients, summands of it."""
PLACEMENTS: Final = (FORWARD, GRADIENT)


@dataclass(frozen=True)
class Choosable:
    """An operator, or a placement.

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
    """

    name: str
    entries: tuple[str, ...]
    sizes: Mapping[str, int] = field(hash=False)
    divided: Collection[str] = ()


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
    operators, placements
        By name.
    graph
        Whose they are.
    """

    operators: Mapping[str, Choosable]
    placements: Mapping[str, Choosable]
    graph: OperatorGraph

    @classmethod
    def of(cls, graph: OperatorGraph, choices: Sequence[str] | None, splits: str = "divisible") -> Givable:
        """Return what can be given of operators.

        Parameters
        ----------
        choices
            Names of dimensions that operators may be split along, and `none`; None for all.
        splits
            As instances say, which have to divide.
        """
        operators = {
            one.name: Choosable(one.name, offered(one, choices), one.sizes, divided(one, graph, splits))
            for one in graph.operators
        }
        return cls(operators, {one.name: one for one in _placements(graph, divisible=splits == "divisible")}, graph)

    def __getitem__(self, name: str) -> Choosable:
        return self.operators[name] if name in self.operators else self.placements[name]

    def matched(self, pattern: str) -> tuple[str, ...]:
        """Return what a pattern stands for: placements where it ends as their names do, otherwise operators."""
        if pattern in self.operators or not pattern.endswith(PLACEMENTS):
            return matched(pattern, self.operators)
        return matched(pattern, self.placements)

    def unmatched(self, pattern: str) -> str:
        """Return what is wrong with a pattern that stands for nothing, with the nearest name."""
        if not pattern.endswith(PLACEMENTS):
            known = {**self.operators, **(self.placements if ":" in pattern else {})}
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
