"""What verification answers, and how it follows from checks and evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.util.errors import readable
from hypar_opt.util.numbers import amount, amounts_apart

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.legality import Split
    from hypar_opt.evaluation.strategy_graph import Judged
    from hypar_opt.verification.certificate.check import Checked


OPTIMALITY: Final = "optimality"
LOWER_BOUND: Final = "lower bound"
"""Names of the check whether nothing is below the plan's objective, or below the bound that is claimed of a plan."""


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
        `certificate`, `boxes`, and at the end `optimality`, `lower bound` or `infeasibility`, by what is claimed of all
        plans.
    outcome
        Whether it holds.
    text
        What was expected and what was found; numbers that are long are rounded.
    found
        The number that was recomputed, where there is one: exact.
    """

    name: str
    outcome: CheckOutcome
    text: str
    found: int | Fraction | None = None


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
    unit
        What stands behind a value of the objective, or nothing.
    """

    source: str
    strategies: Mapping[str, str]
    communication_bytes: int | Fraction | None
    objective: Fraction
    placement: tuple[str, ...] | None = None
    unit: str = ""


class BoxCount(NamedTuple):
    """Boxes of shares that are alike.

    Parameters
    ----------
    closed
        How the search closed them; None where it left them open.
    shown
        By what it is shown that they hold no better plan: `weights`, `words`, or `not shown`.
    boxes
        How many.
    """

    closed: str | None
    shown: str
    boxes: int


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
    checks
        What was checked of evidence that came with a claim.
    boxes
        Of shares, that came with it.
    """

    text: str
    bound: Fraction | None = None
    best: Better | None = None
    infeasible: bool = False
    word_of: str = ""
    checks: tuple[Check, ...] = ()
    boxes: tuple[BoxCount, ...] = ()

    def decides(self, limit: Fraction | None) -> bool:
        """Return whether it tells if anything costs less than a limit; without one, if there is any plan."""
        if limit is None:
            return self.infeasible or self.best is not None
        cheaper = self.best is not None and self.best.objective < limit
        return cheaper or (self.bound is not None and self.bound >= limit)


@dataclass(frozen=True, repr=False)
class Verdict:
    """What is true of a claim.

    Parameters
    ----------
    checks
        In order; the first that fails ends it.
    breakdown, leaf_exact
        Where the plan's bytes go, by the instance's accounting and by the leaves' own boxes; None without a
        legal plan, and of strategy graphs; the latter also where adds are as released.
    bound
        The best proven lower bound on the objective, or None.
    better
        A plan that refutes the claim.
    judged
        What a strategy graph's plan costs and uses.
    splits
        What a plan splits unevenly, which makes no claim false.
    boxes
        The boxes of shares that came with the plan.
    """

    checks: tuple[Check, ...]
    breakdown: Breakdown | None = None
    leaf_exact: Breakdown | None = None
    bound: Fraction | None = None
    better: Better | None = None
    judged: Judged | None = None
    splits: tuple[Split, ...] = ()
    boxes: tuple[BoxCount, ...] = ()

    def __repr__(self) -> str:
        said = "; ".join(f"{check.name} {check.outcome.value}" for check in self.checks)
        return f"Verdict({self.outcome.value}: {readable(said)})"

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


class Question(NamedTuple):
    """Whether nothing of a kind has an objective below a limit.

    Parameters
    ----------
    name
        Of the check: `optimality`, or `lower bound` where no more than a bound is claimed.
    limit
        The objective, or the bound, that is claimed.
    whose
        The kind, as `plan`.
    unit
        Of the objective, if it has one.
    """

    name: str
    limit: Fraction
    whose: str
    unit: str

    def claimed(self, limit: str) -> str:
        """Return what the limit is, where it is not the plan's own objective."""
        return f"the claimed bound {limit}" if self.name == LOWER_BOUND else limit


def judged(verdict: Verdict, evidence: Evidence, question: Question) -> Verdict:
    """Decide whether nothing of a kind has an objective below a limit."""
    verdict = _with_evidence(verdict, evidence)
    if verdict.outcome is CheckOutcome.REFUTED:
        return verdict
    best, bound = evidence.best, evidence.bound
    name, limit, whose, unit = question
    if best is not None and best.objective < limit:
        found, claimed = amounts_apart(best.objective, limit, unit)
        text = f"{best.source} has a plan with the objective {found}, below {question.claimed(claimed)}"
        return ended(verdict, Check(name, CheckOutcome.REFUTED, text), bound, best)
    if bound is not None and bound >= limit:
        text = f"no {whose} is below {question.claimed(amount(limit, unit))}: {evidence.text}"
        return ended(verdict, Check(name, CheckOutcome.CONFIRMED, text), bound)
    known, claimed = ("", amount(limit, unit)) if bound is None else amounts_apart(bound, limit, unit)
    best_known = f"the best bound known is {known}" if known else "no bound is known"
    text = f"is no {whose} below {question.claimed(claimed)}? {best_known}: {evidence.text}"
    return ended(verdict, Check(name, CheckOutcome.UNDECIDED, text), bound)


def of_no_plan(evidence: Evidence, unit: str) -> Verdict:
    """Decide whether there is no plan.

    Parameters
    ----------
    unit
        Of the objective, if it has one.
    """
    verdict = _with_evidence(Verdict(()), evidence)
    if verdict.outcome is CheckOutcome.REFUTED:
        return verdict
    if evidence.infeasible:
        return ended(verdict, _no_plan(CheckOutcome.CONFIRMED, f"there is no plan: {evidence.text}"), None)
    best = evidence.best
    if best is not None:
        text = f"there is a plan, with the objective {amount(best.objective, unit)}, by {best.source}"
        return ended(verdict, _no_plan(CheckOutcome.REFUTED, text), evidence.bound, best)
    return ended(verdict, _no_plan(CheckOutcome.UNDECIDED, f"is there no plan? {evidence.text}"), evidence.bound)


def _with_evidence(verdict: Verdict, evidence: Evidence) -> Verdict:
    """Return a verdict with what was checked of the evidence."""
    return replace(verdict, checks=(*verdict.checks, *evidence.checks), boxes=evidence.boxes)


def _no_plan(outcome: CheckOutcome, text: str) -> Check:
    return Check("infeasibility", outcome, text)


def ended(verdict: Verdict, last: Check, bound: Fraction | None, better: Better | None = None) -> Verdict:
    """Return a verdict with its last check, of what is claimed of all plans."""
    return replace(verdict, checks=(*verdict.checks, last), bound=bound, better=better)


def certificate_check(checked: Checked, unit: str) -> Check:
    """Return what a certificate says of itself; one that fails leaves the plan's own claim open.

    Parameters
    ----------
    unit
        Of the objective, if it has one.
    """
    if checked.proven:
        return Check("certificate", CheckOutcome.CONFIRMED, f"proves the bound {amount(checked.bound, unit)}")
    text = "; ".join(checked.faults)
    return Check("certificate", CheckOutcome.UNDECIDED, f"{text}; without it evidence is made anew")
