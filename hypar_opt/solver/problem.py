"""What a problem is to `solve`, `verify` and whatever shows it, of whatever kind: a network's, a strategy graph's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias, cast

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.presolve import Component
    from hypar_opt.formulation.protocol import Capabilities, Formulation, Graph, Use
    from hypar_opt.formulation.run import Limits, Run
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.plan import Plan

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


class PricedGraph(Protocol):
    """A graph whose choices are one number each."""

    def value(self, choices: Sequence[int]) -> int:
        """Return what choices cost."""

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether they are allowed."""


class Task(Protocol):
    """What a formulation decides of a problem, and the way back to plans.

    What has a value here is so unless a task says otherwise: its graph costs and allows what its plans do, it is one
    piece, no cost forbids anything, and it is searched.
    """

    @property
    def graph(self) -> Graph:
        """What the formulation reads."""

    @property
    def graphs(self) -> Sequence[CostGraph]:
        """What a formulation of fronts reads: the same choices, charged by each component alone."""
        return ()

    @property
    def unit(self) -> int:
        """Costs of the graph are in units of 1 / unit of the objective."""

    @property
    def shift(self) -> int:
        """What every choice costs besides, in the same units."""
        return 0

    @property
    def known_bound(self) -> int | None:
        """What all choices cost at least, where that was found out beside the search, in the graph's units."""
        return None

    def begun(self, run: Run) -> Run:
        """Return a run that begins with a plan, where one is known and none was given."""
        return run

    @property
    def ceiling(self) -> int | None:
        """What no allowed choices cost, where others do."""
        return None

    @property
    def sizes(self) -> Sequence[tuple[str, int]] | None:
        """What is decided, by name, and how many values each has; None where `feasible` says what choices may be."""

    @property
    def components(self) -> Sequence[Component]:
        """The parts that can be solved apart; none where it is one."""
        return ()

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the strategies and the placement that choices stand for."""

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a search can begin with, if any."""

    def value(self, choices: Sequence[int]) -> int | Fraction:
        """Return the cost of choices in the graph's unit."""
        return cast("PricedGraph", self.graph).value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are allowed."""
        return cast("PricedGraph", self.graph).feasible(choices)

    def allowed(self, choices: Sequence[int]) -> bool:
        """Return whether nothing that choices cost stands for something forbidden."""
        return True

    def stricter(self, found: Sequence[Sequence[int]]) -> Self | None:
        """Return the same with more of what plans have to keep to, where some choices do not; None where all do."""
        return None

    def known_solution(self, run: Run) -> Solution | None:
        """Return what is known before a search; None where there is something to search."""
        return None

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, its costs recomputed by other code, and what is wrong with it."""


class Problem(Protocol):
    """An instance compiled: what it asks for, and how it is decided, explained and proven."""

    @property
    def kind(self) -> str:
        """Its name: what is peculiar to a kind elsewhere is registered under this."""

    @property
    def instance(self) -> AnyInstance:
        """What it was compiled from."""

    @property
    def objective(self) -> ObjectiveFunction:
        """The objective."""

    @property
    def use(self) -> Use:
        """What a formulation of it is needed for."""

    @property
    def axes_text(self) -> str | None:
        """Axes that levels do not describe, with their sizes, as `node 2 x gpu 4`; None where the levels say all."""

    @property
    def setting(self) -> tuple[str | None, int | None, int | None]:
        """A network's accounting, batch and levels."""

    @property
    def is_explained(self) -> bool:
        """Whether it can be said of a plan what its choices are worth, layer by layer."""

    @property
    def presolve_counts(self) -> bool:
        """Whether the time of its preparation is a part of a formulation's."""

    @property
    def uncertifiable(self) -> str | None:
        """Why no certificate can be written, or None."""

    @property
    def certified_where(self) -> str:
        """Where formulations that write certificates do so, as the end of a sentence."""

    @property
    def refuted(self) -> str | None:
        """Why there is no plan, as far as is known before any search; or None."""

    @property
    def unfixed(self) -> Problem | None:
        """The same problem without the strategies that its instance gives; None where it gives none."""

    @property
    def sizing_graph(self) -> CostGraph:
        """What tells how large the tables of its strategies are, without what would take long to follow."""

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the same problem, presolved within limits, or not at all."""

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Do what comes before any search.

        Parameters
        ----------
        limits
            Of that.
        tell
            Called with what is done.
        components
            Of a front; None where the objective is asked for.

        Raises
        ------
        Interrupted
            If the limits are over before the end.
        """

    def default(self, limits: Limits) -> Formulation:
        """Return the formulation that is taken where none is named."""

    def proves(self, able: Capabilities) -> bool:
        """Return whether a formulation hands over what certificates of such problems are made of."""

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan's strategies are.

        Raises
        ------
        InputError
            If they are none of this problem's.
        """

    def check_start(self, start: Start) -> None:
        """Check that a start fits.

        Raises
        ------
        InputError
            If it does not.
        """

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return what a formulation has to decide, and where given strategies come from; or that there are none.

        Parameters
        ----------
        name, decides
            Of the formulation, and what it decides.
        start
            What it begins with.
        solve
            Finds plans of other problems, within the same limits.
        """

    def front(self, components: Sequence[str]) -> Task:
        """Return what a formulation has to decide of which the costs are traded, one component for another.

        Raises
        ------
        InputError
            If such an instance has no components, or not these.
        Refusal
            If one depends on what is to be decided besides.
        """

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> Plan | None:
        """Return the plan that comes of simpler problems; None where the problem is solved as it is.

        They have sums in place of a product as their objective, or not all of what has to fit into a memory.

        Parameters
        ----------
        solve
            Finds plans of them.
        limits
            Of all that together.
        """

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say why there is no plan; where there is one after all, the proof that there is none becomes ERROR.

        Parameters
        ----------
        plan
            Says that there is none.
        solve
            Finds plans of parts of the problem.
        limits
            Of all that together.
        tell
            Called with what is done.
        """


class AnyInstance(Protocol):
    """An instance, of whatever kind."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def sha256(self) -> str:
        """Its digest, before overrides."""

    @property
    def overrides(self) -> Mapping[str, object]:
        """What was given to replace fields."""


Ask: TypeAlias = Callable[[Problem], "Plan"]
"""Finds a plan of a problem."""
AskSimpler: TypeAlias = Callable[[Problem, "Limits", "Start | None"], "Plan"]
"""Finds a plan of a problem within limits, from a start if there is one of its own."""
AskWithin: TypeAlias = Callable[[Problem, "Limits"], "Plan"]
"""Finds a plan of a problem within limits."""


class Tell(Protocol):
    """Called with what is done now."""

    def __call__(self, text: str, value: Fraction | None = None, /) -> None:
        """Take what is done, or where a plan was found what it costs in the objective's unit."""
