"""A plan of operators: where each is split, and where tensors lie that several of them read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, AxisPlacement, Placement, Word
from hypar_opt.evaluation.operators.recomputation import (
    NOTHING,
    Recomputation,
    decided_blocks,
    lies_for_all,
    recomputation,
)
from hypar_opt.instance.operators.repeated import NO, RECOMPUTE, YES
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.operators.emitted import Emitted
    from hypar_opt.instance.operators import Operator, OperatorGraph
    from hypar_opt.util.partition import Partition

FORWARD: Final = ":forward"
GRADIENT: Final = ":gradient"
KEPT: Final = ":kept"
COPY: Final = "copy"
"""Of what others read, too: the operator keeps it as it needs it, where that is not how it lies for all."""
SHARED: Final = "shared"
"""Of what others read, too: the operator keeps no copy of its own, and converts it once more for its backward phase."""
UNSPLIT: Final[Mapping[str, AxisPlacement]] = MappingProxyType({"whole": WHOLE, "partial": PARTIAL})
"""What a shared tensor's word may say of an axis beside the name of a dimension."""


@dataclass(frozen=True)
class OperatorPlan:
    """Where operators are split and tensors lie.

    Parameters
    ----------
    words
        By operator.
    shared
        By tensor with several readers, where it lies and where its gradient is summed up: an entry an axis, the name of
        a dimension (`shared_dims`), `whole` or, of gradients, `partial`. Of one without a gradient the second is empty.
    storage
        By operator, how its own parameters are kept where they are not split: `replicated` unless it says `zero-1`,
        `zero-2` or `zero-3`.
    kept
        By operator, `COPY` or `SHARED` for each operand of `copied`; copies unless it says so.
    is_padded
        Whether what parts do not divide is padded, to parts of the size of the largest; else parts are fractions.
    recomputed
        What runs once more in the backward phase.
    emitted
        What a partitioner moves for conversions, where that is counted; else collectives are.
    """

    words: Mapping[str, Word]
    shared: Mapping[str, tuple[Word, Word]] = field(default_factory=dict)
    storage: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_padded: bool = False
    recomputed: Recomputation = NOTHING
    emitted: Emitted | None = None
    _alike: list[tuple[OperatorGraph, object]] = field(default_factory=list, init=False, repr=False, compare=False)
    """What `Likeness.of` has found, of which graph."""

    def keeps_no_copy(self, graph: OperatorGraph, operator: Operator, place: int) -> bool:
        """Return whether an operator converts an operand whenever it reads it once more, for it keeps no copy."""
        kept = self.kept.get(operator.name)
        places = copied(graph, operator, self.recomputed)
        return kept is not None and place in places and kept[places.index(place)] == SHARED

    def converts_again(self, graph: OperatorGraph, operator: Operator, place: int) -> bool:
        """Return whether an operator converts an operand once more for its backward phase, for it keeps no copy."""
        return operator.operands[place].saved and self.keeps_no_copy(graph, operator, place)


def is_shared(graph: OperatorGraph, tensor: str) -> bool:
    """Return whether a tensor's placement is a decision of its own: several read it, and it is not simply loaded."""
    return graph.tensors[tensor].role != "input" and len(graph.readers[tensor]) > 1


def shared_tensors(graph: OperatorGraph) -> list[str]:
    """Return the tensors whose placement is a decision of its own, in the graph's order."""
    several = [name for name, readers in graph.readers.items() if len(readers) > 1]
    return [name for name in several if is_shared(graph, name)]


def readers_that_keep_first(graph: OperatorGraph, tensor: str) -> tuple[tuple[int, int], ...]:
    """Return who reads a tensor, of an operator's operands those first that its backward phase reads.

    Of operands that are needed alike the first one decides what is kept of all of them.
    """

    def order(reader: tuple[int, int]) -> tuple[int, bool, int]:
        number, place = reader
        return number, not graph.operators[number].operands[place].saved, place

    return tuple(sorted(graph.readers[tensor], key=order))


def copied(graph: OperatorGraph, operator: Operator, recomputed: Recomputation = NOTHING) -> tuple[int, ...]:
    """Return the places of the operands that are maps that others read, too, and that are kept for the operator.

    What is kept to run once more and no backward phase reads is kept by its reader alone, which has no choice.
    """
    operands = enumerate(operator.operands)
    maps = ((place, one) for place, one in operands if graph.tensors[one.tensor].role != "parameter")
    shared = ((place, one) for place, one in maps if is_shared(graph, one.tensor) and lies_for_all(graph, one.tensor))
    return tuple(place for place, one in shared if recomputed.is_kept(operator, one))


def shared_dims(graph: OperatorGraph, tensor: str) -> tuple[str | None, ...]:
    """Return what the dimensions of a shared tensor are called: as its writer does, of a parameter its first reader."""
    if tensor in graph.writers:
        return graph.operators[graph.writers[tensor]].output.dims
    reader, place = graph.readers[tensor][0]
    return graph.operators[reader].operands[place].dims


def shared_placement(graph: OperatorGraph, tensor: str, word: Word) -> Placement:
    """Return where a shared tensor, or its gradient, lies.

    Raises
    ------
    ValueError
        If it has no dimension of a name.
    """
    dims = shared_dims(graph, tensor)
    return tuple(UNSPLIT[name] if name in UNSPLIT else AxisPlacement(dims.index(name)) for name in word)


