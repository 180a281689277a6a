"""From seconds and bytes by layer to a problem of transfers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.transfers.problem import Gradient, TransferProblem

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class StepLayer:
    """What a worker does of a layer in a data-parallel step.

    Parameters
    ----------
    name
        Of the layer.
    forward, backward
        Seconds; the update by the gradients of all workers counts as forward, for it waits for these.
    size
        Bytes of its gradient; 0 without parameters.
    """

    name: str
    forward: Fraction
    backward: Fraction
    size: Fraction


@dataclass(frozen=True)
class DataParallelStep:
    """A step of which each worker does all layers, on samples of its own.

    Parameters
    ----------
    name
        What it is called.
    layers
        In the order of the forward pass; the backward pass goes the other way round.
    workers
        How many there are.
    bandwidth
        Bytes a second of the slowest link; None where that is not known.
    """

    name: str
    layers: tuple[StepLayer, ...]
    workers: int
    bandwidth: Fraction | None

    @property
    def computing(self) -> Fraction:
        """Seconds of both passes."""
        return sum((one.forward + one.backward for one in self.layers), start=Fraction(0))

    @property
    def sent(self) -> Fraction:
        """Bytes that a worker sends of all gradients around a ring: 2 (m - 1) / m of them, m the workers."""
        return 2 * Fraction(self.workers - 1, self.workers) * sum((one.size for one in self.layers), start=Fraction(0))

    def problem(self, bandwidth: Fraction, start_up: Fraction = Fraction(0)) -> TransferProblem:
        """Return when gradients are ready and how long a link of so many bytes a second needs for them.

        A gradient is ready when its layer's backward computing is done, all of it.

        Raises
        ------
        ValueError
            If there is nothing to send.
        """
        pace = 2 * Fraction(self.workers - 1, self.workers) / bandwidth
        time, ready = Fraction(0), []
        for layer in reversed(self.layers):
            time += layer.backward
            ready.append(time)
        ready.reverse()
        sends = [place for place, layer in enumerate(self.layers) if layer.size and pace]
        gradients = [
            Gradient(
                self.layers[place].name,
                ready[place],
                self.layers[place].size * pace,
                _forward(self.layers[place:until]),
            )
            for place, until in zip(sends, [*sends[1:], len(self.layers)], strict=True)
        ]
        lead = _forward(self.layers[: sends[0]]) if sends else Fraction(0)
        return TransferProblem(self.name, tuple(gradients), time, lead, start_up)


def _forward(layers: Sequence[StepLayer]) -> Fraction:
    return sum((one.forward for one in layers), start=Fraction(0))
