"""Functions of elements, as JAX writes them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ACTIVATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{
            name: f"jax.nn.{name}({{}})"
            for name in ("relu", "relu6", "leaky_relu", "elu", "selu", "celu", "silu", "mish", "sigmoid", "softplus",
                         "log_sigmoid", "hard_sigmoid", "hard_swish", "hard_tanh")
        },
        "gelu": "jax.nn.gelu({}, approximate=False)",
        "gelu_tanh": "jax.nn.gelu({}, approximate=True)",
        "softsign": "jax.nn.soft_sign({})",
        "tanh": "jnp.tanh({})",
    }
)  # fmt: skip
"""By an activation's name in instances."""
OF_ONE: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{name: f"jnp.{name}({{}})" for name in ("abs", "exp", "sin", "cos", "square")},
        "neg": "-{}",
        "erf": "lax.erf({})",
    }
)
"""By a function's name in instances, where it reads one tensor."""
OF_SEVERAL: Final[Mapping[str, str]] = MappingProxyType(
    {"add": " + ", "subtract": " - ", "multiply": " * ", "maximum": "jnp.maximum", "minimum": "jnp.minimum"}
)
"""By a function's name: a sign between operands, or a function of two."""


def activation(name: str, x: str) -> str:
    """Return an activation of an expression."""
    return ACTIVATIONS[name].format(x)


def combined(name: str | None, operands: Sequence[str]) -> str:
    """Return a function of expressions; of one that has no name, the tanh of their sum stands for it."""
    if name is None:
        return f"jnp.tanh({' + '.join(operands)})"
    if name in OF_ONE:
        return OF_ONE[name].format(operands[0])
    sign = OF_SEVERAL[name]
    if not sign.startswith("jnp"):
        return sign.join(operands)
    first, *others = operands
    for one in others:
        first = f"{sign}({first}, {one})"
    return first
