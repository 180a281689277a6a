"""Which of a report's instances every given plan is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.problem import Problem
    from hypar_opt.reporting.given import Given


def shared_out(problems: Sequence[Problem], given: Sequence[Given]) -> list[list[Given]]:
    """Return every instance's plans, each checked against it.

    Raises
    ------
    InputError
        If a plan is of none of them, or is not what it claims.
    """
    found: list[list[Given]] = [[] for _ in problems]
    for one in given:
        named = [at for at, problem in enumerate(problems) if problem.instance.name == one.claim.instance]
        if not named:
            names = ", ".join(problem.instance.name for problem in problems)
            raise InputError(
                f"is a plan of '{one.claim.instance}', the report is of {names}", file=one.path, field="instance"
            )
        alike = [at for at in named if dict(problems[at].instance.overrides) == dict(one.claim.overrides)]
        at = (alike or named)[0]
        one.check(problems[at])
        found[at].append(one)
    return found
