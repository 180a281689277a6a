"""What a formulation is asked to decide of a problem: strategies, the placement, or both."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.errors import InputError
from hypar_opt.graph_problem import GraphProblem
from hypar_opt.instance import Instance
from hypar_opt.instance.wording import shown
from hypar_opt.plan_file import read_start
from hypar_opt.problem import Problem
from hypar_opt.reading import load
from hypar_opt.strategy_graph import StrategyGraph

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation import Graph
    from hypar_opt.placement import JointGraph, PlacementGraph

Subject: TypeAlias = Problem | GraphProblem
"""What can be solved."""
Decoded: TypeAlias = "tuple[dict[str, str], tuple[int, ...] | None]"
"""A word by layer; and an accelerator's position for every leaf, where the objective depends on it."""


@dataclass(frozen=True)
class Start:
    """What a search begins with.

    Parameters
    ----------
    strategies
        By layer.
    placement
        An accelerator's name for every leaf.
    """

    strategies: Mapping[str, str] | None = None
    placement: Sequence[str] | None = None


@dataclass(frozen=True)
class NetworkTask(ABC):
    """A network's problem in the terms of a formulation, and the way back.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: Problem

    @property
    @abstractmethod
    def graph(self) -> Graph:
        """What the formulation reads."""

    @property
    @abstractmethod
    def unit(self) -> int:
        """Costs of the graph are in units of 1 / unit of the objective."""

    @property
    def shift(self) -> int:
        """What every choice costs besides, in the same units: nothing."""
        return 0

    @property
    @abstractmethod
    def sizes(self) -> Sequence[tuple[str, int]]:
        """What is decided, by name, and how many values each has."""

    @abstractmethod
    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the strategies and the placement that choices stand for."""

    @abstractmethod
    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a search can begin with, if any."""

    @abstractmethod
    def value(self, choices: Sequence[int]) -> int:
        """Return the cost of choices in the graph's unit."""

    @abstractmethod
    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are allowed."""


@dataclass(frozen=True)
class StrategiesTask(NetworkTask):
    """Strategies alone: the placement is given, or nothing depends on it."""

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def unit(self) -> int:
        """Of the objective, over one common denominator."""
        return self.graph.objective.denominator

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Layers and words."""
        return [(f"'{variable.name}'", variable.size) for variable in self.graph.variables]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the strategies; the placement is the given one."""
        return self.problem.strategies(choices), self.problem.placed

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the strategies' choices."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost."""
        return self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether splits, given strategies and capacities allow it."""
        return self.graph.feasible(choices)


@dataclass(frozen=True)
class PlacementTask(NetworkTask):
    """The placement alone, for strategies that are given."""

    strategies: Mapping[str, str]

    @cached_property
    def graph(self) -> PlacementGraph:
        """What the formulation reads."""
        joint = self.problem.joint
        return joint.placing(joint.volumes(self.problem.choices(self.strategies)))

    @property
    def unit(self) -> int:
        """Of the placement's costs."""
        return self.graph.unit

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Leaves and accelerators."""
        return _sites(self.graph)

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the given strategies and the placement."""
        return dict(self.strategies), tuple(choices)

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the placement to begin with."""
        return None if start.placement is None else sites_of(self.problem, start.placement)

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost."""
        return self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether every leaf has an accelerator of its own."""
        return self.graph.feasible(choices)


@dataclass(frozen=True)
class JointTask(NetworkTask):
    """Strategies and placement together."""

    @property
    def graph(self) -> JointGraph:
        """What the formulation reads."""
        return self.problem.joint

    @property
    def unit(self) -> int:
        """Of the placement's costs."""
        return self.graph.placement.unit

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Layers and words, then leaves and accelerators."""
        words = [(f"'{variable.name}'", variable.size) for variable in self.graph.parallelism.variables]
        return [*words, *_sites(self.graph.placement)]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return both."""
        words, sites = self._halves(choices)
        return self.problem.strategies(words), tuple(sites)

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return both; the placement in order where none is given."""
        if start.strategies is None:
            return None
        leaves = range(self.graph.placement.leaves)
        sites = tuple(leaves) if start.placement is None else sites_of(self.problem, start.placement)
        return (*self.problem.choices(start.strategies), *sites)

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost."""
        return self.graph.value(*self._halves(choices))

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether both are allowed."""
        words, sites = self._halves(choices)
        return self.graph.parallelism.feasible(words) and self.graph.placement.feasible(sites)

    def _halves(self, choices: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        count = len(self.graph.parallelism.variables)
        return choices[:count], choices[count:]


@dataclass(frozen=True)
class GraphTask:
    """The strategies of a strategy graph's nodes, as far as presolve leaves them open.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: GraphProblem

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def unit(self) -> int:
        """Costs are whole."""
        return 1

    @property
    def shift(self) -> int:
        """What presolve decided costs, and what cannot be avoided."""
        return self.problem.shift

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Variables and values."""
        return [(f"variable {variable.name}", variable.size) for variable in self.graph.variables]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every node's strategy, by its index; both as text."""
        nodes = self.problem.reduction.expand(choices).tolist()
        return {str(node): str(choice) for node, choice in enumerate(nodes)}, None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return what presolve leaves of a plan, if it leaves anything."""
        if start.strategies is None:
            return None
        left = self.problem.reduction.contract(self.problem.choices(start.strategies))
        return None if left is None else tuple(left.tolist())

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost, by the tables where nothing is forbidden: the graph's own costs are slow to make."""
        tables = self.graph.tables
        return tables.value(choices) if tables.allowed(choices) else self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether nothing is forbidden, and the memory is enough at every time."""
        return self.graph.tables.feasible(choices)


Task: TypeAlias = NetworkTask | GraphTask
"""What a formulation decides, and of what."""


def problem_of(instance: Instance | StrategyGraph | Subject | Path | str) -> Subject:
    """Return the problem of an instance, unless it is one already; one that is only named is read.

    Raises
    ------
    InputError
        If there is no instance of that name.
    TypeError
        If it is something else.
    """
    if isinstance(instance, Problem | GraphProblem):
        return instance
    read = load(instance) if isinstance(instance, str | Path) else instance
    if isinstance(read, StrategyGraph):
        return GraphProblem(read)
    if not isinstance(read, Instance):
        kinds = "an instance, the name of a shipped one, a path, or a problem compiled before"
        raise TypeError(f"instance: expected {kinds}, got {shown(read)}")
    return Problem(read)


def network_problem_of(instance: Instance | Problem | Path | str) -> Problem:
    """Return the problem of a network's instance.

    Raises
    ------
    InputError
        If there is no instance of that name, or it is a strategy graph.
    TypeError
        If it is something else.
    """
    problem = problem_of(instance)
    if isinstance(problem, GraphProblem):
        raise InputError("expected the instance of a network, got a strategy graph", field="instance")
    return problem


def read_start_of(problem: Subject, path: Path) -> Start:
    """Return the plan of a file, to start a problem from.

    Raises
    ------
    InputError
        If it is no plan file, or its plan does not fit the problem: the file's fault, with its field.
    """
    start = Start(*read_start(path))
    try:
        problem.choices(start.strategies or {})
        if start.placement is not None and isinstance(problem, Problem):
            sites_of(problem, start.placement)
    except InputError as error:
        raise InputError(error.message, file=path, field=error.field) from None
    return start


def sites_of(problem: Problem, names: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of accelerators.

    Raises
    ------
    InputError
        If a name is none, or there is not one for every leaf.
    """
    accelerators = problem.instance.machine.accelerators
    position = {name: site for site, name in enumerate(accelerators)}
    leaves = 1 << problem.instance.levels
    if len(names) != leaves:
        raise InputError(f"expected {leaves} accelerators, one for every leaf, got {len(names)}", field="placement")
    for leaf, name in enumerate(names):
        if name not in position:
            raise InputError(f"the array has no accelerator '{name}'", field=f"placement[{leaf}]")
    return tuple(position[name] for name in names)


def _sites(graph: PlacementGraph) -> list[tuple[str, int]]:
    return [(f"leaf {leaf}", graph.sites) for leaf in range(graph.leaves)]
