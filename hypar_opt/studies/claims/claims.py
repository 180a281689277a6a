"""Claims as read: each with the instances that it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence
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
        size = len(self.spec.names)
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
