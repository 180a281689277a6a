"""Networks of operators whose weighted layers may only be split as HyPar splits them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypar_opt.instance.operators import Operator, OperatorInstance

SPATIAL = frozenset(("height", "width", "depth", "length"))
"""Dimensions of maps along which windows slide."""


def restricted(instance: OperatorInstance, weighted: Collection[str]) -> OperatorInstance:
    """Return the instance whose operators with parameters are split along some dimensions only, and maps along none.

    What has no parameters, pools for instance, is split along its samples and channels as before, or not at all.

    Parameters
    ----------
    instance
        Any.
    weighted
        Dimensions: `batch` and `in` are dp and mp, with `out` op.
    """
    trained = {name for name, tensor in instance.graph.tensors.items() if tensor.role == "parameter"}

    def narrowed(operator: Operator) -> Operator:
        has_weights = any(operand.tensor in trained for operand in operator.operands)
        kept = (dim in weighted if has_weights else dim not in SPATIAL for dim in operator.splits)
        splits = tuple(dim for dim, stays in zip(operator.splits, kept, strict=True) if stays)
        return replace(operator, splits=splits)

    operators = tuple(narrowed(operator) for operator in instance.graph.operators)
    return replace(instance, graph=replace(instance.graph, operators=operators))
