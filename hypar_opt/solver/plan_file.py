"""What a plan file claims: read strictly, every field checked."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationError

from hypar_opt.components import TOTAL
from hypar_opt.errors import InputError
from hypar_opt.instance.document import Document, read_document
from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.fields import Name, Spec, refusal
from hypar_opt.instance.overrides import Overrides, array_text
from hypar_opt.instance.wording import shown
from hypar_opt.plan import Status
from hypar_opt.plan_file import FIELDS
from hypar_opt.verification.claim import Claim

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

EXACT = re.compile(r"-?[0-9]{1,4000}(\.[0-9]{1,4000}|/0*[1-9][0-9]{0,3999})?")
"""An exact number that is written as text."""
COST_FIELD: Final = "communication_bytes"
"""What a network's plan always has among its costs."""


def _exact(value: object) -> Fraction:
    if type(value) is int or isinstance(value, Decimal):
        return Fraction(value)
    if isinstance(value, str) and EXACT.fullmatch(value):
        return Fraction(value)
    raise refusal(f"expected an exact number (an integer, or a decimal or fraction as text), got {shown(value)}")


def _sha256(value: object) -> str:
    if not isinstance(value, str) or len(value) != 64 or set(value) - set("0123456789abcdef"):
        raise refusal(f"expected a SHA-256 as 64 hexadecimal digits, got {shown(value)}")
    return value


Exact: TypeAlias = Annotated[Fraction, BeforeValidator(_exact)]


class CostClaim(Spec):
    """What the plan is said to cost."""

    communication_bytes: Exact = Field(description="over all levels, both directions, exact")
    hop_bytes: Exact | None = Field(None, description="every byte times the links that it crosses")
    comm_time_s: Exact | None = Field(None, description="of every level its busiest link's time")
    comm_energy_J: Exact | None = Field(None, description="every byte times the energy of the links that it crosses")
    compute_time_s: Exact | None = Field(None, description="every layer's phases one after the other")
    time_s: Exact | None = Field(None, description="computing, then communicating")
    multiply_energy_J: Exact | None = Field(None, description="of all multiplications")
    add_energy_J: Exact | None = Field(None, description="of all additions")
    sram_energy_J: Exact | None = Field(None, description="of all accesses to the buffers")
    dram_energy_J: Exact | None = Field(None, description="of all accesses to the memories")
    energy_J: Exact | None = Field(None, description="operations, accesses and links")

    @property
    def by_component(self) -> dict[str, Fraction]:
        """What is claimed beside the bytes."""
        found = {name: getattr(self, field) for name, field in FIELDS.items()}
        return {name: cost for name, cost in found.items() if cost is not None}


class TotalClaim(Spec):
    """What a strategy graph's plan is said to cost."""

    total: Exact = Field(description="of all nodes and edges")


class OverridesClaim(Spec):
    """What replaced fields of the instance."""

    accounting: str | None = Field(None, description="replaces cost.accounting")
    batch: int | None = Field(None, description="replaces batch")
    levels: int | None = Field(None, description="replaces array.levels")
    array: dict[str, Any] | None = Field(None, description="replaces array")
    placement: str | None = Field(None, description="replaces array.placement")
    objective: str | None = Field(None, description="replaces objective")
    splits: str | None = Field(None, description="replaces cost.splits")
    input_error: bool | None = Field(None, description="replaces cost.input_error")

    @property
    def given(self) -> dict[str, Any]:
        """Those that were given."""
        changed = {**self.model_dump(exclude={"array"}), "array": array_text(self.array)}
        return Overrides(**changed).given()


class AnyPlanSpec(Spec):
    """What plan files have, whatever they are plans of."""

    schema_version: Literal["hypar-opt/plan/1"] = Field(alias="schema", description="version of the format")
    instance: Name = Field(description="name of the instance")
    instance_sha256: Annotated[str, BeforeValidator(_sha256)] = Field(description="hash of the instance")
    formulation: Name = Field(description="who found the plan")
    status: Literal["OPTIMAL", "FEASIBLE", "INFEASIBLE", "NO_SOLUTION", "ERROR"] = Field(description="what is claimed")
    objective: Exact | None = Field(description="the objective's value, null without a plan")
    bound: Exact | None = Field(description="a lower bound on the objective, or null")
    overrides: OverridesClaim = Field(description="what replaced fields of the instance")
    native_status: str = Field("", description="the solver's own word")
    note: str = Field("", description="what the claim rests on")
    runtime_s: Any = Field(None, description="seconds")
    statistics: dict[str, Any] = Field(default_factory=dict, description="sizes and counts")
    versions: dict[str, str] = Field(default_factory=dict, description="of what was used")
    seed: int = Field(0, description="of the solver")


class PlanSpec(AnyPlanSpec):
    """A plan file of a network."""

    cost: CostClaim | None = Field(description="bytes exchanged, null without a plan")
    plan: dict[str, str] | None = Field(description="a strategy for every layer, null without a plan")
    placement: tuple[Name, ...] | None = Field(None, strict=False, description="an accelerator for every leaf")
    decided: Literal["strategies", "placement", "both"] = Field("strategies", description="what the status is about")
    unbuildable: list[str] = Field(default_factory=list, description="splits into more parts than there are elements")
    uneven: list[str] = Field(default_factory=list, description="splits that leave something over")

    def claim(self, path: Path) -> Claim:
        """Return what it claims."""
        return Claim(
            self.instance, self.instance_sha256, self.overrides.given, self.formulation, Status(self.status), self.plan,
            None if self.cost is None else self.cost.communication_bytes, self.objective, self.bound, path,
            self.placement, self.decided, {} if self.cost is None else self.cost.by_component,
        )  # fmt: skip


class GraphPlanSpec(AnyPlanSpec):
    """A plan file of a strategy graph."""

    cost: TotalClaim | None = Field(description="the total, null without a plan")
    plan: dict[str, int] | None = Field(description="the index of every node's strategy, null without a plan")

    def claim(self, path: Path) -> Claim:
        """Return what it claims."""
        return Claim(
            self.instance, self.instance_sha256, self.overrides.given, self.formulation, Status(self.status),
            None if self.plan is None else {node: str(strategy) for node, strategy in self.plan.items()},
            None, self.objective, self.bound, path, costs={} if self.cost is None else {TOTAL: self.cost.total},
        )  # fmt: skip


def read_claim(path: Path | str) -> Claim:
    """Read a plan file.

    Raises
    ------
    InputError
        If it is no plan file, or claims nothing; names the file, line and field.
    """
    document = read_document(Path(path))
    spec = _validated(document)
    try:
        return spec.claim(document.path)
    except InputError as error:
        raise document.error(error.message, (error.field or "",)) from None


def _validated(document: Document) -> PlanSpec | GraphPlanSpec:
    kind = GraphPlanSpec if _of_graph(document.data) else PlanSpec
    try:
        return kind.model_validate(document.data)
    except ValidationError as error:
        fault = first_fault(error, kind, document.data)
    raise document.error(fault.message, fault.path, of_key=fault.of_key)


def _of_graph(data: Mapping[str, Any]) -> bool:
    """Return whether a plan file is one of a strategy graph: it has a total, or strategies by index."""
    cost, plan = data.get("cost"), data.get("plan")
    fields: Container[str] = cost if isinstance(cost, dict) else ()
    if TOTAL in fields or COST_FIELD in fields:
        return TOTAL in fields
    return isinstance(plan, dict) and any(type(strategy) is int for strategy in plan.values())
