"""A collective's schedule, simulated, with what it takes in lockstep by the sums."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.studies.simulation.collective.transfers import transfers_of
from hypar_opt.studies.simulation.collective.waiting import LinkWaiting, link_waiting
from hypar_opt.studies.simulation.engine import simulate
from hypar_opt.studies.simulation.tasks import Options
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.studies.simulation.collective.message_format import MessageFormat
    from hypar_opt.studies.simulation.collective.transfers import Sending
    from hypar_opt.studies.simulation.result import Simulation


@dataclass(frozen=True, repr=False)
class SimulatedCollective:
    """A simulated schedule.

    Parameters
    ----------
    judged
        The schedule, recounted.
    sending
        When sends went.
    bytes_on_link
        What a chunk took of a link by itself, with heads; of joined messages heads are those of all their bytes.
    simulation
        Every send and link.
    """

    judged: JudgedCollective
    sending: Sending
    bytes_on_link: Fraction
    simulation: Simulation

    def __repr__(self) -> str:
        return f"SimulatedCollective({self.sending}, {self.simulation!r})"

    @property
    def time(self) -> Fraction:
        """Seconds until all is where it has to be."""
        return self.simulation.time

    @cached_property
    def analytic(self) -> Fraction:
        """Seconds of the schedule by sums: in lockstep step by step; of one in seconds its own, without heads."""
        lockstep = self.judged.lockstep
        return self.judged.seconds or Fraction(0) if lockstep is None else lockstep.seconds(self.bytes_on_link)

    @cached_property
    def waiting(self) -> LinkWaiting:
        """For links that others had."""
        return link_waiting(self.simulation, lockstep=self.sending == "lockstep")


def simulate_collective(
    judged: JudgedCollective,
    sending: Sending = "lockstep",
    message: MessageFormat | None = None,
    options: Options | None = None,
    *,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> SimulatedCollective:
    """Simulate a schedule of a collective.

    Parameters
    ----------
    judged
        The schedule; nothing may be wrong with it.
    sending
        When sends go.
    message
        How links carry what is sent; None counts its bytes alone.
    options
        How links are taken; what overlaps is said by `sending`.
    limits, listener
        See `simulate`.

    Raises
    ------
    InputError
        If something is wrong with the schedule, or a link has no bandwidth.
    Refusal
        See `transfers_of`.
    Deadlock, SimulationStopped
        See `simulate`.
    """
    instance = judged.instance
    if judged.fault is not None:
        raise InputError(judged.fault.text, field="plan")
    if not instance.is_timed:
        raise InputError("missing; expected bytes a second, to know how long sends take", field="array.link.bandwidth")
    size = instance.chunk_bytes if message is None else message.bytes_on_link(instance.chunk_bytes)
    graph = transfers_of(judged, sending, message, limits)
    options = replace(options or Options(), overlap="none" if sending == "lockstep" else "full")
    found = simulate(graph, instance.machine, options, limits=limits, listener=listener)
    return SimulatedCollective(judged, sending, size, found)
