"""What stands under `precision`: the bits of what layers send, what fewer of them do to the result, and packing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.instance.fields import Given, Number, Size, Spec, refusal
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

GRADIENT: Final = "gradient"
FEATURE_MAP: Final = "feature-map"
OF_ERROR: Final = "error"
TENSORS: Final = (GRADIENT, FEATURE_MAP, OF_ERROR)
"""What a layer sends: partial sums of its gradient; its output, summed or whole; the error of its input, likewise."""
ALL: Final = "all"
COVERED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({**{name: (name,) for name in TENSORS}, ALL: TENSORS})
"""By what sensitivities may be given of, the tensors that have one number of bits then."""


def _sent(name: str) -> str:
    if name not in COVERED:
        raise refusal(f"expected {', '.join(TENSORS)} or {ALL}, got {shown(name)}{did_you_mean(name, COVERED)}")
    return name


Sent: TypeAlias = Annotated[str, AfterValidator(_sent)]


def _ascending(bits: tuple[int, ...]) -> tuple[int, ...]:
    wrong = next((after for before, after in pairwise(bits) if after <= before), None)
    if wrong is not None:
        raise refusal(f"expected each number of bits once, the fewest first, got {wrong} too late")
    return bits


def _tensors(given: dict[Sent, tuple[Number, ...]]) -> dict[Sent, tuple[Number, ...]]:
    if not given:
        raise refusal(f"expected errors of {', '.join(TENSORS)}, or of {ALL} together, got none")
    if ALL in given and len(given) > 1:
        beside = next(name for name in given if name != ALL)
        raise refusal(f"expected {ALL} alone, which is of every tensor, got {beside} beside it")
    return given


_Errors: TypeAlias = Annotated[tuple[Number, ...], Field(min_length=1, strict=False)]
_OfLayer: TypeAlias = Annotated[
    dict[Sent, _Errors],
    AfterValidator(_tensors),
    Field(json_schema_extra={"minProperties": 1, "propertyNames": {"enum": list(COVERED)}}),
]


class PrecisionSpec(Spec):
    """In how many bits layers may send what they send, and the error of each."""

    bits: Annotated[tuple[Size, ...], AfterValidator(_ascending)] = Field(
        min_length=1, strict=False, description="numbers of bits an element, the fewest first, such as [8, 16, 24, 32]"
    )
    sensitivities: dict[str, _OfLayer] = Field(
        description="by layer and tensor (`gradient`, `feature-map`, `error`, or `all` with the same bits) the "
        "error by bits, as many exact decimals of at least 0 as there are bits; what is not named is sent in full",
        json_schema_extra={"minProperties": 1},
    )
    limits: dict[str, Number] = Field(
        default_factory=dict, description="by layer, the most that its errors add up to, at least 0"
    )
    packing: Annotated[Number | None, Given] = Field(
        None,
        description="seconds to pack a byte of what is then sent in fewer bits, and as many to unpack it: of one "
        "accelerator, added to compute-time",
    )

    @model_validator(mode="after")
    def _something_is_sensitive(self) -> PrecisionSpec:
        if not self.sensitivities:
            raise refusal("expected errors of a layer, got none", at="sensitivities")
        for layer, own in self.sensitivities.items():
            for name, errors in own.items():
                if len(errors) != len(self.bits):
                    raise refusal(
                        f"expected {len(self.bits)} errors of {name} of '{layer}', one for each of "
                        f"{', '.join(map(str, self.bits))} bits, got {len(errors)}",
                        at="sensitivities",
                    )
        return self

    def error(self, layer: str, bits: Mapping[str, int]) -> Fraction:
        """Return the error of a layer that sends with so many bits, by what they are given of."""
        own = self.sensitivities.get(layer, {})
        return sum((Fraction(own[name][self.bits.index(count)]) for name, count in bits.items()), start=Fraction(0))

    def options(self, layer: str) -> Iterator[dict[str, int]]:
        """Yield the bits that a layer may send with, within its limit: one entry where nothing is to be chosen."""
        own = self.sensitivities.get(layer, {})
        limit = self.limits.get(layer)
        for counts in product(self.bits, repeat=len(own)):
            bits = dict(zip(own, counts, strict=True))
            if limit is None or self.error(layer, bits) <= Fraction(limit):
                yield bits

    def least_error(self, layer: str) -> Fraction:
        """Return the least error that a layer can have, whatever its limit."""
        return sum((Fraction(min(errors)) for errors in self.sensitivities.get(layer, {}).values()), start=Fraction(0))
