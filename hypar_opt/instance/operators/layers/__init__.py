"""The kinds of layers of networks of operators, a record each."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.operators.layers import (
    attention,
    concat,
    einsum,
    embedding,
    expand,
    experts,
    learned,
    linear,
    loss,
    matmul,
    norm,
    opaque,
    part,
    softmax,
    split,
)
from hypar_opt.instance.operators.layers.add import ADD, MULTIPLY
from hypar_opt.instance.operators.layers.conv import CONV, TRANSPOSED_CONV
from hypar_opt.instance.operators.layers.elementwise import ACTIVATION, DROPOUT, ELEMENTWISE
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.pool import GLOBAL_POOL, POOL, UPSAMPLE
from hypar_opt.instance.operators.layers.views import FLATTEN, RESHAPE, TRANSPOSE

if TYPE_CHECKING:
    from collections.abc import Mapping

_EVERY: Final = (
    linear.KIND, matmul.KIND, attention.KIND, embedding.KIND, learned.KIND, norm.KIND, einsum.KIND, experts.KIND,
    CONV, TRANSPOSED_CONV, POOL, GLOBAL_POOL, UPSAMPLE,
    ELEMENTWISE, ACTIVATION, DROPOUT, softmax.KIND, ADD, MULTIPLY,
    RESHAPE, TRANSPOSE, FLATTEN, split.KIND, part.KIND, concat.KIND, expand.KIND,
    loss.KIND, opaque.KIND,
)  # fmt: skip
KINDS: Final[Mapping[str, Kind]] = MappingProxyType({kind.name: kind for kind in _EVERY})
"""By what instance files call them."""

__all__ = ["KINDS", "Kind"]
