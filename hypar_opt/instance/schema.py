"""What an instance file says, as a whole, and that as JSON Schema."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue, model_validator

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.array_schema import ArraySpec
from hypar_opt.instance.choices import ANYWHERE, CHOICES, LETTERS
from hypar_opt.instance.cost_schema import Bounds, CostSpec, Objective
from hypar_opt.instance.fields import Given, Name, Size, Spec, refusal, where
from hypar_opt.instance.fix import OPEN
from hypar_opt.instance.mixed_shares import EQUALLY
from hypar_opt.instance.network_schema import LAYER_KINDS, NetworkSpec
from hypar_opt.instance.objective.components import LEVELLED, levelled_fault
from hypar_opt.instance.objective.function import PUT_TOGETHER, ObjectiveFunction
from hypar_opt.instance.precision_schema import PrecisionSpec


class FileRef(Spec):
    """A part that stands in a file of its own."""

    file: Annotated[str, Field(min_length=1)] = Field(
        description="path of the file, relative to the folder of the file that names it"
    )


_TOO_LARGE: list[JsonValue] = [
    where(array=where(levels={"exclusiveMinimum": rule.most_levels}), cost=where(accounting={"const": name}))
    for name, rule in ACCOUNTINGS.items()
    if rule.most_levels is not None
]


_WEIGHED: list[JsonValue] = [where(**{one: {"exclusiveMinimum": 0}}) for one in LEVELLED]
_LISTED: list[JsonValue] = [where(**{kind: {"contains": {"enum": list(LEVELLED)}}}) for kind in PUT_TOGETHER]
_BOUNDED: list[JsonValue] = [{"required": [one]} for one in LEVELLED]
_WITHOUT_LEVELS: list[JsonValue] = [
    where(cost=where(accounting={"const": name}), **{field: {"anyOf": any_of}})
    for name, rule in ACCOUNTINGS.items()
    if rule.by_leaves
    for field, any_of in (("objective", [*_WEIGHED, *_LISTED]), ("subject_to", _BOUNDED))
]


_ALIKE: dict[str, JsonValue] = where(array={"required": ["topology"], "not": where(accelerators={"type": "array"})})
_OF_KINDS: list[JsonValue] = [
    where(shares={"not": {"const": EQUALLY}}),
    where(barrier={"not": {"const": "step"}}),
    where(choices={"contains": {"enum": [name for name in CHOICES if name not in ANYWHERE]}}),
]
_WITHOUT_KINDS: dict[str, JsonValue] = {"allOf": [_ALIKE, where(cost={"anyOf": _OF_KINDS})]}


class InstanceSpec(Spec):
    """An instance: a network, an array of accelerators, a batch size and a way of counting cost.

    References to files are resolved before: here network and array are inline.
    """

    model_config = ConfigDict(json_schema_extra={"not": {"anyOf": [*_TOO_LARGE, *_WITHOUT_LEVELS, _WITHOUT_KINDS]}})

    schema_version: Literal["hypar-opt/instance/1"] = Field(
        alias="schema", description="version of the format, hypar-opt/instance/1"
    )
    name: Name = Field(description="name of the instance")
    batch: Size = Field(description="samples in a training step")
    network: NetworkSpec = Field(description="the network")
    array: ArraySpec = Field(description="the array of accelerators")
    cost: CostSpec = Field(default_factory=CostSpec, description="how a plan is charged")
    objective: Objective = Field(
        default_factory=lambda: {"communication": 1},
        validate_default=True,
        description="weights by component of the cost, exact decimals",
    )
    subject_to: Bounds = Field(
        default_factory=dict,
        description="by component the most that a plan may cost, in bytes, seconds or joules, exact decimals",
    )
    fix: dict[str, str] = Field(
        default_factory=dict,
        description="strategies that are given: a word by layer, or by a pattern of layers' names (*, ?, [...]), one "
        f"letter ({', '.join(LETTERS.values())}) a level, root first; a {OPEN} leaves a level open",
    )
    microbatches: Annotated[Size | None, Given] = Field(
        None,
        description="cut the network into the stages of a pipeline, each on a part of the array, and the batch into so "
        "many microbatches; without it all layers are on the whole array",
    )
    precision: Annotated[PrecisionSpec | None, Given] = Field(
        None, description="in how many bits layers may send what they send, and the error of each choice"
    )

    @property
    def objective_function(self) -> ObjectiveFunction:
        """The objective, exact."""
        for kind in PUT_TOGETHER:
            listed = self.objective.get(kind)
            if isinstance(listed, tuple):
                return ObjectiveFunction(kind, dict.fromkeys(listed, Fraction(1)))
        weights = {name: Fraction(one) for name, one in self.objective.items() if isinstance(one, Decimal)}
        return ObjectiveFunction("sum", weights)

    @property
    def components(self) -> tuple[str, ...]:
        """What the objective weighs, then what else is bounded."""
        return tuple(dict.fromkeys((*self.objective_function.components, *self.subject_to)))

    @model_validator(mode="after")
    def _accounting_takes_the_levels(self) -> InstanceSpec:
        most = ACCOUNTINGS[self.cost.accounting].most_levels
        if most is not None and self.array.levels > most:
            raise refusal(
                f"accounting '{self.cost.accounting}' has dense tables and takes at most {most} levels, "
                f"got {self.array.levels}",
                at="cost",
            )
        return self

    @model_validator(mode="after")
    def _accounting_knows_the_objective(self) -> InstanceSpec:
        fault = levelled_fault(self.cost.accounting, self.objective_function.components)
        if fault is not None:
            raise refusal(f"{fault}; expected another accounting, or the objective communication", at="objective")
        fault = levelled_fault(self.cost.accounting, tuple(self.subject_to))
        if fault is not None:
            raise refusal(f"{fault}; expected another accounting, or a bound on communication", at="subject_to")
        return self


def instance_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of instance files, for editors and other programs.

    A network, an array and a custom graph may also be `{file: PATH}` here. What no schema can say (shapes that do
    not fit, names that are not there) is left to `read_instance`.
    """
    schema = InstanceSpec.model_json_schema(by_alias=True)
    definitions: dict[str, Any] = schema["$defs"]
    refer_to_files(schema)
    definitions["LayerSpec"]["oneOf"] = [{"required": [kind]} for kind in LAYER_KINDS]
    without_nulls(schema)
    graph = definitions["ArraySpec"]["properties"]["graph"]
    graph["oneOf"] = [{"$ref": graph.pop("$ref")}, {"$ref": "#/$defs/FileRef"}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def refer_to_files(schema: dict[str, Any]) -> None:
    """Let a network and an array be `{file: PATH}` in the schema of an instance."""
    schema["$defs"]["FileRef"] = FileRef.model_json_schema()
    for part in ("network", "array"):
        if part not in schema["properties"]:
            continue
        inline = schema["properties"][part].pop("$ref")
        schema["properties"][part]["oneOf"] = [{"$ref": inline}, {"$ref": "#/$defs/FileRef"}]


def without_nulls(schema: dict[str, Any]) -> None:
    """Take null out of all fields of a schema and its definitions."""
    for definition in (schema, *schema["$defs"].values()):
        for name, field in definition.get("properties", {}).items():
            definition["properties"][name] = _without_null(field)


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """Return a field's schema without null: an optional field may be left out, but not be empty."""
    if {"type": "null"} not in field.get("anyOf", []):
        return field
    kinds = [kind for kind in field["anyOf"] if kind != {"type": "null"}]
    rest = {key: value for key, value in field.items() if key not in ("anyOf", "default")}
    return {**(kinds[0] if len(kinds) == 1 else {"anyOf": kinds}), **rest}
