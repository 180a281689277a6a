"""What plan files say: read strictly, every field checked; and what a search takes from one to start with."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, create_model, field_validator

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.faults import checked
from hypar_opt.instance.fields import Name, Spec, refusal
from hypar_opt.instance.formats import Document
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, COST_FIELDS, TOTAL
from hypar_opt.instance.overrides import OVERRIDES, Override, overrides_of
from hypar_opt.instance.text import shown
from hypar_opt.solver.exact_field import Exact
from hypar_opt.solver.improvements_file import ImprovementSpec, check_order
from hypar_opt.solver.share_evidence_file import ShareEvidenceSpec
from hypar_opt.util.numbers import is_whole

if TYPE_CHECKING:
    from collections.abc import Container, Mapping


COST_FIELD: Final = "communication_bytes"
"""What a network's plan always has among its costs."""


def _sha256(value: object) -> str:
    if not isinstance(value, str) or len(value) != 64 or set(value) - set("0123456789abcdef"):
        raise refusal(f"expected a SHA-256 as 64 hexadecimal digits, got {shown(value)}")
    return value


class _BytesClaim(Spec):
    communication_bytes: Exact = Field(description=COMPONENTS[COMMUNICATION].summary)


if TYPE_CHECKING:
    _Costs: TypeAlias = _BytesClaim
else:
    _Costs = create_model(
        "CostClaim",
        __base__=_BytesClaim,
        **{
            COMPONENTS[name].field: (Exact | None, Field(None, description=COMPONENTS[name].summary))
            for name in COST_FIELDS
        },
    )


class CostClaim(_Costs):
    """What the plan is said to cost."""

    @property
    def by_component(self) -> dict[str, Fraction]:
        """What is known on the links and of the accelerators, the bytes with it."""
        found = {name: getattr(self, field) for name, field in COST_FIELDS.items()}
        known = {name: cost for name, cost in found.items() if cost is not None}
        return {COMMUNICATION: self.communication_bytes, **known} if known else {}


class TotalClaim(Spec):
    """What a strategy graph's plan is said to cost."""

    total: Exact = Field(description="of all nodes and edges")


_TYPES: Final = {"integer": int, "truth": bool, "array": dict[str, Any], "fix": dict[str, str]}
"""By the kind of a replacement; all others are text."""


class _OverridesClaim(Spec):
    """What replaced fields of the instance."""

    @property
    def given(self) -> dict[str, Any]:
        """Those that were given."""
        return overrides_of(self.model_dump()).given()


def _replacing(one: Override) -> str:
    """Return what an override does, for the schema."""
    return f"{'adds to' if one.adds else 'replaces'} {'.'.join(one.path)}"


if TYPE_CHECKING:
    OverridesClaim: TypeAlias = _OverridesClaim
else:
    OverridesClaim = create_model(
        "OverridesClaim",
        __base__=_OverridesClaim,
        __doc__=_OverridesClaim.__doc__,
        **{
            name: (_TYPES.get(one.kind, str) | None, Field(None, description=_replacing(one)))
            for name, one in OVERRIDES.items()
        },
    )


class FoundSpec(Spec):
    """What files of plans and of fronts say of where they come from."""

    schema_version: str = Field(alias="schema", description="version of the format")
    instance: Name = Field(description="name of the instance")
    instance_sha256: Annotated[str, BeforeValidator(_sha256)] = Field(description="hash of the instance")
    formulation: Name = Field(description="who found it")
    overrides: OverridesClaim = Field(description="what replaced fields of the instance")
    native_status: str = Field("", description="the solver's own word")
    note: str = Field("", description="what the claim rests on")
    runtime_s: Any = Field(None, description="seconds")
    statistics: dict[str, Any] = Field(default_factory=dict, description="sizes and counts")
    versions: dict[str, str] = Field(default_factory=dict, description="of what was used")
    seed: int = Field(0, description="of the solver")

    @property
    def origin(self) -> dict[str, Any]:
        """The same, as fields of a plan or of a front."""
        same = ("instance", "instance_sha256", "formulation", "native_status", "note", "versions", "seed")
        return {
            **{name: getattr(self, name) for name in same},
            "overrides": self.overrides.given,
            "runtime_s": _seconds(self.runtime_s),
            "statistics": {
                name: float(one) if isinstance(one, Decimal) else one
                for name, one in self.statistics.items()
                if isinstance(one, int | str | float | Decimal)  # what else a file says there is nobody's claim
            },
        }


