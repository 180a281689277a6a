"""A rule at work: whenever the link is free, it is asked for the next message."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.transfers.link import LinkState
from hypar_opt.studies.transfers.messages import GradientMessage, GradientPart, SentMessages

if TYPE_CHECKING:
    from hypar_opt.studies.transfers.problem import TransferProblem
    from hypar_opt.studies.transfers.rules.rule import TransferRule


def send_by(rule: TransferRule, problem: TransferProblem, chunk: Fraction) -> SentMessages:
    """Return the messages of a rule.

    Parameters
    ----------
    chunk
        Seconds of the largest part of a gradient that goes at once, above 0; whole gradients know of none.
    """
    left = {place: one.seconds for place, one in enumerate(problem.gradients)}
    time, messages = Fraction(0), []
    while left:
        ready = [GradientPart(place, size) for place, size in left.items() if problem.gradients[place].ready <= time]
        later = [problem.gradients[place].ready for place in left if problem.gradients[place].ready > time]
        following = min(later, default=None)
        state = LinkState(problem, time, ready, following, chunk)
        parts = rule.next_message(state) if ready else ()
        if not parts:
            if following is None:
                raise ValueError(f"the rule {rule.name} sends nothing, and there is nothing to wait for")
            time = following
            continue
        messages.append(GradientMessage(time, tuple(parts)))
        time += problem.start_up
        for part in parts:
            time += part.seconds
            left[part.gradient] -= part.seconds
            if not left[part.gradient]:
                del left[part.gradient]
    return SentMessages(problem, tuple(messages))
