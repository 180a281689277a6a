"""What stages take at least, and at most."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph

_BYTES_OF_MANY_DIGITS: Final = 44
"""Of an integer of Python's, beside where it is."""
LONGEST: Final = 2**61
"""What all times of a graph may add up to, for sums of 64 bits."""


def number_type(graph: StageGraph) -> type:
    """Return of which type sums of times are: of 64 bits where these hold all, else Python's integers, far slower."""
    return np.int64 if upper_bound(graph) < LONGEST else object


def number_bytes(graph: StageGraph) -> int:
    """Return what a time takes in a table."""
    return 8 if number_type(graph) is np.int64 else 8 + _BYTES_OF_MANY_DIGITS


def bytes_a_state(graph: StageGraph) -> int:
    """Return what a state takes in the tables over down-sets: a time, where it came from, and by which way."""
    return number_bytes(graph) + 6


def beyond(graph: StageGraph) -> int:
    """Return more than any sum of stages' times comes to."""
    return 2 * LONGEST if number_type(graph) is np.int64 else 2 * (graph.devices + 1) * upper_bound(graph)


def upper_bound(graph: StageGraph) -> int:
    """Return what no stage takes more than, whatever it has."""
    if graph.given_times is not None:
        return graph.given_times.most
    return max(
        sum(option.slowest) + sum(map(int, np.maximum(option.transfers, option.sending))) for option in graph.options
    )


def lower_bound(graph: StageGraph) -> int:
    """Return what no plan costs less than: all groups where they take least, as evenly as devices' shares allow."""
    times = [int(one) for one in least_times(graph)]
    effort = sum(int(one) for one in least_times(graph, of_devices=True))
    room = sum((count * share for count, share in zip(graph.counts, shares(graph), strict=True)), start=Fraction(0))
    longest = max(ceil(effort / room) if room else 0, max(times, default=0))
    return graph.sum_weight * sum(times) + graph.max_weight * longest


def shares(graph: StageGraph) -> tuple[Fraction, ...]:
    """Return by kind the most that a group's effort, where that is least, is of its effort on that kind.

    In a time T a device of the kind has room for no more of least efforts than its share of T.
    """
    efforts = least_times(graph, of_devices=True).tolist()
    found = [Fraction(0)] * len(graph.counts)
    for option in graph.options:
        able = zip(efforts, option.times.tolist(), option.allowed.tolist(), strict=True)
        own = [Fraction(effort, time * option.devices) for effort, time, allowed in able if allowed and time]
        found[option.kind] = max([found[option.kind], *own])
    return tuple(found)


def homeless(graph: StageGraph) -> str | None:
    """Return a group that no device may have; None where each has one."""
    able = np.logical_or.reduce([option.allowed for option in graph.options])
    return next((name for name, found in zip(graph.names, able.tolist(), strict=True) if not found), None)


def least_times(graph: StageGraph, *, of_devices: bool = False) -> Array:
    """Return by group what it takes where it takes least, or that times the devices; very much where it may be nowhere.

    Very much is more than any stage takes.
    """
    exact = number_type(graph)
    barred: Array = np.array(beyond(graph) // 4, dtype=exact)
    times = [
        np.where(option.allowed, option.times.astype(exact) * (option.devices if of_devices else 1), barred)
        for option in graph.options
    ]
    least: Array = np.min(times, axis=0)
    return least
