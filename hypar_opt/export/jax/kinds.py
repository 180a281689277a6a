"""How operators are written into a program: forward, backward, and on one device."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax import dropout, experts, global_pool, local, loss, norm, softmax
from hypar_opt.export.jax.expressions import LOCAL
from hypar_opt.util.errors import Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.export.jax.written import WrittenKind
    from hypar_opt.instance.operators import Operator

KINDS: Final[Mapping[str, WrittenKind]] = MappingProxyType(
    {
        **dict.fromkeys(LOCAL, local.KIND),
        "norm": norm.KIND,
        "softmax": softmax.KIND,
        "loss": loss.KIND,
        "dropout": dropout.KIND,
        "global_pool": global_pool.KIND,
        "dispatch": experts.DISPATCH,
        "combine": experts.COMBINE,
    }
)
"""By an operator's kind."""


def kind_of(operator: Operator) -> WrittenKind:
    """Return how an operator is written.

    Raises
    ------
    Refusal
        If it is of a kind that is not.
    """
    if operator.kind == "opaque":
        raise Refusal(f"'{operator.name}' is opaque: only its sizes are known, and no program can run it")
    if operator.kind not in KINDS:
        hint = did_you_mean(operator.kind, KINDS)
        raise Refusal(f"'{operator.name}' is of a kind that programs are not exported of yet: {operator.kind}{hint}")
    return KINDS[operator.kind]
