"""Two plans of one network: in which layers they differ, and what each of these differences costs by itself.

A cost that is a sum over layers and boundaries changes by the sum of what each layer's change costs alone, and by what
the changes of two ends of a boundary cost together beyond that: the interaction. Of bytes it is known boundary by
boundary.

The problems of the plans may differ in what is minimised, bounded or to be kept; every component is compared then.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, ENERGY, PLACED, TIME, depends_on
from hypar_opt.instance.text import cut
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.studies.amounts import PlanAmount, amount_of, fault_of_change, more_of
from hypar_opt.studies.compared_problems import problems_compared
from hypar_opt.util.interrupt import never
from hypar_opt.util.numbers import amount
from hypar_opt.verification.checks import placement_checks, require_all, strategy_checks
from hypar_opt.verification.verifier import claimed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    import pandas as pd

    from hypar_opt.evaluation.communication import Breakdown, Bytes
    from hypar_opt.instance import Instance
    from hypar_opt.solver.front import TradeOff
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.compared_problems import FieldDifference
    from hypar_opt.verification.claim import Claim

PLACEMENT = "placement"
"""What a change is called that is none of a layer's."""


@dataclass(frozen=True)
class PlanChange:
    """One of the things in which the second plan differs from the first.

    Parameters
    ----------
    kind
        `layer` or `placement`.
    name
        The layer's, or `placement`.
    first, second
        The layer's words, or the accelerators of all leaves.
    levels
        At which the words differ, from 1.
    more
        What the first plan with only this changed costs more than the first plan.
    fault
        What keeps that plan from being allowed, or nothing.
    """

    kind: str
    name: str
    first: str
    second: str
    levels: tuple[int, ...]
    more: PlanAmount
    fault: str = ""


@dataclass(frozen=True)
class BoundaryInteraction:
    """What two changes at the ends of a boundary cost together beyond what each costs alone.

    Parameters
    ----------
    producer, reader
        The layers.
    bytes
        Of the boundary, summed over the levels.
    """

    producer: str
    reader: str
    bytes: Bytes


@dataclass(frozen=True, repr=False)
class PlanComparison:
    """In what two plans of one network and array differ.

    Parameters
    ----------
    problems
        Whose plans they are: one twice, or two that differ.
    differing
        The fields in which the problems differ.
    faults
        What keeps each plan from being one of the other's problem, or nothing.
    claims
        What is said of each, and its file.
    amounts
        What each costs, recomputed; the objective is the first problem's.
    components
        That are compared beside the objective: of two problems time, energy and whatever either asks for, and those of
        a front whose point a plan is; as far as they are known.
    changes
        The largest first: in the objective, then in bytes; what is left in the order of the layers.
    boundaries
        The interaction in bytes, the largest first.
    """

    problems: tuple[NetworkProblem, NetworkProblem]
    differing: tuple[FieldDifference, ...]
    faults: tuple[str, str]
    claims: tuple[Claim, Claim]
    amounts: tuple[PlanAmount, PlanAmount]
    components: tuple[str, ...]
    changes: tuple[PlanChange, ...]
    boundaries: tuple[BoundaryInteraction, ...]

    def __repr__(self) -> str:
        count = f"{len(self.changes):,} change{'' if len(self.changes) == 1 else 's'}"
        return f"PlanComparison({cut(self.problem.instance.name)!r}, {count}, {amount(self.more.bytes, 'B')} more)"

    @property
    def problem(self) -> NetworkProblem:
        """The first plan's."""
        return self.problems[0]

    @property
    def objectives(self) -> dict[str, tuple[Fraction, Fraction]]:
        """What both plans come to by the objective of each problem, as that is spelt."""
        first, second = self.amounts
        return {one.objective.spelt: (one.combined(first.costs), one.combined(second.costs)) for one in self.problems}

    @property
    def more(self) -> PlanAmount:
        """What the second plan costs more than the first."""
        first, second = self.amounts
        return second.minus(first)

    @property
    def interaction(self) -> PlanAmount:
        """What the changes together cost beyond the sum of what each costs alone."""
        return reduce(PlanAmount.minus, (one.more for one in self.changes), self.more)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a change, then the interaction and the total: exact bytes, what is minimised, the components."""
        import pandas as pd

        rows: list[tuple[str, str, str, str, tuple[int, ...], PlanAmount]] = [
            (one.kind, one.name, one.first, one.second, one.levels, one.more) for one in self.changes
        ]
        rows += [("interaction", "", "", "", (), self.interaction), ("total", "", "", "", (), self.more)]
        names = [name for name in self.components if name != COMMUNICATION]
        return pd.DataFrame(
            [(*said, more.bytes, more.objective, *(more.costs[name] for name in names)) for *said, more in rows],
            columns=[
                *("kind", "name", "first", "second", "levels", "bytes", "objective"),
                *(COMPONENTS[name].field for name in names),
            ],
        )


def compare_plans(
    first: Claim | Plan | TradeOff | Path | str,
    second: Claim | Plan | TradeOff | Path | str,
    instance: Instance | Problem | Path | str | None = None,
) -> PlanComparison:
    """Say in what two plans differ and what each difference costs.

    Parameters
    ----------
    first, second
        Plans, points of fronts, or files of either; of one network and array. Their objectives, bounds, strategies to
        keep and placements may differ.
    instance
        Of which both are plans; None where it is a shipped one, which they name. It is read with each plan's overrides.

    Raises
    ------
    InputError
        If they are of different networks or arrays, or one is no allowed plan; says what differs.
    """
    claims = claimed(first), claimed(second)
    problems, differing = problems_compared(claims, instance)
    problem, asked = problems[0], {*claims[0].criteria, *claims[1].criteria}
    if differing:
        asked.update(*(one.instance.spec.components for one in problems))
    (strategies, placed), (others, other_placed) = (
        _checked(one, claim, asked) for one, claim in zip(problems, claims, strict=True)
    )
    if differing:
        asked.update((COMMUNICATION, TIME, ENERGY))
    breakdowns = problem.bytes_of(strategies), problem.bytes_of(others)
    known = [problem.costs(breakdowns[0], one) for one in (placed, other_placed)] if asked else []
    components = tuple(name for name in COMPONENTS if name in asked and all(name in costs for costs in known))
    _check_known(problems, components, claims)
    amounts = (
        amount_of(problem, breakdowns[0], placed, components),
        amount_of(problem, breakdowns[1], other_placed, components),
    )
    changes = [*_of_layers(problem, breakdowns, amounts[0], placed)]
    if placed != other_placed:
        moved = amount_of(problem, breakdowns[0], other_placed, components).minus(amounts[0])
        before, after = (_names(problem, one) for one in (placed, other_placed))
        changes.append(PlanChange(PLACEMENT, PLACEMENT, before, after, (), moved))
    ordered = sorted(changes, key=lambda one: (-abs(one.more.objective), -abs(Fraction(one.more.bytes))))
    boundaries = sorted(_interactions(problem, breakdowns), key=lambda one: -abs(Fraction(one.bytes)))
    faults = (problems[1].fault_of(strategies) or "", problem.fault_of(others) or "") if differing else ("", "")
    return PlanComparison(problems, differing, faults, claims, amounts, components, tuple(ordered), tuple(boundaries))


def _checked(
    problem: NetworkProblem, claim: Claim, asked: Collection[str]
) -> tuple[Mapping[str, str], tuple[int, ...] | None]:
    """Return a plan's strategies, which have to be allowed, and where it stands as far as that matters."""
    problem.follow_routes(never)
    strategies = claim.strategies_for("a plan to compare")
    require_all((*strategy_checks(problem, strategies), *placement_checks(problem, claim)), claim.source)
    if claim.placement is not None and problem.instance.is_placed:
        sites = sites_of(problem, claim.placement)
        problem.walk_routes(sites)
        return strategies, sites
    if any(depends_on(name, PLACED) for name in asked):
        return strategies, problem.instance.placement
    return strategies, problem.sites if asked else None


