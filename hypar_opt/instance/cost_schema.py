"""What stands under `cost:` and `objective:`."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    JsonValue,
    WithJsonSchema,
    model_validator,
)

from hypar_opt.components import COMPONENTS
from hypar_opt.errors import did_you_mean
from hypar_opt.instance.fields import NUMBER_SCHEMA, Number, Spec, refusal
from hypar_opt.instance.wording import shown

Choice: TypeAlias = Literal["dp", "mp", "op"]
"""How a layer is split in two: its batch, its input dimension, its output dimension."""
Accounting: TypeAlias = Literal["published", "as-evaluated", "receiver", "leaf-exact"]
"""How boundary tensors are charged."""
CHOICES: tuple[Choice, ...] = ("dp", "mp", "op")
"""All choices, in the order of their letters d, m, o."""
_LATER = ("product", "lexicographic")


def _bytes_per_element(value: int) -> int:
    if value % 2:
        raise refusal(
            "expected an even number of bytes, because the quarter amounts of the inter-layer table "
            f"must be whole bytes, got {value}"
        )
    return value


def _choices(value: tuple[Choice, ...]) -> tuple[Choice, ...]:
    twice = next((x for x in value if value.count(x) > 1), None)
    if twice:
        raise refusal(f"expected each choice once, got '{twice}' twice")
    return tuple(x for x in CHOICES if x in value)


def _component(name: str) -> str:
    if name in _LATER:
        raise refusal(f"'{name}' comes with the time and energy models and is not supported yet")
    if name not in COMPONENTS:
        raise refusal(f"expected {' or '.join(COMPONENTS)}, got {shown(name)}{did_you_mean(name, COMPONENTS)}")
    return name


def _some_weight(weights: dict[str, Decimal]) -> dict[str, Decimal]:
    if not any(weights.values()):
        raise refusal("expected at least one weight above 0")
    return weights


Objective: TypeAlias = Annotated[
    dict[Annotated[str, AfterValidator(_component)], Number],
    AfterValidator(_some_weight),
    WithJsonSchema(
        {
            "type": "object",
            "properties": dict.fromkeys(COMPONENTS, NUMBER_SCHEMA),
            "additionalProperties": False,
            "anyOf": [{"properties": {name: {"exclusiveMinimum": 0}}, "required": [name]} for name in COMPONENTS],
        }
    ),
]
"""Exact decimal weights by component."""


_AS_EVALUATED_WITH_OP: dict[str, JsonValue] = {
    "properties": {"accounting": {"const": "as-evaluated"}, "choices": {"contains": {"const": "op"}}},
    "required": ["accounting", "choices"],
}


class CostSpec(Spec):
    """How a plan is charged."""

    model_config = ConfigDict(json_schema_extra={"not": _AS_EVALUATED_WITH_OP})

    accounting: Accounting = Field("published", description="how tensors between layers are charged")
    choices: Annotated[tuple[Choice, ...], Field(strict=False), AfterValidator(_choices)] = Field(
        ("dp", "mp"),
        min_length=1,
        json_schema_extra={"uniqueItems": True},
        description="how a layer may be split: its batch (dp), its input (mp) or its output dimension (op)",
    )
    bytes_per_element: Annotated[int, AfterValidator(_bytes_per_element)] = Field(
        4, ge=2, le=1024, json_schema_extra={"multipleOf": 2}, description="size of a number, an even one"
    )
    splits: Literal["any", "divisible"] = Field(
        "any", description="whether a dimension may be split that does not divide"
    )

    @model_validator(mode="after")
    def _as_evaluated_knows_two(self) -> CostSpec:
        if self.accounting == "as-evaluated" and "op" in self.choices:
            raise refusal("accounting 'as-evaluated' knows dp and mp only, got op as well", at="choices")
        return self
