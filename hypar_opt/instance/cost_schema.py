"""What stands under `cost:` and `objective:`."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    WithJsonSchema,
    model_validator,
)

from hypar_opt.instance.accountings import ACCOUNTINGS, GSPMD
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.choices import ANYWHERE, CHOICES, HYPAR, LETTERS
from hypar_opt.instance.fields import NUMBER_SCHEMA, Number, Spec, as_number, refusal, where
from hypar_opt.instance.mixed_shares import COUNTED, EQUALLY, EXACTLY, Said, SharesError, said_shares
from hypar_opt.instance.objective.components import COMPONENTS
from hypar_opt.instance.objective.function import PUT_TOGETHER
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    Choice: TypeAlias = str
    Accounting: TypeAlias = str
    BarrierName: TypeAlias = str
else:
    Choice, Accounting = Literal[tuple(CHOICES)], Literal[tuple(ACCOUNTINGS)]
    BarrierName = Literal[tuple(BARRIERS)]
"""How a layer is split in two and how boundary tensors are charged: names of `choices` and `accountings`."""
_SPLIT = [f"{one.whose} ({name})" for name, one in CHOICES.items()]


def _of_halves(name: object) -> object:
    if name == GSPMD:
        raise refusal(f"{GSPMD} charges operators on axes, as of --axes node=2,gpu=4; expected another for halves")
    return name


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
    known = (*COMPONENTS, *PUT_TOGETHER)
    if name not in known:
        raise refusal(f"expected {' or '.join(known)}, got {shown(name)}{did_you_mean(name, known)}")
    return name


def _value(value: object) -> object:
    """Return a weight, or the components that are put together."""
    if isinstance(value, str):
        raise refusal(f"expected a number, or a list of components, got {shown(value)}")
    if not isinstance(value, list | tuple):
        return as_number(value)
    for name in value:
        if not isinstance(name, str) or name not in COMPONENTS:
            hint = did_you_mean(name, COMPONENTS) if isinstance(name, str) else ""
            raise refusal(f"expected {' or '.join(COMPONENTS)}, got {shown(name)}{hint}")
    twice = next((name for name in value if list(value).count(name) > 1), None)
    if twice is not None:
        raise refusal(f"expected different components, got {shown(twice)} twice")
    return tuple(value)


def _objective(weights: dict[str, Weighed]) -> dict[str, Weighed]:
    kind = next((name for name in PUT_TOGETHER if name in weights), None)
    if kind is None:
        return _weighted_sum(weights)
    if len(weights) > 1:
        raise refusal(f"expected {kind} alone, got {shown(next(name for name in weights if name != kind))} beside it")
    listed = weights[kind]
    if not isinstance(listed, tuple) or len(listed) < 2 or (kind == "product" and len(listed) > 2):
        many = "two" if kind == "product" else "two or more"
        raise refusal(f"expected {kind} to have a list of {many} components")
    return weights


def _weighted_sum(weights: dict[str, Weighed]) -> dict[str, Weighed]:
    name = next((name for name, weight in weights.items() if isinstance(weight, tuple)), None)
    if name is not None:
        raise refusal(f"expected a number for {name}, got a list")
    if not any(weights.values()):
        raise refusal("expected at least one weight above 0")
    return weights


Weighed: TypeAlias = Annotated[Decimal | tuple[str, ...], BeforeValidator(_value)]
"""A component's weight, or the components that are put together."""
_LISTED: dict[str, JsonValue] = {
    "type": "array",
    "items": {"enum": list(COMPONENTS)},
    "minItems": 2,
    "uniqueItems": True,
}
_SUM_SCHEMA: dict[str, JsonValue] = {
    "properties": dict.fromkeys(COMPONENTS, NUMBER_SCHEMA),
    "additionalProperties": False,
    "anyOf": [where(**{name: {"exclusiveMinimum": 0}}) for name in COMPONENTS],
}
_KINDS: list[JsonValue] = [
    _SUM_SCHEMA,
    {**where(product={**_LISTED, "maxItems": 2}), "additionalProperties": False},
    {**where(lexicographic=_LISTED), "additionalProperties": False},
]
Objective: TypeAlias = Annotated[
    dict[Annotated[str, AfterValidator(_component)], Weighed],
    AfterValidator(_objective),
    WithJsonSchema({"type": "object", "anyOf": _KINDS}),
]
"""Exact decimal weights by component; or a product, or one component before another."""


