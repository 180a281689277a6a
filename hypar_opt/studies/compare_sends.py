"""Two schedules of one collective: which chunks go other ways or at other times, and what each schedule comes to."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.verification.checks import judged_plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.instance.collective import Send
    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.studies.compared_problems import FieldDifference
    from hypar_opt.verification.claim import Claim


@dataclass(frozen=True)
class ChangedChunk:
    """A chunk that two schedules do not send alike.

    Parameters
    ----------
    chunk
        Its number.
    rerouted
        Whether it takes other links; else the same ones at other times.
    sends
        How many either schedule has of it.
    over
        When the last of them has arrived, in steps or seconds.
    """

    chunk: int
    rerouted: bool
    sends: tuple[int, int]
    over: tuple[Fraction, Fraction]


@dataclass(frozen=True)
class SendComparison:
    """Two schedules of one collective.

    Parameters
    ----------
    problem
        Whose.
    claims, judged
        The plans, and what is true of each.
    """

    problem: CollectiveProblem
    claims: tuple[Claim, Claim]
    judged: tuple[JudgedCollective, JudgedCollective]

    @cached_property
    def changed(self) -> tuple[ChangedChunk, ...]:
        """Chunks that are not sent alike, those first whose end moves most."""
        first, second = (_by_chunk(one) for one in self.judged)
        found = []
        for chunk in range(len(self.problem.instance.chunks)):
            own, other = first.get(chunk, []), second.get(chunk, [])
            if sorted(own) == sorted(other):
                continue
            ways = [sorted((one.route, one.adds) for one in sends) for sends in (own, other)]
            over = _over(own), _over(other)
            found.append(ChangedChunk(chunk, ways[0] != ways[1], (len(own), len(other)), over))
        return tuple(sorted(found, key=lambda one: (-abs(one.over[1] - one.over[0]), not one.rerouted, one.chunk)))

    @property
    def more(self) -> Fraction:
        """What the second schedule takes more than the first."""
        return self.judged[1].objective - self.judged[0].objective

    def to_frame(self) -> pd.DataFrame:
        """Return a row a chunk that is not sent alike: its sends, and when it is everywhere, in either schedule."""
        import pandas as pd

        names = [chunk.name for chunk in self.problem.instance.chunks]
        rows = [(names[one.chunk], one.rerouted, *one.sends, *map(float, one.over)) for one in self.changed]
        columns = ["chunk", "rerouted", "first_sends", "second_sends", "first_over", "second_over"]
        return pd.DataFrame(rows, columns=columns)


def _by_chunk(judged: JudgedCollective) -> Mapping[int, list[Send]]:
    found: dict[int, list[Send]] = {}
    for one in judged.schedule.sends:
        found.setdefault(one.chunk, []).append(one)
    return found


def _over(sends: list[Send]) -> Fraction:
    return Fraction(max((one.end for one in sends), default=0))


def compare_sends(
    problems: tuple[CollectiveProblem, CollectiveProblem],
    differing: tuple[FieldDifference, ...],
    claims: tuple[Claim, Claim],
) -> SendComparison:
    """Say which chunks two schedules send otherwise.

    Parameters
    ----------
    problems
        One, twice.
    differing
        In what they differ: nothing, as a collective has no overrides.
    claims
        Of the plans.

    Raises
    ------
    InputError
        If one is no schedule of the collective.
    """
    problem = problems[0]
    first, second = (judged_plan(problem.judged, claim, "a plan to compare") for claim in claims)
    return SendComparison(problem, claims, (first, second))
