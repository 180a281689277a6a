"""What functions of elements are called in instances, by what frameworks and configurations call them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ACTIVATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "relu": "relu", "relu6": "relu6", "leakyrelu": "leaky_relu", "elu": "elu", "selu": "selu", "celu": "celu",
        "gelu": "gelu", "gelunew": "gelu_tanh", "gelufast": "gelu_tanh", "gelupytorchtanh": "gelu_tanh",
        "silu": "silu", "swish": "silu", "mish": "mish", "sigmoid": "sigmoid", "logistic": "sigmoid", "tanh": "tanh",
        "softplus": "softplus", "softsign": "softsign", "logsigmoid": "log_sigmoid", "hardsigmoid": "hard_sigmoid",
        "hardswish": "hard_swish", "hardtanh": "hard_tanh",
    }
)  # fmt: skip
"""By a name in small letters without underscores."""
FUNCTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "abs": "abs", "neg": "neg", "exp": "exp", "sin": "sin", "cos": "cos", "erf": "erf", "square": "square",
        "sub": "subtract", "maximum": "maximum", "max": "maximum", "minimum": "minimum", "min": "minimum",
        "add": "add", "sum": "add", "multiply": "multiply", "mul": "multiply",
    }
)  # fmt: skip
"""Likewise; of several tensors where none of them is a constant."""


def is_activation(called: str) -> bool:
    """Return whether an activation has a name in instances."""
    return _plain(called) in ACTIVATIONS


def activation_fields(called: str, attributes: Mapping[str, Any] = MappingProxyType({})) -> dict[str, str]:
    """Return the fields of an activation; none of what has no name, and of ReLU, which it is unless told.

    Parameters
    ----------
    called
        By its framework.
    attributes
        What else it is told.
    """
    name = ACTIVATIONS.get(_plain(called), "relu")
    if name == "gelu" and attributes.get("approximate") == "tanh":
        name = "gelu_tanh"
    return {} if name == "relu" else {"kind": name}


def function_fields(called: str, attributes: Mapping[str, Any] = MappingProxyType({})) -> dict[str, str]:
    """Return the fields of a function of elements; none of what has no name or is scaled besides."""
    name = FUNCTIONS.get(_plain(called))
    return {} if name is None or attributes.get("alpha", 1) != 1 else {"function": name}


def _plain(called: str) -> str:
    return called.lower().replace("_", "")
