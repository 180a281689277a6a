"""What a claims file says, as a whole."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from hypar_opt.instance.fields import Given, Name, Spec, refusal
from hypar_opt.studies.claims.arithmetic_statements import (
    Agreeing,
    EqualFormulae,
    MeanOfNumbers,
    PartSpeedup,
    PrintedArithmetic,
)
from hypar_opt.studies.claims.cg_statements import OfConjugateGradient
from hypar_opt.studies.claims.collective_statements import CollectiveGain, FewestSteps, OfCollective
from hypar_opt.studies.claims.formula_statements import OfFormula
from hypar_opt.studies.claims.plan_statements import PlanCollectives, PlanRatio
from hypar_opt.studies.claims.replacements import OverridesSpec
from hypar_opt.studies.claims.saving_statements import Saving, StepSaving
from hypar_opt.studies.claims.schedule_statements import OfSchedules, Unmodelled
from hypar_opt.studies.claims.statement_parts import Identifier, Statement, Text
from hypar_opt.studies.claims.statements import (
    AlsoOptimal,
    Exact,
    Gain,
    GeometricMean,
    MeanOf,
    Optimal,
    Peak,
    PlanOf,
    Proxy,
    Slower,
    Total,
    Unfused,
)
from hypar_opt.studies.claims.task_statements import TaskMakespan
from hypar_opt.studies.claims.unjudged_statements import NotReproducible, OutOfScope

MOST_CLAIMS = 10_000
MOST_INSTANCES = 1000
LONGEST_PATH = 1000

InstanceName = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]
"""A path relative to the claims file, or the name of a shipped instance."""


class ClaimSpec(Spec):
    """One statement about one or more instances."""

    id: Identifier = Field(description="a name of its own, for --only")
    source: Text = Field(description="where it stands: a figure, a table, a section")
    text: Text = Field(description="the claim in words")
    instance: Annotated[InstanceName | None, Given] = Field(None, description="what it is about")
    instances: Annotated[tuple[InstanceName, ...] | None, Field(strict=False), Given] = Field(
        None, min_length=1, max_length=MOST_INSTANCES, description="what it is about, where that is several"
    )
    overrides: OverridesSpec = Field(default_factory=OverridesSpec, description="what replaces their fields")
    finding: Annotated[Text | None, Given] = Field(None, description="what is known about it; shown beside the verdict")
    total: Annotated[Total | None, Given] = Field(None, description="a plan's communication")
    gmean: Annotated[GeometricMean | None, Given] = Field(None, description="a geometric mean of such")
    plan: Annotated[PlanOf | None, Given] = Field(None, description="words of a formulation's plan")
    optimal: Annotated[Optimal | None, Given] = Field(None, description="that a plan is an optimum")
    exact: Annotated[Exact | None, Given] = Field(None, description="that a formulation finds optima")
    also_optimal: Annotated[AlsoOptimal | None, Given] = Field(
        None, description="that a plan is an optimum under another accounting too"
    )
    performance_gain: Annotated[Gain | None, Given] = Field(None, description="a speed-up")
    energy_gain: Annotated[Gain | None, Given] = Field(None, description="a gain in energy efficiency")
    mean_of: Annotated[MeanOf | None, Given] = Field(None, description="the geometric mean of other claims' numbers")
    peak: Annotated[Peak | None, Given] = Field(None, description="that no plan near another one is better")
    proxy: Annotated[Proxy | None, Given] = Field(
        None, description="that the least of one component comes with the least of another"
    )
    slower: Annotated[Slower | None, Given] = Field(
        None, description="how many times as long communication takes on one array as on another"
    )

    unfused: Annotated[Unfused | None, Given] = Field(
        None, description="that as-evaluated is what moves with reduce-scatters and all-to-alls level by level"
    )
    schedule: Annotated[OfSchedules | None, Given] = Field(
        None, description="what a schedule of a pipeline leaves idle, keeps or computes with; of no instance"
    )
    collective: Annotated[OfCollective | None, Given] = Field(
        None, description="a quantity of an algorithm's schedules of a collective; of no instance"
    )
    fewest_steps: Annotated[FewestSteps | None, Given] = Field(
        None, description="that no schedule of a collective has fewer synchronous steps; of no instance"
    )
    collective_gain: Annotated[CollectiveGain | None, Given] = Field(
        None, description="how many times as long one algorithm of a collective takes as another; of no instance"
    )
    saving: Annotated[Saving | None, Given] = Field(
        None, description="that faster communication can save so much of a step; of no instance"
    )
    step_saving: Annotated[StepSaving | None, Given] = Field(
        None, description="how much of a data-parallel step one algorithm of an all-reduce saves beside another"
    )
    plan_ratio: Annotated[PlanRatio | None, Given] = Field(
        None, description="how much one plan moves, computes or joins in beside another"
    )
    collectives: Annotated[PlanCollectives | None, Given] = Field(
        None, description="how many collectives a plan takes in a step"
    )
    formula: Annotated[OfFormula | None, Given] = Field(
        None, description="that a printed formula is what a plan moves; of no instance"
    )
    unmodelled: Annotated[Unmodelled | None, Given] = Field(
        None, description="something of which no model here says anything; of no instance"
    )
    arithmetic: Annotated[PrintedArithmetic | None, Given] = Field(
        None, description="what an expression of printed numbers comes to; of no instance"
    )
    mean: Annotated[MeanOfNumbers | None, Given] = Field(None, description="a mean of printed numbers; of no instance")
    same: Annotated[Agreeing | None, Given] = Field(
        None, description="that printed numbers of one thing can be the same; of no instance"
    )
    identity: Annotated[EqualFormulae | None, Given] = Field(
        None, description="that printed formulae of one thing are the same; of no instance"
    )
    part_speedup: Annotated[PartSpeedup | None, Given] = Field(
        None, description="how many times as fast a whole gets of which a part does; of no instance"
    )
    conjugate_gradient: Annotated[OfConjugateGradient | None, Given] = Field(
        None, description="counts or least makespans of a variant's iterations; of no instance"
    )
    task_graph: Annotated[TaskMakespan | None, Given] = Field(
        None, description="the least makespan of a task graph; of no instance with layers"
    )
    not_reproducible: Annotated[NotReproducible | None, Given] = Field(
        None, description="that it cannot be recomputed, and why; of no instance"
    )
    out_of_scope: Annotated[OutOfScope | None, Given] = Field(
        None, description="that there is nothing to recompute, and why; of no instance"
    )

    @property
    def kind(self) -> str:
        """The kind of the statement."""
        return next(kind for kind in KINDS if kind in self.model_fields_set)

    @property
    def statement(self) -> Statement:
        """What is claimed."""
        found: Statement = getattr(self, self.kind)
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The instances that it is about."""
        return self.instances or (() if self.instance is None else (self.instance,))

    @model_validator(mode="after")
    def _one_kind(self) -> ClaimSpec:
        given = [kind for kind in KINDS if kind in self.model_fields_set]
        if len(given) != 1:
            got = f"several: {', '.join(given)}" if given else "none"
            raise refusal(f"expected one of {', '.join(KINDS)}, got {got}")
        return self

    @model_validator(mode="after")
    def _some_instance(self) -> ClaimSpec:
        if not self.statement.of_instances:
            given = next(
                (name for name in ("instance", "instances", "overrides") if name in self.model_fields_set), None
            )
            if given is not None:
                raise refusal(f"'{self.kind}' is about no instance; expected none", at=given)
            return self
        if (self.instance is None) == (self.instances is None):
            raise refusal(f"expected one of instance, instances, got {'none' if self.instance is None else 'both'}")
        if self.instances is not None and self.statement.one_instance:
            why = self.statement.why_one or f"'{self.kind}' is about one instance"
            raise refusal(f"{why}; expected 'instance'", at="instances")
        return self


KINDS = tuple(
    name for name in ClaimSpec.model_fields
    if name not in ("id", "source", "text", "instance", "instances", "overrides", "finding")
)  # fmt: skip
"""The fields that hold a statement."""


class ClaimsSpec(Spec):
    """A claims file."""

    schema_version: Literal["hypar-opt/claims/1"] = Field(
        alias="schema", description="version of the format, hypar-opt/claims/1"
    )
    title: Name = Field(description="what the claims are of")
    source: Text = Field(description="who claims it: a citation")
    claims: Annotated[tuple[ClaimSpec, ...], Field(strict=False)] = Field(
        min_length=1, max_length=MOST_CLAIMS, description="the claims"
    )
