"""Claims as read, each with the instances that it is about, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hypar_opt.studies.claims.replacements import Case
    from hypar_opt.studies.claims.schema import ClaimSpec
    from hypar_opt.studies.claims.statement_parts import Statement


@dataclass(frozen=True)
class PublishedClaim:
    """A claim that can be judged.

    Parameters
    ----------
    spec
        As its file says it.
    cases
        The instances, all by the first reading of the statement, then all by the next.
    command
        What judges this claim alone.
    parts
        Other claims of the file that the statement is about.
    """

    spec: ClaimSpec
    cases: tuple[Case, ...]
    command: str
    parts: tuple[PublishedClaim, ...] = ()

    @property
    def id(self) -> str:
        """Its name."""
        return self.spec.id

    @property
    def kind(self) -> str:
        """The kind of its statement."""
        return self.spec.kind

    @property
    def statement(self) -> Statement:
        """What it states."""
        return self.spec.statement

    @property
    def by_reading(self) -> tuple[tuple[Case, ...], ...]:
        """The cases of each reading."""
        size = len(self.spec.names) or 1
        return tuple(self.cases[i : i + size] for i in range(0, len(self.cases), size))

    @property
    def subjects(self) -> tuple[Case, ...]:
        """The cases that the plan which the statement names is of."""
        return tuple(case for cases in self.by_reading[:: self.statement.together] for case in cases)


@dataclass(frozen=True)
class Claims:
    """A claims file.

    Parameters
    ----------
    title, source
        What the claims are of, and a citation.
    path
        The file.
    claims
        In the file's order.
    """

    title: str
    source: str
    path: Path
    claims: tuple[PublishedClaim, ...]

    def only(self, ids: Sequence[str]) -> Claims:
        """Return the claims of some ids, in the file's order; all where none is named.

        Raises
        ------
        InputError
            If no claim is called so.
        """
        known = {claim.id for claim in self.claims}
        for one in ids:
            if one not in known:
                raise InputError(f"no claim is called '{one}'{did_you_mean(one, known)}", field="--only")
        return replace(self, claims=tuple(claim for claim in self.claims if not ids or claim.id in ids))


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

    @classmethod
    def confirmed_unless(
        cls, why: str, recomputed: str, evidence: str, details: Mapping[str, Any], command: str = ""
    ) -> Judgement:
        """Return that a claim is refuted where something is said against it, else that it is confirmed."""
        verdict = ClaimVerdict.REFUTED if why else ClaimVerdict.CONFIRMED
        return cls(verdict, recomputed, why, evidence, command, details)


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
