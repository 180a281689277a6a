"""Functions of elements as JAX writes them, beside their definitions."""

from __future__ import annotations

import math
from typing import get_args

import pytest

from hypar_opt.export.jax.functions import ACTIVATIONS, OF_ONE, OF_SEVERAL, activation, combined
from hypar_opt.instance.element_functions import OPERANDS, ActivationName, FunctionName
from hypar_opt.util.extras import installed

POINTS = (-3.5, -1.0, -0.25, 0.5, 2.0, 7.0)
SELU = 1.0507009873554805, 1.6732632423543772


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def softplus(x):
    return math.log1p(math.exp(x))


DEFINITIONS = {
    "relu": lambda x: max(x, 0),
    "relu6": lambda x: min(max(x, 0), 6),
    "leaky_relu": lambda x: x if x > 0 else 0.01 * x,
    "elu": lambda x: x if x > 0 else math.expm1(x),
    "selu": lambda x: SELU[0] * (x if x > 0 else SELU[1] * math.expm1(x)),
    "celu": lambda x: x if x > 0 else math.expm1(x),
    "gelu": lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x * sigmoid(x),
    "mish": lambda x: x * math.tanh(softplus(x)),
    "sigmoid": sigmoid,
    "tanh": math.tanh,
    "softplus": softplus,
    "softsign": lambda x: x / (1 + abs(x)),
    "log_sigmoid": lambda x: math.log(sigmoid(x)),
    "hard_sigmoid": lambda x: min(max(x / 6 + 0.5, 0), 1),
    "hard_swish": lambda x: x * min(max(x / 6 + 0.5, 0), 1),
    "hard_tanh": lambda x: min(max(x, -1), 1),
    "abs": abs,
    "neg": lambda x: -x,
    "exp": math.exp,
    "sin": math.sin,
    "cos": math.cos,
    "erf": math.erf,
    "square": lambda x: x * x,
}


def test_every_name_has_an_expression():
    assert ACTIVATIONS.keys() == set(get_args(ActivationName))
    assert OF_ONE.keys() | OF_SEVERAL.keys() == set(get_args(FunctionName)) == OPERANDS.keys()
    assert DEFINITIONS.keys() == ACTIVATIONS.keys() | OF_ONE.keys()


def test_of_several():
    assert combined("subtract", ["a", "b"]) == "a - b"
    assert combined("maximum", ["a", "b", "c"]) == "jnp.maximum(jnp.maximum(a, b), c)"
    assert combined(None, ["a", "b"]) == "jnp.tanh(a + b)"


@pytest.mark.slow
@pytest.mark.skipif(not installed("jax"), reason="JAX is not installed: pip install 'hypar-opt[jax]'")
def test_values_are_those_of_the_definitions():
    import jax
    import jax.numpy as jnp

    for name, definition in DEFINITIONS.items():
        text = activation(name, "x") if name in ACTIVATIONS else combined(name, ["x"])
        found = eval(text, {"jax": jax, "jnp": jnp, "lax": jax.lax, "x": jnp.array(POINTS)})
        assert [float(one) for one in found] == pytest.approx([definition(x) for x in POINTS], rel=2e-5, abs=2e-5), name
