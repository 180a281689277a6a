"""What a pipeline's file says of ways of doing operators that does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.text import cut
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hypar_opt.instance.pipeline.schema import PipelineOperatorSpec, PipelineSpec, RecomputeSpec, TensorSpec

_NO_READER: Final = "these are for operators that have `read_bytes` of this one, and such is not"


def misfits_of_ways(spec: PipelineSpec) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield where something does not fit, and what."""
    kinds = {one.kind for one in spec.devices}
    alone = {(one.name, read) for one in spec.operators for read in one.read_bytes}
    for place, one in enumerate(spec.operators):
        at = ("operators", place)
        yield from _of_names((*at, "read_bytes"), one.read_bytes, one.reads, "it reads no")
        readers = [reader for reader, read in alone if read == one.name]
        yield from _of_names((*at, "sent_bytes"), one.sent_bytes, readers, _NO_READER)
        for said, where in _recomputing(one):
            if spec.recompute == "never":
                yield (*at, *where), "is not allowed unless `recompute` above is operators or stages"
            elif one.phase == "backward":
                yield (*at, *where), "is a backward operator, which has no activations to compute anew"
            if len(where) == 1:
                yield from _of_phases((*at, *where), said, _named(one.seconds, kinds), kinds)
        yield from _of_tensor(one, at, kinds, readers)
    if spec.recompute != "never" and not any(
        one.activations or any(way.activations for way in one.tensor or ()) or list(_recomputing(one))
        for one in spec.operators
    ):
        yield ("recompute",), "no operator has `activations` that it could do without"
    memories = [one.memory for operator in spec.operators for one, _ in _recomputing(operator)]
    if spec.recompute != "never" and spec.schedule is None and all(memory is None for memory in memories):
        why = "expected a schedule, or operators that say `recompute: {memory: ...}`"
        yield ("recompute",), f"spares nothing: without a schedule no activations are counted; {why}"


def _recomputing(operator: PipelineOperatorSpec) -> Iterator[tuple[RecomputeSpec, tuple[Any, ...]]]:
    """Yield what an operator says of computing activations anew, and where."""
    if operator.recompute is not None:
        yield operator.recompute, ("recompute",)
    for number, way in enumerate(operator.tensor or ()):
        if way.recompute is not None:
            yield way.recompute, ("tensor", number, "recompute")


def _of_tensor(
    operator: PipelineOperatorSpec, at: tuple[Any, ...], kinds: set[str], readers: Iterable[str]
) -> Iterator[tuple[tuple[Any, ...], str]]:
    degrees = [way.degree for way in operator.tensor or ()]
    for number, way in enumerate(operator.tensor or ()):
        where = (*at, "tensor", number)
        if way.degree in degrees[:number]:
            yield (*where, "degree"), f"the degree {way.degree} is there twice"
        may = _named(operator.seconds, kinds)
        yield from _of_phases(where, way, may, kinds)
        if way.recompute is not None:
            yield from _of_phases((*where, "recompute"), way.recompute, _named(way.seconds, may), kinds)
        said = "above there are no `read_bytes` of"
        yield from _of_names((*where, "read_bytes"), way.read_bytes, operator.read_bytes, said)
        yield from _of_names((*where, "sent_bytes"), way.sent_bytes, readers, _NO_READER)


def _of_names(
    at: tuple[Any, ...], said: Mapping[str, Any], known: Iterable[str], what: str
) -> Iterator[tuple[tuple[Any, ...], str]]:
    names = list(known)
    for name in said:
        if name not in names:
            yield at, f"{what} '{cut(name)}'{did_you_mean(name, names)}"


def _named(seconds: object, may: set[str]) -> set[str]:
    """Return the kinds of devices that seconds are of, among those that may be."""
    return may & seconds.keys() if isinstance(seconds, dict) else may


def _of_phases(
    at: tuple[Any, ...], said: TensorSpec | RecomputeSpec, may: set[str], kinds: set[str]
) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Yield kinds that there are not or may not, and those of whose backward phase nothing is said: no time."""
    for part in ("seconds", "backward"):
        yield from _of_kinds((*at, part), getattr(said, part), kinds)
    if isinstance(said.seconds, dict) and not said.seconds.keys() <= may:
        more = ", ".join(sorted(said.seconds.keys() - may))
        yield (*at, "seconds"), f"expected kinds that may have the operator otherwise, got {more}"
    left = _named(said.seconds, may) - (said.backward.keys() if isinstance(said.backward, dict) else may)
    if left:
        found = ", ".join(sorted(left))
        yield (*at, "backward"), f"expected seconds for every kind that may have it so, got none for {found}"


def _of_kinds(at: tuple[Any, ...], said: object, kinds: set[str]) -> Iterator[tuple[tuple[Any, ...], str]]:
    for kind in said if isinstance(said, dict) else ():
        if kind not in kinds:
            hint = did_you_mean(kind, kinds) or f"; there are {', '.join(sorted(kinds))}"
            yield at, f"no devices are called '{cut(kind)}'{hint}"
