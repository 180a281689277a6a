"""What plans of a network of operators cost: compiled for formulations, and recounted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Self

from hypar_opt.cost.operators import CompiledOperators
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.cost.operators.domains import KEPT, NO, STORAGE, YES
from hypar_opt.cost.operators.watching import WatchedTables
from hypar_opt.costgraph import graph_of
from hypar_opt.instance.objective.components import COMMUNICATION, PLACED, depends_on
from hypar_opt.instance.text import shown
from hypar_opt.solver.block_bound import BlockBound
from hypar_opt.solver.operator_blocks import DecidedBlocks
from hypar_opt.solver.operator_moments import exceeded
from hypar_opt.solver.operator_recount import RecountedOperators
from hypar_opt.solver.reduced_task import reduced, why_none
from hypar_opt.util.errors import InputError, Refusal, did_you_mean
from hypar_opt.util.extras import EXTRAS, missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.presolve import Reduction
    from hypar_opt.formulation.run import Limits


@dataclass(frozen=True, eq=False)
class OperatorCosts(RecountedOperators):
    """An instance of operators compiled for formulations; as `RecountedOperators` takes the instance.

    Parameters
    ----------
    presolved
        Whether formulations are given reduced tables where the memory may not be enough.
    limits
        When compiling has to stop, and presolve to end with what it has reduced; None for never.
    as_tables
        Whether formulations are given tables, reduced, if there can be any; None: where the memory may not be enough.
    known
        The same instance compiled before.
    moments
        The moments of a step at which the memory is exact; at the others it is not looked at, but for the turn, and not
        even there if there are none. None of the problem itself: a plan has to fit at all of them.
    passes
        What passes over the number of blocks that run once more have found, of all moments; empty before.
    """

    presolved: bool = True
    limits: Limits | None = None
    as_tables: bool | None = None
    known: CompiledComponents | None = field(default=None, repr=False)
    moments: tuple[int, ...] | None = None
    passes: list[BlockBound] = field(default_factory=list, repr=False)

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes' names."""
        return tuple(axis.name for axis in self.instance.partition.axes)

    @cached_property
    def components(self) -> CompiledComponents:
        """What plans cost, component by component."""
        if self.known is not None:
            return self.known
        one = self.instance
        return CompiledComponents(one.graph, self.model, one.links, one.device, self._over, one.optimiser, one.standing)

    def _over(self) -> bool:
        return self.limits is not None and self.limits.over

    @property
    def compiled(self) -> CompiledOperators:
        """The operators compiled, and what the variables stand for."""
        return self.components.operators

    @cached_property
    def whole(self) -> CostGraph:
        """All that is decided and what it costs, before presolve."""
        return self.weighing(self.objective.weights)

    @cached_property
    def apart(self) -> CostGraph:
        """The same without the memory at moments, which pairs of values use."""
        return self._weighing(self.objective.weights, ())

    def at_moments(self, moments: Sequence[int]) -> Self:
        """Return the same problem with the memory exact at some moments, and nowhere else."""
        return replace(self, known=self.components, moments=tuple(moments))

    @property
    def can_lack_memory(self) -> bool:
        """Whether plans may not fit into the memory."""
        return self.memory is not None and self.compiled.occupancy.can_be_exceeded

    @property
    def lacks_memory(self) -> bool:
        """Whether any plan takes more than there is at some moment, as far as choices say that are all free."""
        occupancy = self.compiled.occupancy
        return self.can_lack_memory and max(occupancy.least()) > occupancy.limit

    def over_blocks(self, limits: Limits) -> BlockBound:
        """Return the passes over the number of blocks that run once more, which are the same for all rounds."""
        if not self.passes:
            one, left = self.compiled, limits.remaining_s()
            limits = limits if left is None else limits.within(left / 2)
            self.passes.append(BlockBound(DecidedBlocks(self.apart, one.domains, one.decisions, one.occupancy, limits)))
        return self.passes[0]

    def exceeded_at(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the moments at which a plan takes more memory than there is, recounted, of each run the worst.

        With them come those of the same operators in all blocks that are alike.
        """
        assert self.memory is not None  # asked for where it matters
        there, occupied = self.compiled.occupancy.moments, self.occupied(self.plan_of(strategies))
        worst = (occupied[number] for number in exceeded(occupied, self.memory))
        return tuple(sorted({alike for one in worst for alike in there.alike(there.named(one.phase, one.operator))}))

    def weighing(self, weights: Mapping[str, Fraction], beside: Sequence[str] = ()) -> CostGraph:
        """Return what formulations read under other weights, within the bounds on components.

        Parameters
        ----------
        weights
            By component.
        beside
            Components that weigh nothing there, and whose pairs of variables are there as well.

        Raises
        ------
        InputError
            If a row of the array's measured times is missing.
        Refusal
            If a component depends on a placement, and that is to be decided.
        """
        rows = [self.compiled.occupancy.coupled(number) for number in self.moments or ()]
        moved = (COMMUNICATION,) if rows else ()  # which has all pairs that take memory
        graph = self._weighing(weights, (*beside, *moved))
        return graph.replace(capacities=(*graph.capacities, *rows)) if rows else graph

    def _weighing(self, weights: Mapping[str, Fraction], beside: Sequence[str]) -> CostGraph:
        """Return the same without the memory at moments, which pairs of values use."""
        bounds = self.instance.bounds
        self.check_placed((*weights, *bounds, *beside))
        graph = self.components.costgraph(weights, (*bounds, *beside))
        limits = tuple(self.components.bound(name, most) for name, most in bounds.items())
        turn = graph.capacities if self.moments != () else ()
        return graph.replace(capacities=(*turn, *limits)) if limits or turn != graph.capacities else graph

    def check_placed(self, components: Iterable[str]) -> None:
        """Raise `Refusal` if a component depends on a placement, and that is to be decided."""
        on_links = any(depends_on(name, PLACED) for name in components)
        if on_links and self.instance.machine is not None and self.instance.standing is None:
            raise Refusal("a component depends on the placement, which is to be decided; try --placement identity")

    @cached_property
    def is_tight(self) -> bool:
        """Whether formulations are given tables: where some plan does not fit into the memory, unless told.

        Bounds on what pairs of choices cost have no rows in tables, sums beyond 64 bits no place; and numba reduces.
        """
        whole = self.apart
        if whole.is_coupled or whole.upper >= 2**63 or missing(EXTRAS["graphs"].modules) is not None:
            return False
        if self.as_tables is not None:
            return self.as_tables
        if self.moments is not None:
            return bool(self.moments)
        return any(capacity.can_be_exceeded for capacity in whole.capacities)

    @cached_property
    def watched(self) -> WatchedTables:
        """The tables before presolve, with further variables for pairs of values that take memory."""
        return WatchedTables(self.apart, self.compiled.occupancy, self.moments or ())

    @cached_property
    def reduction(self) -> Reduction:
        """The tables, and what presolve leaves of them.

        Raises
        ------
        NoPlan
            If they allow nothing.
        """
        return reduced(self.watched.tables, self._over, presolved=self.presolved)

    @cached_property
    def refuted(self) -> str | None:
        """Why nothing is allowed, as far as single choices and presolve say; or None."""
        if self.lacks_memory:
            return "any plan takes more memory than there is"
        return why_none(self) if self.is_tight else None

    @property
    def graph_unit(self) -> int:
        """Costs are in units of 1 / this of the objective."""
        return self.apart.objective.denominator

    @property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self._left[0]

    @property
    def shift(self) -> int:
        """What a plan costs besides what the graph says."""
        return self._left[1]

    @cached_property
    def _left(self) -> tuple[CostGraph, int]:
        return graph_of(self.reduction.tables) if self.is_tight else (self.whole, 0)

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan's words are.

        Raises
        ------
        InputError
            If a name is missing or unknown, or it cannot have its word.
        """
        domains = self.compiled.domains
        known = {domain.name: domain for domain in domains}
        decisions = self.compiled.decisions
        decided = frozenset(decisions.values())
        for name in strategies:
            owner = name.removesuffix(STORAGE).removesuffix(KEPT)
            if owner not in known and name not in decided:
                hint = did_you_mean(owner, known)
                raise InputError(f"the plan has an operator {shown(name)}, the instance has none{hint}", field="plan")
        found = []
        places: dict[
            tuple[int, str, str | None, str, bool | None, int], int | None
        ] = {}  # equal blocks have equal values and words
        has_beside = len(strategies) != len(domains)  # else all are words, or one is missing
        longer = self.compiled.kept_longer
        for domain in domains:
            text, storage, kept, again = strategies.get(domain.name), None, "", None
            if text is None:
                raise InputError(f"the plan has no strategy for '{domain.name}'", field="plan")
            if has_beside:
                storage, kept = strategies.get(domain.name + STORAGE), strategies.get(domain.name + KEPT, "")
            if domain.name in decisions:
                again = strategies.get(decisions[domain.name], NO) == YES
            until = 0
            if domain.name in longer:
                said_yes = (n for n, one in enumerate(longer[domain.name], 1) if strategies.get(one, NO) == YES)
                until = next(said_yes, 0)
            said = id(domain.values), text, storage, kept, again, until
            if said not in places:
                values, word = enumerate(domain.values), tuple(text.split())
                fitting = (
                    at
                    for at, one in values
                    if one.word == word
                    and storage in (None, one.storage)
                    and one.is_kept(kept)
                    and again in (None, one.again)
                    and one.until == until
                )
                places[said] = next(fitting, None)
            place = places[said]
            if place is None:
                asked = text if storage is None else f"{text} with {storage}"
                asked += "" if again is None else f" and {decisions[domain.name]} {YES if again else NO}"
                raise InputError(f"'{domain.name}' cannot have {shown(asked)} here", field=f"plan.{domain.name}")
            found.append(place)
        return tuple(found)