class AnyPlanSpec(FoundSpec):
    """What plan files have, whatever they are plans of."""

    schema_version: Literal["hypar-opt/plan/1"] = Field(alias="schema", description="version of the format")
    status: Literal["OPTIMAL", "FEASIBLE", "INFEASIBLE", "NO_SOLUTION", "ERROR"] = Field(description="what is claimed")
    objective: Exact | None = Field(description="the objective's value, null without a plan")
    bound: Exact | None = Field(description="a lower bound on the objective, or null")
    improvements: list[ImprovementSpec] = Field(default_factory=list, description="how plan and bound moved")

    @field_validator("improvements")
    @classmethod
    def _in_order(cls, value: list[ImprovementSpec]) -> list[ImprovementSpec]:
        check_order(value)
        return value

    @property
    def fields(self) -> dict[str, Any]:
        """Those of a plan."""
        found = {"objective": self.objective, "bound": self.bound, "status": Status(self.status)}
        return {**self.origin, **found, "improvements": tuple(one.improvement for one in self.improvements)}


class NetworkPlanSpec(Spec):
    """A network's plan, and what it costs on the links and accelerators."""

    cost: CostClaim | None = Field(description="bytes exchanged, null without a plan")
    plan: dict[str, str] | None = Field(description="a strategy for every layer, null without a plan")
    placement: tuple[Name, ...] | None = Field(None, strict=False, description="an accelerator for every leaf")
    decided: Literal["strategies", "placement", "both", "sends", "begins"] = Field(
        "strategies", description="what the status is about"
    )
    unbuildable: list[str] = Field(default_factory=list, description="splits into more parts than there are elements")
    uneven: list[str] = Field(default_factory=list, description="splits that leave something over")
    axes: tuple[Name, ...] = Field((), strict=False, description="of words by name: the axis of each entry")
    shares: dict[Name, Exact] = Field(default_factory=dict, description="by split, what its first half gets")
    evidence: ShareEvidenceSpec | None = Field(None, description="of shares that were searched: why no other is better")

    @property
    def plan_fields(self) -> dict[str, Any]:
        """Those of a plan that say what it is."""
        total = None if self.cost is None else self.cost.communication_bytes
        return {
            "strategies": self.plan,
            "communication_bytes": None if total is None else int(total) if is_whole(total) else total,
            "costs": {} if self.cost is None else self.cost.by_component,
            "placement": self.placement,
            "decided": self.decided,
            "unbuildable": tuple(self.unbuildable),
            "uneven": tuple(self.uneven),
            "axes": self.axes,
            "shares": self.shares,
            "evidence": None if self.evidence is None else self.evidence.evidence,
        }


class PlanSpec(NetworkPlanSpec, AnyPlanSpec):
    """A plan file of a network."""

    @property
    def fields(self) -> dict[str, Any]:
        """Those of a plan."""
        return {**super().fields, **self.plan_fields}


class GraphPlanSpec(AnyPlanSpec):
    """A plan file of a strategy graph."""

    cost: TotalClaim | None = Field(description="the total, null without a plan")
    plan: dict[str, int] | None = Field(description="the index of every node's strategy, null without a plan")

    @property
    def fields(self) -> dict[str, Any]:
        """Those of a plan."""
        return {
            **super().fields,
            "strategies": None if self.plan is None else {node: str(strategy) for node, strategy in self.plan.items()},
            "communication_bytes": None,
            "costs": {} if self.cost is None else {TOTAL: self.cost.total},
        }


def plan_fields(document: Document) -> dict[str, Any]:
    """Return the fields of the plan that a file holds.

    Raises
    ------
    InputError
        If it is no plan file; names the file, line and field.
    """
    kind = GraphPlanSpec if _of_graph(document.data) else PlanSpec
    return checked(kind, document.data, document.error).fields


def _of_graph(data: Mapping[str, Any]) -> bool:
    """Return whether a plan file is one of a strategy graph: it has a total, or strategies by index."""
    cost, plan = data.get("cost"), data.get("plan")
    fields: Container[str] = cost if isinstance(cost, dict) else ()
    if TOTAL in fields or COST_FIELD in fields:
        return TOTAL in fields
    return isinstance(plan, dict) and any(type(strategy) is int for strategy in plan.values())


def _seconds(value: object) -> float:
    """Return a time that is there for information only; what is none counts as none."""
    return float(value) if isinstance(value, int | float | Decimal) else 0.0
