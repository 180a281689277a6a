"""The names of functions of elements: which is meant is what programs compute, and what is read again backward."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

ActivationName: TypeAlias = Literal[
    "relu", "relu6", "leaky_relu", "elu", "selu", "celu", "gelu", "gelu_tanh", "silu", "mish", "sigmoid", "tanh",
    "softplus", "softsign", "log_sigmoid", "hard_sigmoid", "hard_swish", "hard_tanh",
]  # fmt: skip
"""An activation, as PyTorch and JAX have them; what else these take, as a slope, is what it is there by default."""
FunctionName: TypeAlias = Literal[
    "abs", "neg", "exp", "sin", "cos", "erf", "square", "add", "subtract", "multiply", "maximum",
    "minimum",
]  # fmt: skip
"""A function of elements that has a value for all numbers."""
OPERANDS: Final[Mapping[str, tuple[int, int | None]]] = MappingProxyType(
    {
        **dict.fromkeys(("abs", "neg", "exp", "sin", "cos", "erf", "square"), (1, 1)),
        "subtract": (2, 2),
        **dict.fromkeys(("add", "multiply", "maximum", "minimum"), (2, None)),
    }
)
"""By function, how many tensors it reads, at least and at most; None where there may be any number."""
SUMS: Final = frozenset({"add", "subtract", "neg"})
"""The functions whose gradients do not depend on what they read, so that no backward phase reads that again."""
