"""What verification answers, and how it follows from checks and evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.legality import Split
    from hypar_opt.evaluation.strategy_graph import Judged
    from hypar_opt.verification.certificate.check import Checked


class CheckOutcome(StrEnum):
    """Whether a claim is true."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Check:
    """One thing that was checked.

    Parameters
    ----------
    name
        What: `plan`, `strategies`, `memory`, `placement`, `communication`, `total`, `objective`, `bound`,
        `certificate` or `optimality`.
    outcome
        Whether it holds.
    text
        What was expected and what was found.
    """

    name: str
    outcome: CheckOutcome
    text: str


@dataclass(frozen=True)
class Better:
    """A plan that costs less than another is claimed to.

    Parameters
    ----------
    source
        Who found it.
    strategies
        By layer, or of a strategy graph by node.
    communication_bytes, objective
        Recomputed by boxes, and by routes where a placement counts; from the strategy graph, which exchanges no bytes.
    placement
        The accelerator of every leaf, where the objective depends on it.
    """

    source: str
    strategies: Mapping[str, str]
    communication_bytes: int | Fraction | None
    objective: Fraction
    placement: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Evidence:
    """What is known of a problem's least objective.

    Parameters
    ----------
    text
        What it rests on.
    bound
        A proven lower bound on the objective, or None.
    best
        The best plan that was found, or None.
    infeasible
        Whether there is no plan.
    word_of
        The formulation whose word it is; nothing where it does not come down to one's word.
    """

    text: str
    bound: Fraction | None = None
    best: Better | None = None
    infeasible: bool = False
    word_of: str = ""

    def decides(self, limit: Fraction | None) -> bool:
        """Return whether it tells if anything costs less than a limit; without one, if there is any plan."""
        if limit is None:
            return self.infeasible or self.best is not None
        cheaper = self.best is not None and self.best.objective < limit
        return cheaper or (self.bound is not None and self.bound >= limit)


@dataclass(frozen=True)
class Verdict:
    """What is true of a claim.

    Parameters
    ----------
    checks
        In order; the first that fails ends it.
    breakdown, leaf_exact
        Where the plan's bytes go, by the instance's accounting and by the leaves' own boxes; None without a
        legal plan, and of strategy graphs.
    bound
        The best proven lower bound on the objective, or None.
    better
        A plan that refutes the claim.
    judged
        What a strategy graph's plan costs and uses.
    splits
        What a plan splits unevenly, which makes no claim false.
    """

    checks: tuple[Check, ...]
    breakdown: Breakdown | None = None
    leaf_exact: Breakdown | None = None
    bound: Fraction | None = None
    better: Better | None = None
    judged: Judged | None = None
    splits: tuple[Split, ...] = ()

    @property
    def outcome(self) -> CheckOutcome:
        """Refuted if any check is, undecided if any is, else confirmed."""
        found = {check.outcome for check in self.checks}
        return next(
            (one for one in (CheckOutcome.REFUTED, CheckOutcome.UNDECIDED) if one in found), CheckOutcome.CONFIRMED
        )

    @property
    def reason(self) -> str:
        """The name of the check that decides, or nothing where all hold."""
        return next((check.name for check in self.checks if check.outcome is not CheckOutcome.CONFIRMED), "")


def until_one_fails(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return checks up to the first that is refuted."""
    found = []
    for one in checks:
        found.append(one)
        if one.outcome is CheckOutcome.REFUTED:
            break
    return tuple(found)


def judged(verdict: Verdict, evidence: Evidence, limit: Fraction, whose: str) -> Verdict:
    """Decide whether nothing of a kind has an objective below a limit."""
    best, bound = evidence.best, evidence.bound
    if best is not None and best.objective < limit:
        return ended(verdict, CheckOutcome.REFUTED, _cheaper(best, limit), bound, best)
    if bound is not None and bound >= limit:
        text = f"no {whose} is below {in_full(limit)}: {evidence.text}"
        return ended(verdict, CheckOutcome.CONFIRMED, text, bound)
    known = "no bound is known" if bound is None else f"the best bound known is {in_full(bound)}"
    text = f"is no {whose} below {in_full(limit)}? {known}: {evidence.text}"
    return ended(verdict, CheckOutcome.UNDECIDED, text, bound)


def of_no_plan(evidence: Evidence) -> Verdict:
    """Decide whether there is no plan."""
    if evidence.infeasible:
        return ended(Verdict(()), CheckOutcome.CONFIRMED, f"there is no plan: {evidence.text}", None)
    if evidence.best is not None:
        text = f"there is a plan, with the objective {in_full(evidence.best.objective)}, by {evidence.best.source}"
        return ended(Verdict(()), CheckOutcome.REFUTED, text, evidence.bound, evidence.best)
    return ended(Verdict(()), CheckOutcome.UNDECIDED, f"is there no plan? {evidence.text}", evidence.bound)


def _cheaper(best: Better, limit: Fraction) -> str:
    return f"{best.source} has a plan with the objective {in_full(best.objective)}, below {in_full(limit)}"


def ended(
    verdict: Verdict, outcome: CheckOutcome, text: str, bound: Fraction | None, better: Better | None = None
) -> Verdict:
    """Return a verdict with its last check, of optimality."""
    checks = (*verdict.checks, Check("optimality", outcome, text))
    return replace(verdict, checks=checks, bound=bound, better=better)


def certificate_check(checked: Checked) -> Check:
    """Return what a certificate says of itself; one that fails leaves the plan's own claim open."""
    if checked.proven:
        return Check("certificate", CheckOutcome.CONFIRMED, f"proves the bound {in_full(checked.bound)}")
    text = "; ".join(checked.faults)
    return Check("certificate", CheckOutcome.UNDECIDED, f"{text}; without it evidence is made anew")
