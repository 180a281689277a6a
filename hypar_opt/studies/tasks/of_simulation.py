"""Tasks of the simulator as a task graph: the same resources, durations and waits, without any rule who goes first.

A computation takes its accelerator. With contention a transfer takes its part of every link of its route, all for as
long as the slowest needs; without, it is a task a link, each for as long as that link needs, and it is there when all
of them are over. Latency is a task that takes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.limits import LONGEST_NAME
from hypar_opt.studies.simulation.engine import describe, simulate
from hypar_opt.studies.simulation.platform import field_of
from hypar_opt.studies.simulation.tasks import Compute, Options, TaskGraph, Transfer, watched
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.studies.simulation.platform import Platform
    from hypar_opt.studies.simulation.result import Simulation

SCHEMA: Final = "hypar-opt/task-graph/1"
MOST: Final = 100_000
"""Tasks of a graph that is written: some 20 MB."""
WRITING: Final = "while the tasks were written"


@dataclass(frozen=True)
class _Piece:
    """A task of the graph that is a task of the simulator, or a part of it.

    Parameters
    ----------
    name
        Unique.
    ticks
        How long it takes, on the platform's clock.
    takes
        By position of a resource, lots of it.
    is_latency
        Whether it is on its way after it has left all links.
    """

    name: str
    ticks: int
    takes: tuple[tuple[int, int], ...] = ()
    is_latency: bool = False


@dataclass(frozen=True, repr=False)
class SimulatedTasks:
    """Tasks of the simulator, and the task graph that they are.

    Parameters
    ----------
    name
        Of the task graph.
    graph, machine
        What is done where.
    options
        How transfers take links; everything overlaps.
    limits
        End the work, if given.
    """

    name: str
    graph: TaskGraph
    machine: Machine
    options: Options
    limits: Limits | None = None

    def __post_init__(self) -> None:
        if self.options.overlap != "full":
            raise ValueError("with barriers there is nothing to order, expected the overlap 'full'")
        if self.options.contention and self.options.acquire != "together":
            raise ValueError(f"tasks take all at once, expected acquire 'together', got '{self.options.acquire}'")
        count = sum(map(len, self.pieces))
        if count > MOST:
            raise Refusal(f"there are {count:,} tasks, and at most {MOST:,} are written; take fewer levels")

    def __repr__(self) -> str:
        return f"SimulatedTasks({self.name!r}, {len(self.graph):,} tasks)"

    @cached_property
    def field(self) -> Platform:
        """Resources, routes and the clock."""
        return field_of(self.graph, self.machine, self.options.memory_bandwidth, self.limits)

    @cached_property
    def pieces(self) -> tuple[tuple[_Piece, ...], ...]:
        """By task of the simulator, what it is in the graph; its latency comes last."""
        tasks = watched(self.graph.tasks, self.limits, WRITING)
        pieces = [list(self._pieces(describe(task, self.machine), task)) for task in tasks]
        names = iter(distinct([one.name for own in pieces for one in own]))
        return tuple(tuple(replace(one, name=next(names)) for one in own) for own in pieces)

    def _pieces(self, name: str, task: Compute | Transfer) -> Iterator[_Piece]:
        if isinstance(task, Compute):
            own = self.field.accelerators[task.accelerator]
            yield _Piece(name, self.field.clock.ticks(task.seconds), ((own, 1),) if task.seconds else ())
            return
        if not task.amount:  # takes no time and needs nothing
            yield _Piece(name, 0)
            return
        way, units, capacities = self.field.ways[task.way], self.field.clock.units(task.amount), self.field.capacities
        links = tuple(zip(way.resources, way.paces, way.lots, strict=True))
        if self.options.contention:
            whole = self.options.hold == "whole"
            takes = tuple((link, capacities[link] if whole else lots) for link, _, lots in links)
            yield _Piece(name, units * max(way.paces, default=0), takes)
        else:
            for link, pace, _ in links:
                on = self.field.resources[link].name(self.machine)
                yield _Piece(f"{name}, on {on}", units * pace, ((link, capacities[link]),))
            if not links:
                yield _Piece(name, 0)
        if task.latency:
            yield _Piece(f"{name}, latency", self.field.clock.ticks(task.latency), is_latency=True)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The task graph, as its file has it."""
        names = distinct([one.name(self.machine) for one in self.field.resources])
        return {
            "schema": SCHEMA,
            "name": self.name,
            "resources": dict(zip(names, self.field.capacities, strict=True)),
            "tasks": [
                self._row(piece, number, names)
                for number, pieces in watched(enumerate(self.pieces), self.limits, WRITING)
                for piece in pieces
            ],
            "objective": "makespan",
        }

    def _row(self, piece: _Piece, number: int, names: list[str]) -> dict[str, Any]:
        row: dict[str, Any] = {"name": piece.name, "seconds": exact(self.field.clock.seconds(piece.ticks))}
        if piece.takes:
            alone = all(lots == 1 for _, lots in piece.takes)
            on = {names[resource]: lots for resource, lots in piece.takes}
            row["on"] = list(on) if alone else on
        after = [one.name for one in self.pieces[number] if not one.is_latency] if piece.is_latency else []
        after = after or list(dict.fromkeys(self._after(self.graph.tasks[number])))
        return {**row, "after": after} if after else row

    def _after(self, task: Compute | Transfer) -> Iterator[str]:
        """Yield whose end a task waits for: all of whose data it needs, and who has to have left its links."""
        for other in task.waits_for:
            pieces = self.pieces[other]
            yield from [one.name for one in pieces if one.is_latency] or [one.name for one in pieces]
        for other in () if isinstance(task, Compute) else task.behind:
            yield from (one.name for one in self.pieces[other] if not one.is_latency)

    @cached_property
    def first_come(self) -> Simulation:
        """The tasks run first come first served."""
        return simulate(self.graph, self.machine, self.options, limits=self.limits)

    def begins_of(self, found: Simulation) -> dict[str, Fraction]:
        """Return by task of the graph the second in which it begins in a simulation of the same tasks."""
        spans = {(span.task, place): span.begin for place, own in enumerate(found.spans) for span in own}
        begins = {}
        for number, pieces in enumerate(self.pieces):
            for piece in pieces:
                begin = found.left(number) if piece.is_latency else found.begins[number]
                if not self.options.contention and piece.takes:  # every link serves by itself
                    begin = spans[number, piece.takes[0][0]]
                begins[piece.name] = found.field.clock.seconds(begin)
        return begins


def distinct(names: Sequence[str]) -> list[str]:
    """Return names that a file takes: those that are too long are cut, those that were there before are counted."""
    seen: set[str] = set()
    found = []
    for number, name in enumerate(names):
        if len(name) > LONGEST_NAME or name in seen:
            end = f" #{number}"
            name = name[: LONGEST_NAME - len(end)] + end
        seen.add(name)
        found.append(name)
    return found


def simulated_tasks(
    name: str, graph: TaskGraph, machine: Machine, options: Options | None = None, limits: Limits | None = None
) -> SimulatedTasks:
    """Return tasks of the simulator as a task graph.

    Parameters
    ----------
    name
        Of the task graph.
    graph, machine
        What is done where.
    options
        How transfers take links; what overlaps is left to who puts the tasks in order.
    limits
        Their deadline and flag end the work.

    Raises
    ------
    InputError
        If a link on a route has no bandwidth.
    Refusal
        If there are too many tasks.
    ValueError
        If links are to be taken one after the other, which tasks cannot.
    SimulationStopped
        If the limits are over before the end.
    """
    return SimulatedTasks(name, graph, machine, options or Options("full"), limits)
