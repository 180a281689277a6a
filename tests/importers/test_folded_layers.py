"""Equal blocks that are folded: what is written out again is what was folded, and bears the same names."""

from __future__ import annotations

import pytest

from hypar_opt.importers.draft import DraftLayer
from hypar_opt.importers.folding import folded
from hypar_opt.importers.instance import instance_of
from tests.helpers import each

INPUTS = {"x": {"features": 8}}


def chain(*layers):
    """Return layers by name and kind, each with what it reads where that is not the one above."""
    made, above = [], "x"
    for name, kind, *inputs in layers:
        fields = {"features": 8} if kind == "linear" else {}
        made.append(DraftLayer(name, kind, fields, tuple(inputs) or (above,)))
        above = name
    return made


def block(number, before):
    return [
        (f"h.{number}.up", "linear", before),
        (f"h.{number}.relu", "activation"),
        (f"h.{number}.add", "add", f"h.{number}.relu", before),
    ]


def unfolded(layers):
    return [{"name": one.name, "inputs": list(one.inputs), one.kind: one.fields} for one in layers]


def graphs(layers):
    """Return the operators of layers as they are, and folded."""
    both = (unfolded(layers), folded(layers, "x"))
    return [instance_of("test", 4, INPUTS, one).graph for one in both]


def test_blocks_are_counted_by_the_names_of_modules():
    layers = chain(("first", "linear"), *block(0, "first"), *block(1, "h.0.add"), *block(2, "h.1.add"))
    made = folded(layers, "x")
    assert [one["name"] for one in made] == ["first", "h"]
    assert made[1]["repeat"]["times"] == 3
    assert [one["name"] for one in made[1]["repeat"]["layers"]] == ["up", "relu", "add"]
    assert made[1]["repeat"]["layers"][2]["inputs"] == ["relu", "block"]
    whole, short = graphs(layers)
    assert [one.name for one in short.operators] == [one.name for one in whole.operators]
    assert (short.parameters, short.tensors) == (whole.parameters, whole.tensors)


def test_blocks_that_are_not_counted_from_0_say_their_numbers():
    layers = chain(("first", "linear"), *block(3, "first"), *block(4, "h.3.add"))
    assert [one["name"] for one in folded(layers, "x")] == ["first", "h.3-4"]


def test_what_is_read_from_within_keeps_blocks_apart():
    layers = chain(*block(0, "x"), *block(1, "h.0.add"), ("last", "add", "h.1.add", "h.0.relu"))
    assert [one["name"] for one in folded(layers, "x")] == [one.name for one in layers]


@each("seed", range(60), quick=15)
def test_folding_changes_no_operator(seed):
    import random

    draw = random.Random(seed)
    layers, before = [], "x"
    pattern = [draw.choice(["linear", "activation", "add"]) for _ in range(draw.randint(1, 4))]
    distances = [draw.randint(1, 3) for _ in pattern]
    for number in range(draw.randint(2, 4)):
        start = before
        for place, (kind, back) in enumerate(zip(pattern, distances, strict=True)):
            name = f"b.{number}.l{place}"
            within = [one.name for one in layers[-back:]] or ["x"]
            inputs = (before, within[0] if draw.random() < 0.9 else start) if kind == "add" else (before,)
            layers.append(DraftLayer(name, kind, {"features": 8} if kind == "linear" else {}, inputs))
            before = name
    whole, short = graphs(layers)
    assert short.parameters == whole.parameters
    assert [(one.kind, one.sizes) for one in short.operators] == [(one.kind, one.sizes) for one in whole.operators]
    places = {one.output.tensor: i for i, one in enumerate(short.operators)}
    wanted = {one.output.tensor: i for i, one in enumerate(whole.operators)}
    for one, other in zip(short.operators, whole.operators, strict=True):
        read = [places.get(operand.tensor) for operand in one.operands]
        assert read == [wanted.get(operand.tensor) for operand in other.operands]


@pytest.mark.parametrize("times", [2, 30])
def test_blocks_without_names_are_folded_where_they_are_long(times):
    kinds = ["linear", "activation", "linear", "activation"]
    layers = chain(*((f"n{4 * i + j}", kind) for i in range(times) for j, kind in enumerate(kinds)))
    made = folded(layers, "x")
    assert len(made) == 1
    assert made[0]["repeat"]["times"] == 2 * times
