"""What is said of a claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.studies.claims.claims import PublishedClaim


class ClaimVerdict(StrEnum):
    """Whether a claim holds."""

    CONFIRMED = "confirmed"
    """What was recomputed is what is claimed."""
    REFUTED = "refuted"
    """What was recomputed is not what is claimed."""
    NOT_REPRODUCIBLE = "not reproducible"
    """Nothing here can recompute it, or not yet."""
    UNDECIDED = "undecided"
    """It was not recomputed to its end: a limit, a formulation that declines, no proof either way."""


@dataclass(frozen=True)
class Judgement:
    """What an evaluator finds.

    Parameters
    ----------
    verdict
        Whether the claim holds.
    recomputed
        Beside what is printed, in short.
    why
        Of a verdict other than confirmed.
    evidence
        What the verdict rests on.
    command
        What shows the same with another command; empty for auditing this claim alone.
    details
        For machines: exact numbers, counterexamples.
    """

    verdict: ClaimVerdict
    recomputed: str = "-"
    why: str = ""
    evidence: str = ""
    command: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


class Settled(Exception):
    """Raised where a claim's judgement is clear before its numbers are.

    Parameters
    ----------
    judgement
        The judgement.
    """

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(judgement.why)
        self.judgement = judgement


class MissingPlan(Settled):
    """Raised where an instance has no plan: what is printed is of none, and there is none to be an optimum."""


@dataclass(frozen=True)
class ClaimRow:
    """A claim and what is said of it."""

    claim: PublishedClaim
    judgement: Judgement

    @property
    def verdict(self) -> ClaimVerdict:
        """Whether it holds."""
        return self.judgement.verdict

    @property
    def command(self) -> str:
        """One command that shows it."""
        return self.judgement.command or self.claim.command
