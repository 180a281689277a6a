"""Messages of gradients on the link, and what they bring about."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hypar_opt.studies.transfers.problem import TransferProblem


class GradientPart(NamedTuple):
    """Some of a gradient in a message.

    Parameters
    ----------
    gradient
        Which one, from 0 in the order of the forward pass.
    seconds
        How long it takes on the link.
    """

    gradient: int
    seconds: Fraction


class GradientMessage(NamedTuple):
    """Parts that go one after another behind one start-up; each is there as soon as its own bytes are.

    Parameters
    ----------
    begin
        When its start-up begins. All of its parts are ready by then.
    parts
        In the order in which they go.
    """

    begin: Fraction
    parts: tuple[GradientPart, ...]


@dataclass(frozen=True)
class SentMessages:
    """All messages of a step, in order."""

    problem: TransferProblem
    messages: tuple[GradientMessage, ...]

    @cached_property
    def arrivals(self) -> tuple[Fraction, ...]:
        """By gradient, when its last part is there."""
        found = [one.ready for one in self.problem.gradients]
        for message in self.messages:
            time = message.begin + self.problem.start_up
            for part in message.parts:
                time += part.seconds
                found[part.gradient] = max(found[part.gradient], time)
        return tuple(found)

    @property
    def end(self) -> Fraction:
        """When the next forward pass ends."""
        return self.problem.end(self.arrivals)

    @property
    def fault(self) -> str | None:
        """What is wrong: a part that is not ready, two messages at once, or a gradient that is not sent as a whole."""
        free = Fraction(0)
        sent: dict[int, Fraction] = defaultdict(Fraction)
        gradients = self.problem.gradients
        for number, message in enumerate(self.messages, start=1):
            if message.begin < free:
                return f"message {number} begins before the link is free"
            free = message.begin + self.problem.start_up
            for part in message.parts:
                if message.begin < gradients[part.gradient].ready:
                    return f"message {number} begins before the gradient of {gradients[part.gradient].name} is ready"
                sent[part.gradient] += part.seconds
                free += part.seconds
        other = next((one for place, one in enumerate(gradients) if sent[place] != one.seconds), None)
        return None if other is None else f"of the gradient of {other.name} more or less than all is sent"
