"""The protocol of a formulation, and how formulations are found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast, runtime_checkable

from hypar_opt.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.front import FrontSolution
    from hypar_opt.placement import JointGraph, PlacementGraph
    from hypar_opt.plan import Decides, Solution
    from hypar_opt.run import Run

Graph: TypeAlias = "CostGraph | PlacementGraph | JointGraph"
"""What a formulation may be given, by what it decides."""
GROUP = "hypar_opt.formulations"
"""The entry-point group; a third party's formulation is found in the same way as ours."""


@dataclass(frozen=True)
class Capabilities:
    """What a formulation can do, as data.

    Parameters
    ----------
    exact
        Whether it proves optimality, given time.
    needs_words
        Whether it needs domains that are words (level by level methods).
    needs_tables
        Whether it is for graphs that come from tables, strategy graphs, alone.
    chains_only
        Whether it declines graphs that are not chains.
    capacities
        Whether it takes capacity constraints.
    warm_start
        Whether a start plan helps it.
    certifies
        Whether it hands over the potentials of a proof, of a network's problem.
    prices
        Whether it hands over the prices of its bound, of a strategy graph's problem.
    encoding
        What the search is written over; formulations of one encoding share its code, so that none of them can
        vouch for another alone.
    packages
        Solver packages whose versions belong to a result.
    decides
        Strategies, over a CostGraph; the placement, over a PlacementGraph; or both, over a JointGraph.
    """

    exact: bool
    needs_words: bool = False
    needs_tables: bool = False
    chains_only: bool = False
    capacities: bool = False
    warm_start: bool = False
    certifies: bool = False
    prices: bool = False
    encoding: str = ""
    packages: tuple[str, ...] = ()
    decides: Decides = "strategies"


@runtime_checkable
class Formulation(Protocol):
    """A way to search a graph of the kind that it decides: accept, encode, solve, decode.

    A solution's choices are a value for every variable; of a placement a site for every leaf; of both first the
    values, then the sites.
    """

    @property
    def name(self) -> str:
        """The name on the command line."""

    @property
    def summary(self) -> str:
        """One line for tables."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""

    def accepts(self, graph: Any, run: Run) -> str | None:
        """Return None, or why not, by size and with the alternative named."""

    def solve(self, graph: Any, run: Run) -> Solution:
        """Search; every limit of the run is kept, every claim is proven."""


@runtime_checkable
class Marginals(Protocol):
    """A formulation that can say what forcing a variable's value costs."""

    def min_marginals(self, graph: CostGraph, run: Run) -> tuple[Array, ...]:
        """Return for every variable and value the least cost of an assignment that has it."""


@runtime_checkable
class Fronts(Protocol):
    """A formulation that can enumerate the Pareto front of two or more criteria."""

    def accepts_front(self, graphs: Sequence[CostGraph], run: Run) -> str | None:
        """Return None, or why not, with the alternative named."""

    def front(self, graphs: Sequence[CostGraph], run: Run) -> FrontSolution:
        """Enumerate the front.

        Parameters
        ----------
        graphs
            One a criterion: the same variables, edges and capacities under another objective each.
        """


@cache
def found() -> Mapping[str, EntryPoint]:
    """Return the installed formulations by name, not loaded yet."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def load_formulation(name: str) -> Formulation:
    """Import and return a formulation.

    Raises
    ------
    InputError
        If there is none of that name; the nearest name is in the message.
    Refusal
        If it is installed and cannot be imported, or is none.
    """
    points = found()
    if name not in points:
        raise InputError(
            f"no formulation is called '{name}'; there are {', '.join(points)}{did_you_mean(name, points)}"
        )
    try:
        formulation = points[name].load()
    except (Exception, SystemExit) as error:
        raise Refusal(f"{name} ({points[name].value}) cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(formulation, Formulation) or not isinstance(formulation.capabilities, Capabilities):
        raise Refusal(f"the entry point '{name}' of {points[name].value} is not a formulation")
    return formulation


def abilities(name: str) -> Capabilities | None:
    """Return what a formulation can do; None where there is none of that name, or it cannot be imported."""
    try:
        return load_formulation(name).capabilities
    except (InputError, Refusal):
        return None


def refusal(formulation: Formulation, graph: Graph, run: Run) -> str | None:
    """Return why a formulation does not accept a graph, or None; one that fails when asked does not."""
    try:
        return formulation.accepts(graph, run)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a third party's code may raise anything
        return f"it fails when asked: {type(error).__name__}: {error}"


def require(formulation: Formulation, graph: Graph, run: Run) -> None:
    """Raise `Refusal` where a formulation's capabilities, or its size limits, do not cover a graph."""
    able = formulation.capabilities
    name = formulation.name
    if able.decides == "strategies":
        _require_strategies(able, name, cast("CostGraph", graph))
    reason = refusal(formulation, graph, run)
    if reason is not None:
        raise Refusal(f"{name} declines: {reason}")


def _require_strategies(able: Capabilities, name: str, graph: CostGraph) -> None:
    if able.needs_words and any(variable.words is None for variable in graph.variables):
        raise Refusal(f"{name} works level by level and this problem's choices have no levels; try cp-sat")
    if able.needs_tables and graph.ceiling is None:
        raise Refusal(f"{name} is for strategy graphs; try joint-dp or cp-sat")
    if able.chains_only and not graph.is_chain:
        raise Refusal(f"{name} is for chains and this network has joins or branches; try joint-dp or cp-sat")
    if graph.capacities and not able.capacities:
        raise Refusal(f"{name} takes no capacity constraints; try joint-dp, cp-sat or milp-highs")
