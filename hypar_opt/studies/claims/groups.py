"""Claims cut into groups that share solves: each can be judged by itself, wherever that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.claims.auditor import judged
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.plans import PlanCache

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from hypar_opt.formulation.run import Limits

ARRAY: Final = 4
"""A schedule takes as long as so many solves of instances do."""


@dataclass(frozen=True)
class ClaimGroup:
    """Claims that are judged together, one after the other.

    Parameters
    ----------
    claims
        In their file's order; none is about other claims.
    time_limit_s
        Of each solve.
    """

    claims: tuple[PublishedClaim, ...]
    time_limit_s: float | None = None

    @property
    def alone(self) -> Iterator[ClaimGroup]:
        """A group of each claim."""
        return (ClaimGroup((claim,), self.time_limit_s) for claim in self.claims)

    @property
    def weight(self) -> int:
        """Roughly how long it takes: what has most is begun first, so that little is left for the end."""
        return sum(len(claim.cases) + ARRAY * len(claim.statement.arrays_asked) for claim in self.claims)


def judge_group(group: ClaimGroup, limits: Limits) -> tuple[Judgement, ...]:
    """Judge the claims of a group; a stop leaves out the last of them."""
    plans = PlanCache(limits, group.time_limit_s)
    found: list[Judgement] = []
    for claim in group.claims:
        if limits.stop.is_set():
            break
        found.append(judged(claim, plans))
        if found[-1].verdict is ClaimVerdict.UNDECIDED and limits.stop.is_set():
            found.pop()  # the stop is why, and that is no verdict on the claim
            break
    return tuple(found)


def groups_of(claims: Iterable[PublishedClaim], time_limit_s: float | None = None) -> tuple[ClaimGroup, ...]:
    """Return the claims of one file in groups, the one that takes longest first.

    Claims on one instance are one group, whatever is replaced in it. Of claims on several, those are that are on the
    same ones with the same fields replaced: they ask for the same solves, and others for hardly any of them. Claims on
    arrays are one group where they have arrays in common: schedules are most of their work. Of a claim about others
    its parts are judged, whether they are among the claims or not.
    """
    wanted = {one.id: one for one in _with_parts(claims)}.values()
    joined = _joined(claim.statement.arrays_asked for claim in wanted)
    together: dict[Hashable, list[PublishedClaim]] = {}
    for claim in wanted:
        array = next(iter(claim.statement.arrays_asked), None)
        together.setdefault(_instances(claim) if array is None else joined[array], []).append(claim)
    found = [ClaimGroup(tuple(several), time_limit_s) for several in together.values()]
    return tuple(sorted(found, key=lambda group: -group.weight))


def _with_parts(claims: Iterable[PublishedClaim]) -> Iterator[PublishedClaim]:
    for claim in claims:
        if claim.parts:
            yield from _with_parts(claim.parts)
        else:
            yield claim


def _joined(sets: Iterable[frozenset[str]]) -> dict[str, str]:
    """Return of every member of sets one that stands for all that chains of sets join with it."""
    found: dict[str, str] = {}
    for one in sets:
        stand = {found.get(member, member) for member in one}
        first = min(stand, default="")
        found.update(dict.fromkeys(one, first))
        found.update({member: first for member, other in found.items() if other in stand})
    return found


def _instances(claim: PublishedClaim) -> Hashable:
    """Return what claims on the same instances have in common."""
    names = frozenset(case.given for case in claim.cases)
    return names if len(names) < 2 else frozenset(claim.cases)
