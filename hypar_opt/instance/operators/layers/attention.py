"""Attention: every position's queries meet the keys and values of all positions, head by head."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.fields import Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, kept, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class AttentionSpec(Spec):
    """Attention of queries, keys and values, which three linear layers write."""

    heads: Size = Field(description="number of heads into which the queries' features fall")
    key_heads: Size | None = Field(None, description="of the keys and values, as many as `heads` unless given")
    causal: bool = Field(False, description="whether a position sees only those up to itself")


def _build(maker: Maker, spec: AttentionSpec, inputs: Sequence[Value]) -> Value:
    q, k, v = inputs
    groups = spec.key_heads or spec.heads
    _check(spec, q, k, v, groups)
    *lead, queries, features = q.dims
    names = passing(lead, ("heads", "sequence", "keys"))
    keys, width = k.sizes[-2], v.sizes[-1] // groups * spec.heads
    pairs = _pairs(queries.size, keys) if spec.causal else queries.size * keys
    reads = [
        Read(q, (*names, "sequence", "heads")),
        Read(k, (*names, "keys", "heads")),
        Read(v, (*names, "keys", "heads")),
    ]
    output = [
        *kept(lead, names),
        OutputDim("sequence", queries.size, queries.name),
        OutputDim("heads", width, "features"),
    ]
    return maker.operator(
        "attention",
        reads,
        output,
        splits=(*names, "heads", "sequence"),
        limits={"heads": groups},
        multiply_adds=prod(dim.size for dim in lead) * pairs * (features.size + width),
        saved_output=True,
        products=2,
    )


def _check(spec: AttentionSpec, q: Value, k: Value, v: Value, groups: int) -> None:
    """Raise `ShapeError` where queries, keys and values do not go together."""
    if spec.heads % groups:
        raise ShapeError(f"expected a divisor of {spec.heads} heads, got {groups}", ("attention", "key_heads"))
    if any(len(one.dims) < 3 or one.is_map for one in (q, k, v)):
        raise ShapeError(f"attention reads [sequence, features] three times, got {q}, {k}, {v}")
    if not q.sizes[:-2] == k.sizes[:-2] == v.sizes[:-2] or k.sizes[-2] != v.sizes[-2]:
        raise ShapeError(f"attention reads keys and values of one length beside the queries, got {q}, {k}, {v}")
    for what, one, heads, field in (("queries", q, spec.heads, "heads"), ("keys", k, groups, "key_heads"),
                                    ("values", v, groups, "key_heads")):  # fmt: skip
        if one.sizes[-1] % heads:
            at = ("attention", field if spec.key_heads else "heads")
            raise ShapeError(f"expected heads that divide the {what}' {one.sizes[-1]} features, got {heads}", at)
    if q.sizes[-1] // spec.heads != k.sizes[-1] // groups:
        each = f"{q.sizes[-1]} / {spec.heads} and {k.sizes[-1]} / {groups}"
        raise ShapeError(f"expected as many features a head of the keys as of the queries, got {each}")
    if spec.causal and k.sizes[-2] < q.sizes[-2]:
        raise ShapeError(f"causal attention has no fewer keys than queries, got {q}, {k}", ("attention", "causal"))


def _pairs(queries: int, keys: int) -> int:
    """Return how many pairs there are where a query sees the keys up to its own position, the last being the last."""
    return queries * (keys - queries) + queries * (queries + 1) // 2


KIND: Final = Kind("attention", "attention of queries, keys and values", AttentionSpec, _build, least=3, most=3)
