"""Schedules by which sets of levels exchange partial sums: constructed once, read by costs and by the evaluator.

Who reads them shares nothing else: costs take the moves as formulations write them, and the evaluator plays the sends
and recounts what they take.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.collective import compile_collective
from hypar_opt.costgraph.collective import Move, read_moves
from hypar_opt.formulation.registry import formulations, load_formulation, refusal
from hypar_opt.formulation.run import Limits, Run, Stopped
from hypar_opt.instance.collective import Send, SendSchedule, all_reduce_of, groups_of
from hypar_opt.instance.collectives_spec import BEST, PAIRWISE
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.instance import Instance
    from hypar_opt.instance.collective import GroupsAllReduce

Levels = tuple[int, ...]
"""A set of levels, ascending, from 0."""
_LIMITS: Final = Limits(workers=1)
"""Of all constructions, whatever a run may use: whoever reads an instance has to come to the same schedules."""


def constructors() -> tuple[str, ...]:
    """Return the formulations that construct schedules of collectives, by rank."""
    return tuple(name for name, able in formulations().items() if able.decides == "sends" and not able.exact)


def check_algorithm(name: str, field: str, file: Path | None = None) -> None:
    """Check that partial sums can be exchanged by an algorithm.

    Raises
    ------
    InputError
        If none is called so.
    """
    known = (PAIRWISE, BEST, *constructors())
    if name not in known:
        message = f"expected {', '.join(known[:-1])} or {known[-1]}, got {shown(name)}{did_you_mean(name, known)}"
        raise InputError(message, file=file, field=field)


@dataclass(frozen=True)
class FoundSchedules:
    """What the algorithms make of one set of levels.

    Parameters
    ----------
    moves
        By algorithm that takes it, what is sent in which step, of all groups.
    declined
        By algorithm that does not, why.
    """

    moves: Mapping[str, tuple[Move, ...]]
    declined: Mapping[str, str]

    @property
    def sends(self) -> dict[str, SendSchedule]:
        """The same as schedules of instances."""
        return {
            name: SendSchedule(tuple(Send(one.chunk, one.route, one.begin, one.end, one.adds) for one in moves))
            for name, moves in self.moves.items()
        }


@dataclass(frozen=True, eq=False)
class SumSchedules:
    """The schedules of an instance's exchanges, found when they are asked for and kept.

    Parameters
    ----------
    instance
        Whose array says by which algorithm sums are exchanged.
    placed
        An accelerator's position for every leaf.

    Raises
    ------
    InputError
        If no algorithm is called so.
    """

    instance: Instance
    placed: tuple[int, ...]
    _found: dict[Levels, FoundSchedules] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        spec, given = self.instance.spec.array.collectives, self.instance.overrides
        options = {"collectives": "--collectives", "array": "--array collectives.algorithm"}
        option = next((text for name, text in options.items() if name in given), None)
        if spec is not None:
            file = self.instance.source if option is None else None
            check_algorithm(spec.algorithm, option or "array.collectives.algorithm", file)

    def of(self, levels: Levels) -> FoundSchedules:
        """Return the schedules of a set of levels."""
        if levels not in self._found:
            self._found[levels] = self._construct(levels)
        return self._found[levels]

    def _construct(self, levels: Levels) -> FoundSchedules:
        instance, spec = self.instance, self.instance.spec.array.collectives
        assert spec is not None  # asked for where it is given
        groups = groups_of(instance.partition, self.placed, levels)
        graphs = _Graphs(all_reduce_of(instance.machine, groups, spec.chunks))
        found: dict[str, tuple[Move, ...]] = {}
        declined: dict[str, str] = {}
        for name in constructors() if spec.algorithm == BEST else [spec.algorithm]:
            moves = _all_groups(name, graphs)
            if isinstance(moves, str):
                declined[name] = moves
            else:
                found[name] = moves
        return FoundSchedules(found, declined)


@dataclass(frozen=True, eq=False)
class _Graphs:
    """What constructions read of an all-reduce of groups, made once for all of them."""

    collective: GroupsAllReduce

    @cached_property
    def together(self) -> CollectiveGraph:
        """All groups at once."""
        return _in_steps(self.collective)

    @cached_property
    def first(self) -> CollectiveGraph:
        """The first group by itself, which most who decline decline already."""
        return self._alone(self.collective.groups[0])

    @cached_property
    def alone(self) -> tuple[CollectiveGraph, ...]:
        """Each group by itself."""
        return self.first, *map(self._alone, self.collective.groups[1:])

    def _alone(self, group: tuple[int, ...]) -> CollectiveGraph:
        return _in_steps(all_reduce_of(self.collective.machine, (group,), self.collective.chunks_each))


def _in_steps(collective: GroupsAllReduce) -> CollectiveGraph:
    return compile_collective(replace(collective, goal="steps"))


def _all_groups(name: str, graphs: _Graphs) -> tuple[Move, ...] | str:
    """Return the sends of all groups in the same steps, or why there are none.

    Where the formulation takes several groups at once they share the links as it lets them; else each group's schedule
    is found by itself, and where two take a link in one step that takes as long as it carries both.
    """
    if load_formulation(name).capabilities.groups:
        return _moves(name, graphs.together)
    first = _moves(name, graphs.first)
    if isinstance(first, str):
        return first
    found: list[Move] = []
    for number, graph in enumerate(graphs.alone):
        moves = _moves(name, graph) if number else first
        if isinstance(moves, str):
            return moves
        found += [one._replace(chunk=graphs.collective.chunk_of(number, one.chunk)) for one in moves]
    return tuple(sorted(found))


def _moves(name: str, graph: CollectiveGraph) -> tuple[Move, ...] | str:
    formulation, run = load_formulation(name), Run(name, _LIMITS)
    why = refusal(formulation, graph, run)
    if why is not None:
        return why.split("; try ")[0]
    try:
        solution = formulation.solve(graph, run)
    except Stopped:
        return "stopped"
    return solution.native_status if solution.choices is None else tuple(read_moves(solution.choices))
