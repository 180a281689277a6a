r"""The least end with whole gradients in blocks, one start-up a block.

Gradients are 1 to n in the order of the forward pass. The message with gradient 1 begins when all are ready. So

1.  behind it, no other message is needed: what is left goes in it, by the first layer, D seconds up to the last end;
2.  what goes before it is there before gradient 1, and has a shorter tail: of it only the time E counts at which the
    link is free, which is least where they go as they become ready, in blocks of neighbours.

    end = max(E, r_1) + s + p_1 + max(q_1, D)

What is left to choose is which gradients go before. From n to 2, one goes

    behind:                      D' = p + max(q, D)
    in front, ending its block:  E' = max(E, r) + s + w + p, w' = 0
    in front, its block open:    w' = w + p

and of two states the one that is nowhere less is dropped. That is pseudo-polynomial; no polynomial algorithm is to be
expected: with one gradient that is ready at half the sum of the others, and whose tail is that half, all others being
ready at 0 and without tails, it is Partition. A state is dropped as well where it ends no earlier than what is known
even if all that is left is cut anywhere and costs no start-up.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from hypar_opt.studies.transfers.messages import GradientMessage, GradientPart, SentMessages
from hypar_opt.studies.transfers.optimum import least_end
from hypar_opt.studies.transfers.ticks import Ticks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.studies.transfers.problem import TransferProblem

MOST_STATES: Final = 5_000
"""Kept at once; where more would be, the most promising are, and what the others could reach is the bound."""


@dataclass(frozen=True)
class WholeGradients:
    """The best messages that were found, and what none of whole gradients ends before.

    Parameters
    ----------
    sent
        The messages.
    bound
        Seconds; the messages' end where that is proven to be least.
    """

    sent: SentMessages
    bound: Fraction

    @property
    def is_optimal(self) -> bool:
        """Whether no messages of whole gradients end earlier."""
        return self.sent.end == self.bound


Choice: TypeAlias = "bool | None"
"""Of a gradient: None behind the first one, True in front at the end of its block, False in front with others."""
Choices: TypeAlias = "tuple[()] | tuple[Choice, Choices]"
"""A linked list: of gradients placed so far, the latest first."""


class _State(NamedTuple):
    """Gradients from the last one on are placed: blocks in front end at `free`, `open_` is in the next one."""

    free: int
    open_: int
    behind: int
    choices: Choices


def best_whole(problem: TransferProblem, known: Iterable[SentMessages] = (), most: int = MOST_STATES) -> WholeGradients:
    """Return the best messages of whole gradients.

    Parameters
    ----------
    known
        Messages of whole gradients: nothing that is no better than these is looked for.
    most
        States that are kept at once.
    """
    ticks = Ticks.of(problem)
    count = len(problem.gradients)
    best = min((*known, _sent(problem, (None,) * (count - 1))), key=lambda one: one.end)
    floor = least_end(problem)
    if best.end == floor:
        return WholeGradients(best, floor)
    least = int(best.end * ticks.unit)
    states, bound = [_State(0, 0, 0, ())], least
    below = _Below(ticks)
    for place in range(count - 1, 0, -1):
        following = [state for one in states for state in _placed(one, ticks, place) if below.end(state, place) < least]
        states = _undominated(following)
        if len(states) > most:
            states.sort(key=lambda state: below.end(state, place))
            bound = min(bound, below.end(states[most], place))
            states = states[:most]
    for state in states:
        end = _end(state, ticks)
        if end < least and not state.open_:
            least, best = end, _sent(problem, _listed(state.choices))
    return WholeGradients(best, max(floor, Fraction(min(bound, least), ticks.unit)))


def _placed(one: _State, ticks: Ticks, place: int) -> list[_State]:
    """Return what becomes of a state with another gradient; the link is used when the next is ready, no earlier."""
    size, ready, tail = ticks.seconds[place], ticks.ready[place], ticks.tails[place]
    behind = _State(one.free, one.open_, size + max(tail, one.behind), (None, one.choices))
    free = max(one.free, ready) + ticks.start_up + one.open_ + size
    ended = _State(max(free, ticks.ready[place - 1]), 0, one.behind, (True, one.choices))
    if not ticks.start_up:
        return [behind, ended]
    return [behind, ended, _State(one.free, one.open_ + size, one.behind, (False, one.choices))]


def _end(state: _State, ticks: Ticks) -> int:
    first = max(state.free, ticks.ready[0]) + ticks.start_up + ticks.seconds[0]
    return max(ticks.unhindered, first + max(ticks.tails[0], state.behind))


def _undominated(states: Sequence[_State]) -> list[_State]:
    """Return the states of which none other is nowhere more."""
    found: list[_State] = []
    opens: list[int] = []  # a staircase of those found: ascending, and what is behind of each descending
    behinds: list[int] = []
    for state in sorted(states, key=lambda one: one[:3]):
        at = bisect_right(opens, state.open_)
        if at and behinds[at - 1] <= state.behind:
            continue
        found.append(state)
        until = at
        while until < len(opens) and behinds[until] >= state.behind:
            until += 1
        if at and opens[at - 1] == state.open_:
            at -= 1
        opens[at:until], behinds[at:until] = [state.open_], [state.behind]
    return found


class _Below:
    """What the end is not below, if gradients that are not placed are cut anywhere and cost no start-up."""

    def __init__(self, ticks: Ticks) -> None:
        self.ticks = ticks
        both = zip(ticks.ready, ticks.works, ticks.sums, strict=True)
        each = [(ready + work, ready + done) for ready, work, done in both]
        self.works = list(accumulate((work for work, _ in each), max))
        self.sums = list(accumulate((done for _, done in each), max))

    def end(self, state: _State, place: int) -> int:
        """Return a bound of a state in which gradients from `place` on, counted from 0, are placed."""
        ticks = self.ticks
        free = state.free + (state.open_ + ticks.start_up if state.open_ else 0)
        last = place - 1
        behind = max(self.works[last], self.sums[last] + state.behind)
        in_turn = free + max(ticks.works[last], ticks.sums[last] + state.behind)
        return max(ticks.unhindered, ticks.start_up + max(behind, in_turn))


def _listed(choices: Choices) -> tuple[Choice, ...]:
    """Return what was decided of gradients 2 to n."""
    found: list[Choice] = []
    while choices:
        choice, choices = choices
        found.append(choice)
    return tuple(found)


def _sent(problem: TransferProblem, choices: Sequence[Choice]) -> SentMessages:
    """Return messages: what goes in front as it becomes ready, in blocks, and all else behind the first gradient."""
    free, block, messages = Fraction(0), [], []
    each = problem.gradients
    for place in range(len(each) - 1, 0, -1):
        choice = choices[place - 1]
        if choice is not None:
            block.append(GradientPart(place, each[place].seconds))
        if choice:
            messages.append(GradientMessage(max(free, each[place].ready), tuple(reversed(block))))
            free = messages[-1].begin + problem.start_up + sum(part.seconds for part in block)
            block = []
    left = [0, *(place for place, choice in enumerate(choices, start=1) if choice is None)]
    last = tuple(GradientPart(place, each[place].seconds) for place in left)
    return SentMessages(problem, (*messages, GradientMessage(max(free, each[0].ready), last)))
