"""From a framework's graph to layers of a network of operators."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.importers.draft import DraftLayer, Sketch, Unreadable
from hypar_opt.importers.eager_attention import with_attention
from hypar_opt.importers.held import Constant, Viewed, Weight
from hypar_opt.importers.layers.opaque import opaque
from hypar_opt.importers.naming import clean, names_of
from hypar_opt.importers.tidying import tidied
from hypar_opt.instance.operators.layers.maker import Graph
from hypar_opt.instance.operators.network_schema import SHAPES
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.importers.graph import FrameworkGraph, Node
    from hypar_opt.importers.held import Held
    from hypar_opt.importers.records.record import Record


@dataclass(frozen=True)
class ReadNetwork:
    """What a model is as layers.

    Parameters
    ----------
    batch
        Samples for which it was traced.
    inputs
        Of each, its dimensions behind the batch by name.
    layers
        Each after those that it reads.
    outputs
        The layers that write what the model returns.
    trained
        The numbers that the layers train, by the framework's parameters.
    warnings
        What is known by its sizes only, and what was left out.
    """

    batch: int
    inputs: Mapping[str, Mapping[str, int]]
    layers: tuple[DraftLayer, ...]
    outputs: tuple[str, ...]
    trained: Mapping[str, int]
    warnings: tuple[str, ...]


def read_network(source: FrameworkGraph, records: Mapping[str, Record], *, strict: bool = False) -> ReadNetwork:
    """Return a model's layers.

    Parameters
    ----------
    source
        As its framework has it.
    records
        What its operators are, by kind.
    strict
        Whether an operator that no layer is like is an error.

    Raises
    ------
    InputError
        If it has no input with samples, or, where `strict`, an operator that no layer is like.
    """
    source = with_attention(source)
    draft, shapes = _begun(source)
    for node in source.nodes:
        draft.node = node
        before = dict(draft.layers)
        try:
            _read(draft, node, records)
        except Unreadable as reason:
            if strict:
                raise InputError(f"{node.where} is like no layer: {reason}", field="--strict") from None
            draft.layers = before
            draft.warnings.append(f"{node.where} is known by its sizes only, and computed whole: {reason}")
            opaque(draft, node)
    layers = tidied(_needed(draft, source.outputs), [one.layer for one in _last(draft, source)])
    trained = {weight.name for layer in layers for weight in layer.weights.values()}
    unread = sorted(set(source.trained) - set(trained))
    if unread:
        draft.warnings.append(f"{len(unread)} parameters that no layer reads are left out: {_listed(unread)}")
    read = {name for layer in layers for name in layer.inputs}
    shapes = {name: dims for name, dims in shapes.items() if name in read}
    numbers = {name: _elements(source.sizes[name]) for name in trained}
    outputs = tuple(one.layer for one in _last(draft, source))
    return ReadNetwork(draft.batch, shapes, layers, outputs, numbers, (*source.notes, *draft.warnings))


def _begun(source: FrameworkGraph) -> tuple[Sketch, dict[str, dict[str, int]]]:
    """Return the draft of a model with its inputs, and their dimensions."""
    first = next((source.sizes[name] for name in source.inputs if source.sizes[name]), None)
    if first is None:
        raise InputError("expected an input with samples along its first axis, got none", field="inputs")
    batch = first[0]
    held: dict[str, Held] = {name: Constant(sizes) for name, sizes in source.sizes.items()}
    held.update({name: Weight(name, source.sizes[name]) for name in source.trained})
    draft = Sketch(source, batch, names_of(source.nodes), held, Graph(batch, source.element_bytes))
    draft.readers.update(Counter(name for node in source.nodes for name in node.inputs if name))
    draft.readers.update({name: draft.readers.get(name, 0) + 1 for name in source.outputs})
    shapes: dict[str, dict[str, int]] = {}
    for place, name in enumerate(source.inputs):
        sizes = source.sizes[name]
        if sizes[:1] != (batch,):
            draft.warnings.append(f"input {name} has no samples along its first axis, and is taken for a constant")
            continue
        called = clean(name) or f"input{place}"
        called = called if called not in ("input", "block") else f"{called}_0"
        shapes[called] = _dims(sizes[1:])
        seen = draft.input(called, tuple(shapes[called].items()))
        draft.held[name] = seen
    return draft, shapes


def _dims(sizes: Sequence[int]) -> dict[str, int]:
    """Return names for an input's dimensions: maps have channels, all else has positions of features."""
    if len(sizes) in (3, 4):
        return dict(zip(SHAPES[len(sizes)], sizes, strict=True))
    names = {0: (), 1: ("sequence",), 2: ("sequence", "features")}.get(len(sizes))
    return dict(zip(names or [f"axis{i}" for i in range(len(sizes))], sizes, strict=True))


def _read(draft: Sketch, node: Node, records: Mapping[str, Record]) -> None:
    """Note what an operator writes."""
    held = [draft.held[name] for name in node.inputs if name]
    if (held and all(isinstance(one, Constant) for one in held)) or not node.inputs:
        draft.held.update({name: Constant(draft.size_of(name)) for name in node.outputs if name})
        return
    record = records.get(node.kind)
    if record is None:
        raise Unreadable("it is not known")
    try:
        found = record.read(draft, node)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:  # files of others may say anything
        raise Unreadable(f"what it is called with is not as expected: {type(error).__name__} {error}") from error
    made = found if isinstance(found, list) else [found]
    for name, one in zip(node.outputs, made, strict=False):
        if name and one.sizes != draft.size_of(name):
            raise Unreadable(f"expected {list(draft.size_of(name))} of it, got {list(one.sizes)}")
    missing = [name for name in node.outputs[len(made) :] if name and draft.readers.get(name)]
    if missing:
        raise Unreadable(f"something reads {missing[0]}, which no layer writes")
    draft.held.update({name: one for name, one in zip(node.outputs, made, strict=False) if name})


def _last(draft: Sketch, source: FrameworkGraph) -> list[Viewed]:
    """Return what the model returns, but for constants."""
    return [one for one in (draft.held[name] for name in source.outputs) if isinstance(one, Viewed)]


def _needed(draft: Sketch, outputs: Iterable[str]) -> tuple[DraftLayer, ...]:
    """Return the layers on which what the model returns depends, in order."""
    todo = [one.layer for one in (draft.held[name] for name in outputs) if isinstance(one, Viewed)]
    needed: set[str] = set()
    while todo:
        name = todo.pop()
        layer = draft.layers.get(name) or draft.layers.get(name.rpartition(".")[0])
        if layer is None or layer.name in needed:
            continue
        needed.add(layer.name)
        todo += [*layer.inputs, *([layer.shared] if layer.shared else [])]
    return tuple(layer for layer in draft.layers.values() if layer.name in needed)


def _elements(sizes: Sequence[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total


def _listed(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
