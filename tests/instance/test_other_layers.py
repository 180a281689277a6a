"""Layers that there are none of: the message says what to write, which loads, solves, and has the same sizes."""

from __future__ import annotations

import pytest

from hypar_opt.instance import Instance
from hypar_opt.instance.network_schema import LAYER_KINDS
from hypar_opt.instance.other_layers import SUBSTITUTES, instead_of
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError


def instance(size, *layers, **more):
    return {
        "schema": "hypar-opt/instance/1", "name": "it", "batch": 8, "network": {"input": size, "layers": list(layers)},
        "array": {"topology": "h-tree", "levels": 2}, **more,
    }  # fmt: skip


def conv(name, **fields):
    return {"name": name, "conv": fields}


@pytest.mark.parametrize(
    "kind", ["upsample", "ConvTranspose2d", "attention", "embedding", "batch_norm", "conv3d", "lstm"]
)
def test_a_layer_that_there_is_none_of_is_told_what_to_write(kind):
    with pytest.raises(InputError) as error:
        Instance.from_dict(instance([3, 8, 8], {"name": "a", kind: {}}))
    said = str(error.value)
    assert f"unknown layer kind '{kind}', expected one of {', '.join(LAYER_KINDS)}{instead_of(kind)}" in said
    assert said.count("docs/limits.md") == 1 and "did you mean" not in said.split("docs/limits.md")[0]


def test_what_nothing_is_known_of_is_told_the_nearest_kind():
    assert instead_of("convv") is None
    with pytest.raises(InputError, match="did you mean 'conv'"):
        Instance.from_dict(instance([3, 8, 8], {"name": "a", "convv": {}}))


def test_no_name_is_a_kind_or_comes_twice():
    names = [name for one in SUBSTITUTES for name in one.names]
    assert len(set(names)) == len(names) and not set(names) & set(LAYER_KINDS)


WRITTEN = {
    "upsampling": (instance([3, 8, 8], {"name": "a", "pool": {"kernel": 1, "stride": 1, "pad": 4}},
                            conv("b", filters=4, kernel=1)), "a", (3, 16, 16)),
    "transposed, even": (instance([3, 8, 8], conv("a", filters=4, kernel=4, dilation=2, pad=4 + 3)), "a", (4, 16, 16)),
    "transposed, odd": (instance([3, 8, 8], conv("a", filters=4, kernel=3, pad=5)), "a", (4, 16, 16)),
    "embedding": (instance([100, 16, 1], conv("a", filters=32, kernel=1), cost={"input_error": False}), "a",
                  (32, 16, 1)),
    "3d": (instance([3, 4 * 8, 8], conv("a", filters=4, kernel=[9, 3], stride=[4, 2], pad=[4, 1])), "a", (4, 2 * 4, 4)),
}  # fmt: skip


@pytest.mark.parametrize("what", WRITTEN)
def test_what_is_written_instead_has_the_size_and_is_solved(what):
    document, name, shape = WRITTEN[what]
    found = Instance.from_dict(document)
    assert found.network.shapes[name] == shape
    assert solve(found).status == "OPTIMAL"
