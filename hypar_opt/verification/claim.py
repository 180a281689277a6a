"""What a plan file claims: read strictly, every field checked."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationError

from hypar_opt.errors import InputError
from hypar_opt.instance.document import Document, read_document
from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.fields import Spec, refusal
from hypar_opt.instance.instance import Overrides
from hypar_opt.instance.wording import dotted, shown
from hypar_opt.plan import Status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONGEST_NUMBER = 200
"""Characters of an exact number that is written as text."""


def _exact(value: object) -> Fraction:
    if type(value) is int or isinstance(value, Decimal):
        return Fraction(value)
    if isinstance(value, str) and len(value) <= LONGEST_NUMBER and "e" not in value.lower():
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            pass
    raise refusal(f"expected an exact number (an integer, or a decimal or fraction as text), got {shown(value)}")


def _sha256(value: object) -> str:
    if not isinstance(value, str) or len(value) != 64 or set(value) - set("0123456789abcdef"):
        raise refusal(f"expected a SHA-256 as 64 hexadecimal digits, got {shown(value)}")
    return value


Exact: TypeAlias = Annotated[Fraction, BeforeValidator(_exact)]


class CostClaim(Spec):
    """What the plan is said to cost."""

    communication_bytes: Exact = Field(description="over all levels, both directions, exact")


class OverridesClaim(Spec):
    """What replaced fields of the instance."""

    accounting: str | None = Field(None, description="replaces cost.accounting")
    batch: int | None = Field(None, description="replaces batch")
    levels: int | None = Field(None, description="replaces array.levels")


class PlanSpec(Spec):
    """A plan file."""

    schema_version: Literal["hypar-opt/plan/1"] = Field(alias="schema", description="version of the format")
    instance: str = Field(description="name of the instance")
    instance_sha256: Annotated[str, BeforeValidator(_sha256)] = Field(description="hash of the instance")
    formulation: str = Field(description="who found the plan")
    status: Literal["OPTIMAL", "FEASIBLE", "INFEASIBLE", "NO_SOLUTION", "ERROR"] = Field(description="what is claimed")
    cost: CostClaim | None = Field(description="bytes exchanged, null without a plan")
    objective: Exact | None = Field(description="the objective's value, null without a plan")
    bound: Exact | None = Field(description="a lower bound on the objective, or null")
    plan: dict[str, str] | None = Field(description="a strategy for every layer, null without a plan")
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

    @property
    def limit(self) -> Fraction | None:
        """What no plan's objective is claimed to be below, or None where nothing of the kind is claimed."""
        return self.objective if self.status is Status.OPTIMAL else self.bound


def read_claim(path: Path) -> Claim:
    """Read a plan file.

    Raises
    ------
    InputError
        If it is no plan file, or claims nothing; names the file, line and field.
    """
    document = read_document(path)
    spec = _validated(document)
    status = Status(spec.status)
    if status in (Status.NO_SOLUTION, Status.ERROR):
        raise _error(document, f"a plan with status {status} claims nothing that could be verified", ("status",))
    needed = {"plan": spec.plan, "cost": spec.cost, "objective": spec.objective}
    for name, value in needed.items():
        if (value is None) != (status is Status.INFEASIBLE):
            expected = "nothing" if status is Status.INFEASIBLE else "a value"
            raise _error(document, f"expected {expected} with status {status}", (name,))
    given = Overrides(spec.overrides.accounting, spec.overrides.batch, spec.overrides.levels).given()
    total = None if spec.cost is None else spec.cost.communication_bytes
    return Claim(
        spec.instance, spec.instance_sha256, given, spec.formulation, status, spec.plan, total, spec.objective,
        spec.bound, path,
    )  # fmt: skip


def _validated(document: Document) -> PlanSpec:
    try:
        return PlanSpec.model_validate(document.data)
    except ValidationError as error:
        fault = first_fault(error, PlanSpec, document.data)
    raise _error(document, fault.message, fault.path, of_key=fault.of_key)


def _error(document: Document, message: str, path: tuple[str | int, ...], *, of_key: bool = False) -> InputError:
    line = document.line(path, of_key=of_key)
    return InputError(message, file=document.path, line=line, field=dotted(path) or None)
