"""What a plan file claims: read strictly, every field checked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationError

from hypar_opt.components import COMMUNICATION
from hypar_opt.errors import InputError
from hypar_opt.instance.document import Document, read_document
from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.fields import Name, Spec, refusal
from hypar_opt.instance.overrides import Overrides, array_text
from hypar_opt.instance.wording import shown
from hypar_opt.plan import Status
from hypar_opt.plan_file import FIELDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.plan import Decides, Plan

EXACT = re.compile(r"-?[0-9]{1,4000}(\.[0-9]{1,4000}|/0*[1-9][0-9]{0,3999})?")
"""An exact number that is written as text."""


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


class OverridesClaim(Spec):
    """What replaced fields of the instance."""

    accounting: str | None = Field(None, description="replaces cost.accounting")
    batch: int | None = Field(None, description="replaces batch")
    levels: int | None = Field(None, description="replaces array.levels")
    array: dict[str, Any] | None = Field(None, description="replaces array")
    placement: str | None = Field(None, description="replaces array.placement")
    objective: str | None = Field(None, description="replaces objective")

    @property
    def given(self) -> dict[str, Any]:
        """Those that were given."""
        changed = {**self.model_dump(exclude={"array"}), "array": array_text(self.array)}
        return Overrides(**changed).given()


class PlanSpec(Spec):
    """A plan file."""

    schema_version: Literal["hypar-opt/plan/1"] = Field(alias="schema", description="version of the format")
    instance: Name = Field(description="name of the instance")
    instance_sha256: Annotated[str, BeforeValidator(_sha256)] = Field(description="hash of the instance")
    formulation: Name = Field(description="who found the plan")
    status: Literal["OPTIMAL", "FEASIBLE", "INFEASIBLE", "NO_SOLUTION", "ERROR"] = Field(description="what is claimed")
    cost: CostClaim | None = Field(description="bytes exchanged, null without a plan")
    objective: Exact | None = Field(description="the objective's value, null without a plan")
    bound: Exact | None = Field(description="a lower bound on the objective, or null")
    plan: dict[str, str] | None = Field(description="a strategy for every layer, null without a plan")
    placement: tuple[Name, ...] | None = Field(None, strict=False, description="an accelerator for every leaf")
    decided: Literal["strategies", "placement", "both"] = Field("strategies", description="what the status is about")
    overrides: OverridesClaim = Field(description="what replaced fields of the instance")
    native_status: str = Field("", description="the solver's own word")
    note: str = Field("", description="what the claim rests on")
    runtime_s: Any = Field(None, description="seconds")
    statistics: dict[str, Any] = Field(default_factory=dict, description="sizes and counts")
    versions: dict[str, str] = Field(default_factory=dict, description="of what was used")
    seed: int = Field(0, description="of the solver")


@dataclass(frozen=True)
class Claim:
    """A plan, and what is said of it.

    Parameters
    ----------
    instance, instance_sha256, overrides
        What it is said to be a plan of.
    formulation
        Who found it.
    status
        What is said to be proven.
    strategies
        By layer; None where there is said to be no plan.
    communication_bytes, objective, bound
        Its cost, and a lower bound, as claimed.
    placement
        An accelerator's name for every leaf; None where nothing depends on it.
    decided
        What the status is about; the rest was given.
    costs
        By component, what is claimed beside the bytes.
    source
        The file, for messages.
    """

    instance: str
    instance_sha256: str
    overrides: Mapping[str, Any]
    formulation: str
    status: Status
    strategies: Mapping[str, str] | None
    communication_bytes: Fraction | None
    objective: Fraction | None
    bound: Fraction | None
    source: Path | str = "the plan"
    placement: tuple[str, ...] | None = None
    decided: Decides = "strategies"
    costs: Mapping[str, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", Status(self.status))
        if self.status in (Status.NO_SOLUTION, Status.ERROR):
            raise self.error(f"a plan with status {self.status} claims nothing that could be verified", "status")
        there_is_none = self.status is Status.INFEASIBLE
        for name, place in (("strategies", "plan"), ("communication_bytes", "cost"), ("objective", "objective")):
            if (getattr(self, name) is None) != there_is_none:
                expected = "nothing" if there_is_none else "a value"
                raise self.error(f"expected {expected} with status {self.status}", place)
        if there_is_none and self.bound is not None:
            raise self.error(f"expected nothing with status {self.status}", "bound")

    def error(self, message: str, field: str) -> InputError:
        """Return the error of a field."""
        return InputError(message, file=self.source, field=field)

    @property
    def limit(self) -> Fraction | None:
        """What no plan's objective is claimed to be below, or None where nothing of the kind is claimed."""
        return self.objective if self.status is Status.OPTIMAL else self.bound


def claim_of(plan: Plan) -> Claim:
    """Return what a plan claims."""
    total = None if plan.communication_bytes is None else Fraction(plan.communication_bytes)
    return Claim(
        plan.instance, plan.instance_sha256, plan.overrides, plan.formulation, plan.status, plan.strategies, total,
        plan.objective, plan.bound, placement=plan.placement, decided=plan.decided,
        costs={name: cost for name, cost in plan.costs.items() if name != COMMUNICATION},
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
    total = None if spec.cost is None else spec.cost.communication_bytes
    try:
        return Claim(
            spec.instance, spec.instance_sha256, spec.overrides.given, spec.formulation, Status(spec.status), spec.plan,
            total, spec.objective, spec.bound, document.path, spec.placement, spec.decided,
            {} if spec.cost is None else spec.cost.by_component,
        )  # fmt: skip
    except InputError as error:
        raise document.error(error.message, (error.field or "",)) from None


def _validated(document: Document) -> PlanSpec:
    try:
        return PlanSpec.model_validate(document.data)
    except ValidationError as error:
        fault = first_fault(error, PlanSpec, document.data)
    raise document.error(fault.message, fault.path, of_key=fault.of_key)
