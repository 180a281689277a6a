"""What a plan, or the file of one, claims."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.solution import Decides, Status
from hypar_opt.instance.objective.components import COMMUNICATION, TOTAL
from hypar_opt.instance.text import cut
from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import InputError
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.solver.share_evidence import ShareEvidence


@dataclass(frozen=True, repr=False)
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
        By layer, or of a strategy graph the index of every node's, as text; None where there is said to be no plan.
    communication_bytes, objective, bound
        Its cost, and a lower bound, as claimed; a strategy graph exchanges no bytes.
    placement
        An accelerator's name for every leaf; None where nothing depends on it.
    decided
        What the status is about; the rest was given.
    costs
        By component, what is claimed beside the bytes; of a strategy graph the total.
    source
        The file, for messages.
    criteria
        The components of the front that it is a point of, if it is one.
    axes
        Of words by name, the axis of each entry, if that is said.
    shares
        By split of an array of several kinds of accelerators, what its first half gets.
    evidence
        Why no other shares are better, where that is said.
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
    criteria: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    shares: Mapping[str, Fraction] = field(default_factory=dict)
    evidence: ShareEvidence | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", Status(self.status))
        if self.status in (Status.NO_SOLUTION, Status.ERROR):
            raise self.error(f"a plan with status {self.status} claims nothing that could be verified", "status")
        there_is_none = self.status is Status.INFEASIBLE
        cost = self.costs.get(TOTAL, self.communication_bytes)
        for value, place in ((self.strategies, "plan"), (cost, "cost"), (self.objective, "objective")):
            if (value is None) != there_is_none:
                expected = "nothing" if there_is_none else "a value"
                raise self.error(f"expected {expected} with status {self.status}", place)
        if there_is_none and self.bound is not None:
            raise self.error(f"expected nothing with status {self.status}", "bound")

    def __repr__(self) -> str:
        return (
            f"Claim({cut(self.instance)!r}, {self.status.value} by {cut(self.formulation)}, of {cut(str(self.source))})"
        )

    def error(self, message: str, field: str) -> InputError:
        """Return the error of a field."""
        return InputError(message, file=self.source, field=field)

    def strategies_for(self, what: str) -> Mapping[str, str]:
        """Return the strategies, which some work needs.

        Parameters
        ----------
        what
            What is expected, as 'a plan to show'.

        Raises
        ------
        InputError
            If there is said to be no plan.
        """
        if self.strategies is None:
            raise self.error(f"has status {self.status} and no plan, expected {what}", "plan")
        return self.strategies

    def said(self, of: str = "") -> str:
        """Return what the file says of its plan, of which nothing is decided by that.

        Parameters
        ----------
        of
            What that is about, where it is not all of the plan.
        """
        return f"Its file says {self.status} by {self.formulation}{of}; hypar-opt verify decides that"

    @property
    def limit(self) -> Fraction | None:
        """What no plan's objective is claimed to be below, or None where nothing of the kind is claimed."""
        return self.objective if self.status is Status.OPTIMAL else self.bound


def claim_of(plan: Plan, source: Path | str = "the plan", criteria: tuple[str, ...] = ()) -> Claim:
    """Return what a plan claims.

    Parameters
    ----------
    source
        Its file, for messages.
    criteria
        The components of the front that it is a point of, if it is one.
    """
    total = None if plan.communication_bytes is None else exact_number(plan.communication_bytes)
    return Claim(
        plan.instance, plan.instance_sha256, plan.overrides, plan.formulation, plan.status, plan.strategies, total,
        plan.objective, plan.bound, source, plan.placement, plan.decided,
        costs={name: cost for name, cost in plan.costs.items() if name != COMMUNICATION},
        criteria=criteria, axes=plan.axes, shares=plan.shares, evidence=plan.evidence,
    )  # fmt: skip


def read_claim(path: Path | str) -> Claim:
    """Read what a plan file claims, or a point of a front's.

    Raises
    ------
    InputError
        If it is no plan file, or claims nothing; names the file, line and field.
    """
    from hypar_opt.solver.plan_reader import read_plan

    source = read_plan(Path(path))
    try:
        return claim_of(Plan(**source.fields), source.document.path, source.criteria)
    except InputError as error:
        if error.line is not None:
            raise
        fault = error
    raise source.error(fault.message, fault.field)