def _check_known(
    problems: tuple[NetworkProblem, NetworkProblem], components: Collection[str], claims: tuple[Claim, Claim]
) -> None:
    """Check that what either of two problems minimises is known of both plans."""
    if problems[0] is problems[1]:
        return
    for problem in problems:
        unknown = next((name for name in problem.objective.components if name not in components), None)
        if unknown is not None:
            (lacking, *_) = [claim for claim in claims if claim.placement is None] or claims
            raise lacking.error(
                f"stands nowhere in the array, and {unknown}, which an objective asks for, depends on that; give a "
                "placement: --placement identity",
                "placement",
            )


def _names(problem: NetworkProblem, placed: Sequence[int] | None) -> str:
    """Return on which accelerators a plan stands."""
    return " ".join(problem.instance.machine.accelerators[site] for site in placed or ())


def _of_layers(
    problem: NetworkProblem,
    breakdowns: tuple[Breakdown, Breakdown],
    amount: PlanAmount,
    placed: tuple[int, ...] | None,
) -> Iterator[PlanChange]:
    """Yield the layers whose words differ, each with what its change alone costs."""
    breakdown, other = breakdowns
    for layer in problem.work.layers:
        words = breakdown.strategies[layer.name], other.strategies[layer.name]
        if words[0] == words[1]:
            continue
        levels = tuple(h for h, (a, b) in enumerate(zip(*words, strict=True), start=1) if a != b)
        alone, more = more_of(problem, breakdown, amount, layer.name, words[1], placed)
        fault = fault_of_change(problem, layer, alone.strategies)
        yield PlanChange("layer", layer.name, *words, levels, more, fault)


def _interactions(problem: NetworkProblem, breakdowns: tuple[Breakdown, Breakdown]) -> Iterator[BoundaryInteraction]:
    """Yield the boundaries both of whose ends differ, with b(A, A) + b(B, B) - b(A, B) - b(B, A) where not 0."""
    first, second = breakdowns
    layers = problem.work.layers
    for place, edge in enumerate(problem.work.boundaries):
        ends = layers[edge.producer].name, layers[edge.reader].name
        if any(first.strategies[end] == second.strategies[end] for end in ends):
            continue
        mixed = (problem.with_word(first, end, second.strategies[end]) for end in ends)
        alone = sum(sum(one.inter[place]) for one in mixed)
        together = sum(first.inter[place]) + sum(second.inter[place]) - alone
        if together:
            yield BoundaryInteraction(*ends, together)
