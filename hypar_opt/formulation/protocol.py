"""The protocol of a formulation: what one is, and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.costgraph.pipeline.schedule import ScheduleGraph
    from hypar_opt.costgraph.pipeline.submeshes import SubmeshGraph
    from hypar_opt.costgraph.placement import JointGraph, PlacementGraph
    from hypar_opt.costgraph.placement.traffic import TrafficGraph
    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Decides, FrontSolution, Solution

Graph: TypeAlias = (
    "CostGraph | PlacementGraph | TrafficGraph | JointGraph"
    " | StageGraph | ScheduleGraph | SubmeshGraph | CollectiveGraph | TimedGraph"
)
"""What a formulation may be given, by what it decides."""
Use: TypeAlias = Literal[
    "network",
    "placement",
    "joint",
    "strategy-graph",
    "front",
    "pipeline",
    "schedule",
    "staged",
    "collective",
    "task-graph",
]
"""What a formulation can be needed for: a network's strategies, a placement of given ones, both together, a strategy
graph's strategies, a Pareto front, the stages of a pipeline, their schedule, stages on
parts of an array with strategies inside, the sends of a collective, the begins of tasks."""
LAST = 1000
"""The rank of a formulation that says nothing of it."""


@dataclass(frozen=True)
class Capabilities:
    """What a formulation can do, as data.

    Parameters
    ----------
    exact
        Whether it proves optimality, given time.
    needs_words
        Whether it needs domains that are words (level by level methods).
    reads_splits
        Whether values that say what they split (`Variable.splits`) will do instead of words.
    needs_splits
        Whether it is for such values alone.
    needs_tables
        Whether it is for graphs that come from tables, strategy graphs, alone.
    chains_only
        Whether it declines graphs that are not chains.
    capacities
        Whether it takes capacity constraints.
    pairwise_capacities
        Whether it takes those that pairs of values use, `Capacity.pairs`; a formulation that does not know of them is
        not asked.
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
        Solver packages whose versions belong to a result; where one of an extra is missing, the formulation declines.
    decides
        Strategies, over a CostGraph; the placement, over a PlacementGraph; both, over a JointGraph; stages, over a
        StageGraph; submeshes, over a SubmeshGraph; the sends of a collective, over a CollectiveGraph; or the begins of
        tasks, over a TimedGraph.
    reads_traffic
        Whether it places devices whose every two exchange any amount, a TrafficGraph.
    reads_given_times
        Whether it takes stages whose times are no sums, `StageGraph.given_times`.
    reads_batch
        Whether it takes what a batch costs by a named schedule, `StageGraph.batch`.
    groups
        Whether the sends that it constructs may be of several groups of accelerators at once, which share the links.
    reads_shares
        Whether it takes collectives whose chunks are cut into shares, each with a tree of its own.
    spreads
        Whether it hands out pieces of a front's search where somebody runs them, `Run.spread`.
    inside
        The formulation that finds the strategies inside of its stages; None for whichever is the default.
    rank
        Its place in tables, the lowest first.
    default_for
        What it is taken for where no formulation is named, each with its place among those that are: the first that
        accepts the problem is taken.
    vouches_for
        What it is asked for as evidence of another formulation's claim, each with its place among those that are. None
        stands for whatever it is exact for, after all that say their place.
    runs
        Formulations that it runs: its word says nothing of their claims, nor theirs of its own.
    """

    exact: bool
    needs_words: bool = False
    reads_splits: bool = False
    needs_splits: bool = False
    needs_tables: bool = False
    chains_only: bool = False
    capacities: bool = False
    pairwise_capacities: bool = False
    warm_start: bool = False
    certifies: bool = False
    prices: bool = False
    encoding: str = ""
    packages: tuple[str, ...] = ()
    decides: Decides = "strategies"
    reads_traffic: bool = False
    reads_given_times: bool = False
    reads_batch: bool = False
    groups: bool = False
    reads_shares: bool = False
    spreads: bool = False
    inside: str | None = None
    rank: int = LAST
    default_for: Mapping[Use, int] = field(default_factory=dict, hash=False)
    vouches_for: Mapping[Use, int] | None = field(default=None, hash=False)
    runs: tuple[str, ...] = ()


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
class StageMarginals(Protocol):
    """A formulation that can say what forcing an operator into another stage costs."""

    def stage_marginals(self, graph: StageGraph, options: Sequence[int], run: Run) -> Sequence[Sequence[int | None]]:
        """Return by group and stage the least cost of a plan that has the group there; None where there is none.

        Parameters
        ----------
        graph
            Of a pipeline.
        options
            By stage, in order, how it is done: all stages keep that, and their order.
        run
            Its limits.

        Raises
        ------
        Refusal
            If that is not found, and why.
        """


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
