"""What an instance file says whose network is one of operators, as a whole."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.instance.accountings import ACCOUNTINGS, GSPMD
from hypar_opt.instance.choices import WEIGHTED
from hypar_opt.instance.cost_schema import Bounds, Objective
from hypar_opt.instance.fields import Given, Name, Size, Spec, refusal
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.instance.objective.function import PUT_TOGETHER, ObjectiveFunction
from hypar_opt.instance.operators.axes_schema import AxesArraySpec
from hypar_opt.instance.operators.conversion_tables import ConversionTable
from hypar_opt.instance.operators.needs import KNOWN, UNKNOWN
from hypar_opt.instance.operators.network_schema import OperatorNetworkSpec
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean

COLLECTIVE: Final = "collective"
"""The accounting that charges operators: what a program with the right collectives moves."""
OF_OPERATORS: Final = (COLLECTIVE, GSPMD)
"""The accountings that charge operators."""
OLD_NAMES: Final = dict(zip(WEIGHTED, ("batch", "in", "out"), strict=True))
"""What the choices of layers that are split in halves are to operators."""


def _accounting(name: str) -> str:
    if name in OF_OPERATORS:
        return name
    if name in ACCOUNTINGS:
        raise refusal(
            f"{name} charges layers with d, m, o on halves; of operators on axes expected {COLLECTIVE}, which is "
            f"what it is unless told, or {GSPMD}"
        )
    raise refusal(f"expected {' or '.join(OF_OPERATORS)}, got {shown(name)}{did_you_mean(name, OF_OPERATORS)}")


def _choices(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    known = tuple(OLD_NAMES.get(name, name) for name in names)
    twice = next((name for name in known if known.count(name) > 1), None)
    if twice is not None:
        raise refusal(f"expected each choice once, got {shown(twice)} twice")
    return known


def _storage(names: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise refusal(f"expected each once, got {shown(twice)} twice")
    return names


Storage: TypeAlias = Literal["replicated", "zero-1", "zero-2", "zero-3"]
"""How an operator's parameters are kept on the axes that do not split them."""

Recompute: TypeAlias = Literal["none", "blocks", "choose"]
"""What runs once more for the backward phase, and keeps no maps inside: nothing, each repeated block, or some that are
chosen."""


class OperatorCostSpec(Spec):
    """How a plan of operators is charged."""

    accounting: Annotated[str, AfterValidator(_accounting)] = Field(
        COLLECTIVE,
        json_schema_extra={"enum": list(OF_OPERATORS)},
        description="what is charged: what a program with the right collectives moves, or what a framework's own "
        "partitioner does",
    )
    conversions: ConversionTable | None = Field(
        None, description="what a partitioner moves, counted, for gspmd; the shipped table of the axes unless given"
    )
    choices: Annotated[tuple[Name, ...] | None, Field(strict=False, min_length=1), Given, AfterValidator(_choices)] = (
        Field(
            None,
            json_schema_extra={"uniqueItems": True},
            description="the dimensions along which operators may be split, and none; all unless given",
        )
    )
    bytes_per_element: int = Field(4, ge=1, le=1024, description="size of a number")
    splits: Literal["any", "divisible", "padded"] = Field(
        "divisible",
        description="which dimensions may be split: those that their parts divide, or any, whose parts are fractions, "
        "or, padded, all as large as the largest",
    )
    storage: Annotated[tuple[Storage, ...], Field(strict=False, min_length=1), AfterValidator(_storage)] = Field(
        ("replicated",),
        json_schema_extra={"uniqueItems": True},
        description="how parameters may be kept on the axes that do not split them",
    )
    optimiser: Literal["sgd", "momentum", "adam"] = Field(
        "sgd", description="what updates the weights, and what it keeps for every weight"
    )
    recompute: Recompute = Field(
        "none",
        description="whether the maps inside of repeated blocks are kept, or computed once more backward; choose "
        "decides it block by block",
    )

    @model_validator(mode="after")
    def _partitioners_take_it(self) -> OperatorCostSpec:
        if self.accounting != GSPMD:
            if self.conversions is not None:
                raise refusal(f"only {GSPMD} charges by a table, expected none", at="conversions")
            return self
        if self.splits != "divisible":
            raise refusal(f"{GSPMD} knows parts of one size only, expected divisible (--splits divisible)", at="splits")
        if self.storage != ("replicated",):
            raise refusal(f"{GSPMD} knows of no parameters in parts, expected replicated", at="storage")
        if self.recompute != "none":
            raise refusal(f"{GSPMD} knows of no blocks that run once more, expected none", at="recompute")
        return self


class OperatorInstanceSpec(Spec):
    """An instance: a network of operators, an array of axes, a batch size and a way of counting cost.

    References to files are resolved before: here network and array are inline.
    """

    schema_version: Literal["hypar-opt/instance/1"] = Field(
        alias="schema", description="version of the format, hypar-opt/instance/1"
    )
    name: Name = Field(description="name of the instance")
    batch: Size = Field(description="samples in a training step")
    network: OperatorNetworkSpec = Field(description="the network")
    array: AxesArraySpec = Field(description="the array of devices")
    cost: OperatorCostSpec = Field(default_factory=OperatorCostSpec, description="how a plan is charged")
    objective: Objective = Field(
        default_factory=lambda: {COMMUNICATION: 1},
        validate_default=True,
        description="weights by component of the cost, exact decimals",
    )
    subject_to: Bounds = Field(
        default_factory=dict, description="by component the most that it may come to, in bytes, seconds or joules"
    )
    fix: dict[str, str] = Field(
        default_factory=dict,
        description="strategies that are given: a word by operator, or by a pattern of operators' names (*, ?, [...]): "
        "a dimension or none for every axis, with spaces between, outermost first; a . leaves an axis open; of "
        "BLOCK:recompute yes or no",
    )

    @property
    def objective_function(self) -> ObjectiveFunction:
        """The objective, exact."""
        weights = {name: Fraction(one) for name, one in self.objective.items() if isinstance(one, Decimal)}
        return ObjectiveFunction("sum", weights)

    @property
    def components(self) -> tuple[str, ...]:
        """The components that are weighed or bounded."""
        return (*self.objective_function.components, *self.subject_to)

    @model_validator(mode="after")
    def _partitioners_are_charged_bytes(self) -> OperatorInstanceSpec:
        if self.cost.accounting != GSPMD:
            return self
        for field, names in (("objective", self.objective_function.components), ("subject_to", self.subject_to)):
            wrong = next((name for name in names if name != COMMUNICATION), None)
            if wrong is not None:
                raise refusal(f"expected {COMMUNICATION}, for {GSPMD} knows bytes and no {wrong}", at=field)
        return self

    @model_validator(mode="after")
    def _components_are_known(self) -> OperatorInstanceSpec:
        for name in self.objective:
            if name in PUT_TOGETHER:
                raise refusal(f"expected a weighted sum: of operators there is no {name} yet", at="objective")
        for field, names in (("objective", self.objective_function.components), ("subject_to", self.subject_to)):
            wrong = next((name for name in names if name in UNKNOWN), None)
            if wrong is not None:
                raise refusal(f"expected {' or '.join(KNOWN)}, for operators have no {wrong}", at=field)
        return self
