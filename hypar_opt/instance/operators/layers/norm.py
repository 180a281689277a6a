"""Normalisations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from hypar_opt.instance.fields import Spec
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import Read, Sums, kept, passing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class NormSpec(Spec):
    """A normalisation of features: the channels of a map, or the last dimension."""

    kind: Literal["layer", "rms", "batch"] = Field(
        "layer", description="over the features (layer, rms), or over batch and positions (batch)"
    )
    parameters: bool = Field(True, description="whether what is normalised is scaled, and but for rms shifted")


@dataclass(frozen=True)
class Rule:
    """What a normalisation adds up.

    Parameters
    ----------
    over_features
        Whether over the features, or over all else.
    numbers
        For each sum, in the forward phase as in the backward phase.
    parameters
        What is trained for each of the features.
    """

    over_features: bool
    numbers: int
    parameters: tuple[str, ...]


RULES: Final[Mapping[str, Rule]] = {
    "layer": Rule(True, 2, ("weight", "bias")),
    "rms": Rule(True, 1, ("weight",)),
    "batch": Rule(False, 2, ("weight", "bias")),
}
"""By the names in instance files: mean and variance, or the mean of squares alone."""


def _build(maker: Maker, spec: NormSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    rule = RULES[spec.kind]
    names = passing(x.dims)
    mine, size = names[x.features], x.dims[x.features].size
    left = tuple(name for name in names if (name != mine) is rule.over_features)
    suffixes = rule.parameters if spec.parameters else ()
    trained = [maker.parameter(suffix, ((mine, size),)) for suffix in suffixes]
    return maker.operator(
        "norm",
        [Read(x, names), *(Read(one, (mine,), saved=i == 0, is_added=i > 0) for i, one in enumerate(trained))],
        kept(x.dims, names),
        sums=[Sums(left, rule.numbers, rule.numbers)],
        is_cheap=True,
    )


KIND: Final = Kind("norm", "a normalisation", NormSpec, _build)
