"""Claims about other claims of the same file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.instance.text import shown
from hypar_opt.studies.claims.locations import Located
from hypar_opt.studies.claims.model_statements import MeanOf
from hypar_opt.studies.claims.statement_parts import Numeric
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.formats import Document
    from hypar_opt.studies.claims.claims import PublishedClaim


def with_parts(claims: Sequence[PublishedClaim], document: Document) -> tuple[PublishedClaim, ...]:
    """Return claims with those that they are about.

    Raises
    ------
    InputError
        If there is no such claim, it comes twice, or it prints no number of its own.
    """
    known = {claim.id: claim for claim in claims}
    found = []
    for i, claim in enumerate(claims):
        if isinstance(claim.statement, MeanOf):
            place = Located(document, ("claims", i, claim.kind))
            found.append(replace(claim, parts=_parts(claim.statement, known, place)))
        else:
            found.append(claim)
    return tuple(found)


def _parts(statement: MeanOf, known: Mapping[str, PublishedClaim], place: Located) -> tuple[PublishedClaim, ...]:
    for k, name in enumerate(statement.claims):
        at = ("claims", k)
        if name not in known:
            raise place.error(f"no claim is called {shown(name)}{did_you_mean(name, known)}", at)
        if name in statement.claims[:k]:
            raise place.error(f"{shown(name)} comes twice", at)
        part = known[name].statement
        if isinstance(part, MeanOf) or not isinstance(part, Numeric):
            raise place.error(f"{shown(name)} prints no number of one plan, but states '{known[name].kind}'", at)
    return tuple(known[name] for name in statement.claims)