def _bounded(name: str) -> str:
    if name not in COMPONENTS:
        raise refusal(f"expected {' or '.join(COMPONENTS)}, got {shown(name)}{did_you_mean(name, COMPONENTS)}")
    return name


_BOUNDS_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": dict.fromkeys(COMPONENTS, NUMBER_SCHEMA),
    "additionalProperties": False,
}
Bounds: TypeAlias = Annotated[
    dict[Annotated[str, AfterValidator(_bounded)], Number],
    WithJsonSchema(_BOUNDS_SCHEMA),
]
"""By component the most that it may come to, an exact decimal in its unit."""


_UNKNOWN_CHOICES: list[JsonValue] = [
    where(accounting={"const": name}, choices={"contains": {"const": choice}})
    for name, rule in ACCOUNTINGS.items()
    for choice in ANYWHERE
    if choice not in rule.choices
]


def _shares(value: object) -> object:
    try:
        return said_shares(value)
    except SharesError as error:
        raise refusal(error.message, at=error.at) from None


_SHARE: dict[str, JsonValue] = {"type": ["number", "string"]}
_PAIR: dict[str, JsonValue] = {"type": "array", "items": _SHARE, "minItems": 2, "maxItems": 2}
_SHARES_SCHEMA: dict[str, JsonValue] = {
    "anyOf": [
        {"enum": [EQUALLY, EXACTLY]},
        _PAIR,
        *(
            {**where(**{name: {"type": "integer", "minimum": 2}}), "type": "object", "additionalProperties": False}
            for name in COUNTED
        ),
        {
            "type": "object",
            "patternProperties": {"^(root|[01]+)$": _PAIR},
            "minProperties": 1,
            "additionalProperties": False,
        },
    ]
}
if TYPE_CHECKING:
    SharesField: TypeAlias = Said
else:
    SharesField = Annotated[Any, BeforeValidator(_shares), WithJsonSchema(_SHARES_SCHEMA)]
"""What decides the shares of an array's splits."""


class CostSpec(Spec):
    """How a plan is charged."""

    model_config = ConfigDict(json_schema_extra={"not": {"anyOf": _UNKNOWN_CHOICES}})

    accounting: Annotated[Accounting, BeforeValidator(_of_halves)] = Field(
        "published", description="how tensors between layers are charged"
    )
    choices: Annotated[tuple[Choice, ...], Field(strict=False), AfterValidator(_choices)] = Field(
        HYPAR,
        min_length=1,
        json_schema_extra={"uniqueItems": True},
        description=f"how a layer may be split: {', '.join(_SPLIT[:-1])} or {_SPLIT[-1]}",
    )
    bytes_per_element: Annotated[int, AfterValidator(_bytes_per_element)] = Field(
        4, ge=2, le=1024, json_schema_extra={"multipleOf": 2}, description="size of a number, an even one"
    )
    splits: Literal["any", "divisible"] = Field(
        "any", description="whether a dimension may be split that does not divide"
    )
    optimiser: Literal["sgd", "momentum", "adam"] = Field(
        "sgd", description="what updates the weights: its operations, and what it keeps for every weight"
    )
    input_error: bool = Field(
        True, description="whether the error of the network's input, which no update needs, is computed and charged"
    )

    as_released: bool = Field(
        False, description="whether adds are not decided, and charged as AccPar's released code charges what skips"
    )

    shares: SharesField = Field(
        EQUALLY,
        description="of an array of several kinds: what the first and the second half of an unlike group get, equal, "
        "given for all splits or by split, k of so many parts, exact, or k of a grid for each layer",
    )
    barrier: BarrierName = Field("step", description="of an array of several kinds: where its groups wait")

    @property
    def letters(self) -> str:
        """The letters of the choices, in the order of these."""
        return "".join(LETTERS[choice] for choice in self.choices)

    @model_validator(mode="after")
    def _choices_are_known(self) -> CostSpec:
        known = ACCOUNTINGS[self.accounting].choices
        unknown = next((choice for choice in self.choices if choice in ANYWHERE and choice not in known), None)
        if unknown is not None:
            message = f"accounting '{self.accounting}' knows {' and '.join(known)} only, got {unknown} as well"
            raise refusal(message, at="choices")
        return self

    @model_validator(mode="after")
    def _released_is_published(self) -> CostSpec:
        if self.as_released and self.accounting != "published":
            raise refusal(
                f"expected accounting published, which that code charges, got {self.accounting}", at="as_released"
            )
        return self
