"""The kinds of layers of networks of operators, a record each."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.operators.layers import attention, embedding, linear, loss, norm, softmax
from hypar_opt.instance.operators.layers.add import ADD, MULTIPLY
from hypar_opt.instance.operators.layers.elementwise import ACTIVATION, DROPOUT, ELEMENTWISE
from hypar_opt.instance.operators.layers.kind import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            linear.KIND,
            attention.KIND,
            embedding.KIND,
            norm.KIND,
            ELEMENTWISE,
            ACTIVATION,
            DROPOUT,
            softmax.KIND,
            ADD,
            MULTIPLY,
            loss.KIND,
        )
    }
)
"""By what instance files call them."""

__all__ = ["KINDS", "Kind"]
