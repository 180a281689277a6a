"""Functions of JAX: equations as layers, loops written out, what is trained and what is given."""

from __future__ import annotations

import sys

import pytest

from hypar_opt.importers.sources import SOURCES
from hypar_opt.importers.wishes import Wishes
from hypar_opt.instance.operators.network import describe
from hypar_opt.util.errors import InputError

MODULE = """
import jax
import jax.numpy as jnp
from jax import ShapeDtypeStruct as Shape

def floats(*sizes):
    return Shape(sizes, jnp.float32)

def words():
    def apply(p, tokens):
        x = p["embed"][tokens]
        for block in p["blocks"]:
            x = x + jax.nn.relu(x @ block["up"] + block["bias"]) @ block["down"]
        return x @ p["embed"].T
    block = {"up": floats(32, 64), "bias": floats(64), "down": floats(64, 32)}
    return apply, ({"embed": floats(100, 32), "blocks": [block] * 3}, Shape((4, 16), jnp.int32))

def scanned():
    def apply(p, x):
        return jax.lax.scan(lambda h, w: (jnp.tanh(h @ w), None), x, p)[0]
    return apply, (floats(5, 12, 12), floats(8, 12))

def maps():
    def apply(p, x):
        made = jax.lax.conv_general_dilated(x, p, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        made = jax.lax.reduce_window(made, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return made.sum((1, 2))
    return apply, (floats(3, 3, 4, 6), floats(8, 10, 10, 4))

def heads():
    def apply(p, x):
        q, k, v = (jnp.einsum("bsf,fhd->bhsd", x, p[name]) for name in "qkv")
        weights = jnp.einsum("bhsd,bhtd->bhst", q, k)
        return jnp.einsum("bhst,bhtd->bshd", weights, v).reshape(4, 6, 12)
    return apply, ({name: floats(12, 3, 4) for name in "qkv"}, floats(4, 6, 12))

def branch():
    return (lambda p, x: x if x.sum() > 0 else p), (floats(8), floats(8, 3))

def nothing():
    raise ValueError("of the user")
"""


@pytest.fixture
def functions(tmp_path, monkeypatch):
    """Have a module of functions in the working directory, and return what reads one."""
    pytest.importorskip("jax", reason="JAX is read by jax itself, of the extra of that name")
    (tmp_path / "of_jax.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "of_jax", raising=False)
    return lambda name: SOURCES["jax"].read(f"of_jax:{name}", Wishes())


def rows(made):
    return describe(made.instance.spec.network, made.instance.batch, 4)


def test_a_table_that_is_read_twice_is_shared(functions):
    made = functions("words")
    assert made.warnings == ()
    assert made.instance.graph.parameters == 100 * 32 + 3 * (2 * 32 * 64 + 64)
    first, *_, last = made.instance.spec.network.layers
    assert (first.kind, last.kind, last.shared) == ("embedding", "linear", first.name)
    assert next(layer.repeat.times for layer in made.instance.spec.network.layers if layer.repeat) == 3


def test_loops_over_layers_are_written_out(functions):
    made = functions("scanned")
    assert made.instance.graph.parameters == 5 * 12 * 12
    assert [row.kind for row in rows(made)] == ["linear", "activation"] * 5


def test_maps_may_have_channels_last(functions):
    made = functions("maps")
    found = [row for row in rows(made) if row.kind not in ("reshape", "transpose")]
    assert [(row.kind, tuple(row.output.values())) for row in found] == [
        ("conv", (8, 6, 10, 10)),
        ("pool", (8, 6, 5, 5)),
        ("einsum", (8, 6)),
    ]
    assert made.instance.graph.parameters == 9 * 4 * 6


def test_products_are_einsums_as_the_jaxpr_has_them(functions):
    made = functions("heads")
    assert made.warnings == ()
    assert made.instance.graph.parameters == 3 * 144
    assert sum(row.multiply_adds for row in rows(made)) == 3 * 4 * 6 * 144 + 2 * 4 * 3 * 6 * 6 * 4


def test_functions_that_cannot_be_traced_or_called(functions):
    with pytest.raises(InputError, match="of_jax:branch: cannot be traced: TracerBoolConversionError"):
        functions("branch")
    with pytest.raises(InputError, match="of_jax:nothing: raised ValueError: of the user"):
        functions("nothing")


def test_modules_that_are_not_there(functions):
    with pytest.raises(InputError, match="no module is called 'odd'"):
        SOURCES["jax"].read("odd:f", Wishes())
    with pytest.raises(InputError, match="expected MODULE:FUNCTION"):
        SOURCES["jax"].read("of_jax", Wishes())
