"""Gradients that share a link between the backward pass of a step and the forward pass of the next one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Gradient:
    """The gradient of a layer, or of several that are sent together.

    Parameters
    ----------
    name
        Of the layer.
    ready
        When it is computed, in seconds from the begin of the backward pass.
    seconds
        How long the link needs for all of it, without a start-up.
    forward
        Seconds of the next forward pass from this layer up to the next one that has a gradient.
    """

    name: str
    ready: Fraction
    seconds: Fraction
    forward: Fraction


@dataclass(frozen=True)
class TransferProblem:
    """Gradients of a step, one link, and the forward pass that waits for them.

    The end of the forward pass is the longest chain of what waits for each other (`end`): the pass in one go behind
    the backward pass, or a gradient's arrival and the pass from its layer on, its *tail*. So this is one machine with
    release dates and delivery times, 1 | r | max (C + q), where who is ready last has the longest tail.

    Parameters
    ----------
    name
        What it is called.
    gradients
        In the order of the forward pass, each ready no later than those ahead of it.
    backward
        When the backward pass is over.
    lead
        Seconds of the forward pass ahead of the first layer that has a gradient.
    start_up
        Seconds of the link that a message costs besides its bytes.

    Raises
    ------
    ValueError
        If there is no gradient, one is ready later than one ahead of it or than the backward pass is over, the link
        needs no time for one, or something takes less than no time.
    """

    name: str
    gradients: tuple[Gradient, ...]
    backward: Fraction
    lead: Fraction = Fraction(0)
    start_up: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not self.gradients:
            raise ValueError("expected at least one gradient")
        later = next((one.name for first, one in pairwise(self.gradients) if one.ready > first.ready), None)
        if later is not None:
            raise ValueError(f"the gradient of {later} is ready later than one of a layer ahead of it")
        if self.backward < self.gradients[0].ready:
            raise ValueError("the backward pass is over before all gradients are ready")
        each = [value for one in self.gradients for value in (one.ready, one.forward)]
        if min((*each, self.lead, self.start_up)) < 0:
            raise ValueError("expected times of at least 0")
        if min(one.seconds for one in self.gradients) <= 0:
            raise ValueError("expected gradients that take the link more than 0 seconds")

    @cached_property
    def tails(self) -> tuple[Fraction, ...]:
        """By gradient, the seconds of the forward pass from its layer on."""
        behind = accumulate(one.forward for one in reversed(self.gradients))
        return tuple(reversed(list(behind)))

    @cached_property
    def unhindered(self) -> Fraction:
        """When the forward pass would end if gradients took no time."""
        return self.backward + self.lead + self.tails[0]

    def end(self, arrivals: Sequence[Fraction]) -> Fraction:
        """Return when the forward pass ends: max(unhindered, max over gradients of arrival + tail).

        Parameters
        ----------
        arrivals
            By gradient, when all of it is there.
        """
        late = (arrival + tail for arrival, tail in zip(arrivals, self.tails, strict=True))
        return max(self.unhindered, *late)

    @property
    def sent_seconds(self) -> Fraction:
        """How long the link needs for all gradients, without start-ups."""
        return sum((one.seconds for one in self.gradients), start=Fraction(0))
