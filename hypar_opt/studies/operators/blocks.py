"""Transformer blocks of any size, as instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.operators import OperatorInstance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class TransformerBlock:
    """Attention and two or three matrices, each behind a norm and beside a sum with what went in.

    Parameters
    ----------
    name
        Of its instances.
    sequence, width, hidden
        Positions, features of each, and features between the last matrices.
    heads, key_heads
        Of queries, and of keys and values.
    gated
        Whether what is between the matrices is the product of two.
    norm
        `layer` or `rms`.
    trained_norms, bias
        Whether norms have parameters, and matrices biases.
    element_bytes
        Of one number.
    """

    name: str
    sequence: int
    width: int
    hidden: int
    heads: int
    key_heads: int
    gated: bool = False
    norm: str = "layer"
    trained_norms: bool = True
    bias: bool = False
    element_bytes: int = 4

    def instance(self, batch: int, axes: Mapping[str, int]) -> OperatorInstance:
        """Return the block of a batch on an array of axes, outermost first, by name."""
        return OperatorInstance.from_dict(
            {
                "schema": "hypar-opt/instance/1",
                "name": self.name,
                "batch": batch,
                "network": {
                    "input": {"sequence": self.sequence, "features": self.width},
                    "layers": [*self._attention(), *self._matrices()],
                },
                "array": {"axes": [{"name": name, "size": size} for name, size in axes.items()]},
                "cost": {"accounting": "collective", "bytes_per_element": self.element_bytes, "splits": "divisible"},
            }
        )

    def _attention(self) -> Sequence[Mapping[str, Any]]:
        keys = self.width // self.heads * self.key_heads
        attention = {"heads": self.heads, "key_heads": self.key_heads, "causal": True}
        return (
            self._norm("norm_1"),
            self._linear("query", self.width, "norm_1"),
            self._linear("key", keys, "norm_1"),
            self._linear("value", keys, "norm_1"),
            {"name": "attention", "inputs": ["query", "key", "value"], "attention": attention},
            self._linear("project", self.width, "attention"),
            {"name": "add_1", "inputs": ["input", "project"], "add": {}},
        )

    def _matrices(self) -> Sequence[Mapping[str, Any]]:
        gate = (self._linear("gate", self.hidden, "norm_2"), {"name": "activation", "activation": {}})
        up = self._linear("up", self.hidden, "norm_2")
        product: Sequence[Mapping[str, Any]] = (up, {"name": "activation", "activation": {}})
        if self.gated:
            product = (*gate, up, {"name": "product", "inputs": ["activation", "up"], "multiply": {}})
        return (
            self._norm("norm_2"),
            *product,
            self._linear("down", self.width, product[-1]["name"]),
            {"name": "add_2", "inputs": ["add_1", "down"], "add": {}},
        )

    def _norm(self, name: str) -> Mapping[str, Any]:
        return {"name": name, "norm": {"kind": self.norm, "parameters": self.trained_norms}}

    def _linear(self, name: str, features: int, read: str) -> Mapping[str, Any]:
        return {"name": name, "inputs": [read], "linear": {"features": features, "bias": self.bias}}


SMALL = TransformerBlock("small-block", 32, 64, 256, 4, 4, trained_norms=False)
"""That of `tests/evaluation/operators/block.py`, whose collectives were counted in generated programs."""
GPT_2 = TransformerBlock("gpt-2-block", 1024, 768, 3072, 12, 12, bias=True)
"""GPT-2 small; without dropout, which is split as what it reads."""
LLAMA_3 = TransformerBlock("llama-3-block", 4096, 4096, 14336, 32, 8, gated=True, norm="rms", element_bytes=2)
"""Llama 3 8B; Grattafiori et al., arXiv:2407.21783, Table 3."""
