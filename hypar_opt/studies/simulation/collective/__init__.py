"""Schedules of collectives on the event-driven simulator: in lockstep, or each send as soon as it can."""

from hypar_opt.studies.simulation.collective.message_format import MessageFormat
from hypar_opt.studies.simulation.collective.run import SimulatedCollective, simulate_collective
from hypar_opt.studies.simulation.collective.transfers import SENDS, Sending, joins, transfers_of
from hypar_opt.studies.simulation.collective.waiting import LinkWaiting

__all__ = [
    "SENDS",
    "LinkWaiting",
    "MessageFormat",
    "Sending",
    "SimulatedCollective",
    "joins",
    "simulate_collective",
    "transfers_of",
]
