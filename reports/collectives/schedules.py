"""Arrays, sizes and formats of the study, and their schedules."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from random import Random

from hypar_opt import solve
from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.instance.collective import read_collective
from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.studies.simulation import TaskGraph, simulate
from hypar_opt.studies.simulation.collective import MessageFormat, transfers_of
from hypar_opt.studies.simulation.tasks import Options
from hypar_opt.util.errors import InputError

ARRAYS = {
    "torus 4x4": {"topology": "torus", "dims": [4, 4]},
    "torus 8x8": {"topology": "torus", "dims": [8, 8]},
    "mesh 4x4": {"topology": "mesh", "dims": [4, 4]},
    "mesh 8x8": {"topology": "mesh", "dims": [8, 8]},
    "BiGraph of 32": {"topology": "bigraph", "switches": 4, "accelerators": 32},
    "BiGraph of 64": {"topology": "bigraph", "switches": 8, "accelerators": 64},
    "fat tree of 16": {"topology": "fat-tree", "ports": 4},
    "fat tree of 54": {"topology": "fat-tree", "ports": 6},
}
SIZES = {"256 KiB": 2**18, "4 MiB": 2**22, "64 MiB": 2**26}
"""Of all chunks together; 54 accelerators have chunks that are no whole number of bytes."""
CLOCK = 10**9
"""Cycles a second."""
LINK = {"bandwidth": 16 * CLOCK, "latency": Decimal("0.00000015")}
"""A flit of 16 bytes a cycle, and 150 cycles of latency (the setting of MultiTree's authors)."""
PACKETS, MESSAGE = MessageFormat(16, 16), MessageFormat(16)
"""Messages of 256 bytes with a head each, and a head for a whole chunk."""


def collective(array, bytes_, link, chunks=1):
    """Return an all-reduce among all accelerators."""
    document = {
        "schema": "hypar-opt/collective/1",
        "name": "all-reduce",
        "array": {**array, "link": link},
        "collective": "all-reduce",
        "bytes": bytes_,
        "chunks": chunks,
    }
    return read_collective(document, _error)


def _error(message, path=(), **_):
    return InputError(message, field=".".join(map(str, path)))


def scheduled(instance, formulation):
    """Return a formulation's schedule, recounted."""
    plan = solve(instance, formulation)
    return CollectiveProblem(instance).judged(plan.strategies)


def of_size(judged, bytes_):
    """Return the same sends of other chunks."""
    return JudgedCollective(replace(judged.instance, bytes_=bytes_), judged.schedule)


def greedy_by(judged, message, order):
    """Return the seconds of greedy sends, those that come together in an order of their numbers."""
    graph = transfers_of(judged, "greedy", message)
    numbers = order(graph)
    place = {number: at for at, number in enumerate(numbers)}
    tasks = (graph.tasks[number] for number in numbers)
    moved = tuple(replace(task, waits_for=tuple(place[one] for one in task.waits_for)) for task in tasks)
    return simulate(TaskGraph(moved), judged.instance.machine, Options(overlap="full")).time


def at_random(seed):
    """Return an order of tasks at random."""

    def order(graph):
        return Random(seed).sample(range(len(graph.tasks)), len(graph.tasks))

    return order


def by_steps(graph):
    """Return tasks in the order of their steps in the plan."""
    return sorted(range(len(graph.tasks)), key=lambda number: graph.tasks[number].stage)