def operator_plan(
    graph: OperatorGraph,
    partition: Partition,
    strategies: Mapping[str, str],
    storage: Mapping[str, str] = MappingProxyType({}),
    kept: Mapping[str, str] = MappingProxyType({}),
    *,
    padded: bool = False,
    recompute: str = "none",
    again: Mapping[str, str] = MappingProxyType({}),
) -> OperatorPlan:
    """Return the plan that the strategies of a plan's file mean.

    Parameters
    ----------
    graph, partition
        What it is a plan of, and for.
    strategies
        By operator, and by shared tensor with `:forward` and `:gradient` after its name: an entry an axis, separated by
        spaces.
    storage
        By operator.
    kept
        By operator, for each operand of `copied` an entry, separated by spaces.
    padded
        Whether what parts do not divide is padded.
    recompute
        What runs once more in the backward phase: `none`, repeated `blocks`, or those that the plan chooses.
    again
        By block, whether it runs once more where that is chosen: `yes` or `no`; no unless it says so.

    Raises
    ------
    InputError
        If there is no operator or shared tensor of a name, one has no strategy, or one has not an entry an axis that is
        a dimension's name; with the nearest name. Likewise of what is kept.
    """
    shared = shared_tensors(graph)
    allowed = dict(_keys(graph, shared))
    for key in strategies:
        if key not in allowed:
            near = did_you_mean(key, allowed)
            raise InputError(f"'{key}' is neither an operator nor a tensor that several read{near}", field=key)
    missing = next((key for key in allowed if key not in strategies), None)
    if missing is not None:
        near = did_you_mean(missing, strategies)
        raise InputError(f"'{missing}' has no strategy{near}", field=missing)
    operators = {one.name for one in graph.operators}
    for name in (*storage, *kept):
        if name not in operators:
            near = did_you_mean(name, [one.name for one in graph.operators])
            raise InputError(f"'{name}' is no operator, so that it keeps nothing{near}", field=name)
    known: dict[tuple[str, int], Word] = {}  # equal blocks have equal words, which are read once
    words = {}
    for key, names in allowed.items():
        said = strategies[key], id(names)
        if said not in known:
            known[said] = _word(key, strategies[key], names, partition)
        words[key] = known[said]
    chosen = _chosen(graph, again, recompute)
    recomputed = recomputation(graph, recompute, chosen)
    return OperatorPlan(
        {one.name: words[one.name] for one in graph.operators},
        {name: (words[name + FORWARD], words.get(name + GRADIENT, ())) for name in shared},
        dict(storage),
        {one.name: _forms(graph, one, kept[one.name], recomputed) for one in graph.operators if one.name in kept}
        if kept
        else {},
        padded,
        recomputed,
    )


def _chosen(graph: OperatorGraph, again: Mapping[str, str], recompute: str) -> frozenset[str]:
    """Return the blocks that a plan runs once more."""
    blocks = decided_blocks(graph) if again else ()
    for name, said in again.items():
        field = name + RECOMPUTE
        if name not in blocks:
            near = did_you_mean(name, blocks)
            raise InputError(f"'{name}' is no repeated block that could run once more{near}", field=field)
        if said not in (YES, NO):
            raise InputError(f"'{name}' has '{said}', expected {YES} or {NO}", field=field)
        if recompute != "choose" and (said == YES) != (recompute == "blocks"):
            wanted = "none does" if recompute == "none" else "all do"
            raise InputError(f"'{name}' has '{said}', and {wanted} here: cost.recompute is {recompute}", field=field)
    return frozenset(name for name, said in again.items() if said == YES)


def _forms(graph: OperatorGraph, operator: Operator, text: str, recomputed: Recomputation) -> tuple[str, ...]:
    """Return what an operator keeps of what others read, too."""
    found, count = tuple(text.split()), len(copied(graph, operator, recomputed))
    if len(found) != count or not set(found) <= {COPY, SHARED}:
        said = f"{COPY} or {SHARED} for each of {count} operands that others read, too, and it reads again"
        raise InputError(f"'{operator.name}' keeps '{text}', expected {said}", field=f"{operator.name}{KEPT}")
    return found


def _keys(graph: OperatorGraph, shared: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the keys of a plan's strategies, and which entries each may have; those of blocks are one object."""
    known: dict[tuple[tuple[str | None, ...], str], tuple[str, ...]] = {}

    def entries(dims: tuple[str | None, ...], *others: str) -> tuple[str, ...]:
        key = dims, others[-1]
        if key not in known:
            known[key] = (*(dim for dim in dims if dim is not None), *others)
        return known[key]

    for operator in graph.operators:
        yield operator.name, entries(operator.splits, "none")
    for name in shared:
        dims = shared_dims(graph, name)
        yield name + FORWARD, entries(dims, "whole")
        if graph.tensors[name].has_gradient:
            yield name + GRADIENT, entries(dims, "whole", "partial")


def _word(key: str, text: str, names: Sequence[str], partition: Partition) -> Word:
    word = tuple(text.split())
    if len(word) != partition.levels:
        raise InputError(
            f"'{key}' has {len(word)} entries, '{text}', expected one for each of {partition.levels} axes", field=key
        )
    unknown = next((entry for entry in word if entry not in names), None)
    if unknown is not None:
        near = did_you_mean(unknown, names)
        raise InputError(f"'{key}' has '{unknown}', expected one of {', '.join(names)}{near}", field=key)
    return word
