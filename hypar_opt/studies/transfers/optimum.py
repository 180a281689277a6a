r"""The least end with gradients cut anywhere and a start-up a message: exactly, in polynomial time.

Gradients are 1 to n in the order of the forward pass, $r_1 \ge \dots \ge r_n$ when they are ready, $p_j$ their seconds,
$q_1 \ge \dots \ge q_n$ the tails, s the start-up, $G(m) = \max_{j \le m} (p_1 + \dots + p_j + q_j)$.

1.  Messages may begin when a gradient becomes ready, and then only. If one is under way at such a moment, what it has
    not sent can go in the next message, begun at that moment instead of later; if it has sent nothing, it can go as a
    whole, and a start-up is saved. Behind $r_1$ one message takes all that is left, the first layer's gradient first.
2.  Messages that begin at $r_k$ for k in a chain 1 = k_1 < k_2 < ... cut the time; what each takes is best chosen by
    priority (Jackson's rule with preemption). Of two neighbours k < k' of the chain, gradients below k' go at $r_k$ or
    later, as do the start-ups of k and of the c - 1 behind it, so the end is at least

        r_k + c s + G(k' - 1)

    and the largest of these is attained: it is the busy time of the link up to the gradient that is waited for.
3.  So the best chain is a path on which the largest of such weights is least, by number of messages.

Without start-ups all moments are in the chain, and the end is the greatest $r_k + G(k)$: what priority with preemption
attains. Nothing is better than priority then.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hypar_opt.studies.transfers.messages import GradientMessage, GradientPart, SentMessages
from hypar_opt.studies.transfers.ticks import Ticks

if TYPE_CHECKING:
    from hypar_opt.studies.transfers.problem import TransferProblem


def least_end(problem: TransferProblem) -> Fraction:
    """Return the least time at which the next forward pass can end, whatever is cut."""
    return best_messages(problem).end


def best_messages(problem: TransferProblem) -> SentMessages:
    """Return messages with which the next forward pass ends as early as with any."""
    ticks = Ticks.of(problem)
    return _sent(problem, _chain(ticks))


def _chain(ticks: Ticks) -> tuple[int, ...]:
    """Return with which gradients' being ready a message begins, the first layer's first."""
    count, start_up, ready = len(ticks.ready), ticks.start_up, ticks.ready
    works = ticks.works
    floor = max(ticks.unhindered, *(time + start_up + work for time, work in zip(ready, works, strict=True)))
    best = max(floor, ready[0] + start_up + works[-1])
    chain: tuple[int, ...] = (0,)
    reached: dict[int, tuple[int, tuple[int, ...]]] = {0: (floor, (0,))}
    known = dict.fromkeys(range(count), best)  # by gradient, the least weight with fewer messages
    messages = 1
    while reached and best > floor:
        following: dict[int, tuple[int, tuple[int, ...]]] = {}
        for place, (so_far, links) in reached.items():
            begun = ready[place] + messages * start_up
            ended = max(so_far, begun + works[-1])
            if ended < best:
                best, chain = ended, links
            for other in range(place + 1, count):
                weight = max(so_far, begun + works[other - 1])
                if weight >= best:
                    break  # works do not decrease
                if weight < known[other]:
                    known[other] = weight
                    following[other] = (weight, (*links, other))
        reached, messages = following, messages + 1
    return chain


def _sent(problem: TransferProblem, chain: tuple[int, ...]) -> SentMessages:
    """Return the messages that begin with the gradients of a chain, each with what is ready, by priority."""
    left = [one.seconds for one in problem.gradients]
    begins = [*(problem.gradients[place].ready for place in reversed(chain)), None]
    messages = []
    for begin, end in pairwise(begins):
        assert begin is not None
        room = None if end is None else end - begin - problem.start_up
        parts = []
        for place, one in enumerate(problem.gradients):
            size = left[place] if room is None else min(left[place], room)
            if one.ready <= begin and size > 0:
                parts.append(GradientPart(place, size))
                left[place] -= size
                room = None if room is None else room - size
        if parts:
            messages.append(GradientMessage(begin, tuple(parts)))
    return SentMessages(problem, tuple(messages))
