"""Two plans of one network: in which layers they differ, and what each of these differences costs by itself.

A cost that is a sum over layers and boundaries changes by the sum of what each layer's change costs alone, and by what
the changes of two ends of a boundary cost together beyond that: the interaction. Of bytes it is known boundary by
boundary.

The problems of the plans may differ in what is minimised, bounded or to be kept; every component is compared then.
"""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, ENERGY, PLACED, TIME, depends_on
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.studies.amounts import PlanAmount, amount_of, fault_of_change, more_of
from hypar_opt.studies.compare_sends import compare_sends
from hypar_opt.studies.compare_stages import compare_stages
from hypar_opt.studies.compare_tasks import compare_tasks
from hypar_opt.studies.compared_problems import problems_compared
from hypar_opt.studies.operators.compare_plans import compare_operator_plans
from hypar_opt.studies.plan_comparison import PLACEMENT, BoundaryInteraction, PlanChange, PlanComparison
from hypar_opt.util.interrupt import never
from hypar_opt.verification.checks import placement_checks, require_all, strategy_checks
from hypar_opt.verification.verifier import claimed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.solver.front import TradeOff
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.compare_sends import SendComparison
    from hypar_opt.studies.compare_stages import StageComparison
    from hypar_opt.studies.compare_tasks import TaskComparison
    from hypar_opt.studies.compared_problems import FieldDifference
    from hypar_opt.verification.claim import Claim

AnyComparison: TypeAlias = "PlanComparison | StageComparison | SendComparison | TaskComparison"
"""Two plans compared, of whichever kind of problem."""


def compare_plans(
    first: Claim | Plan | TradeOff | Path | str,
    second: Claim | Plan | TradeOff | Path | str,
    instance: Instance | OperatorInstance | Problem | Path | str | None = None,
) -> AnyComparison:
    """Say in what two plans differ and what each difference costs.

    Of pipelines which operators stand elsewhere, and what every stage takes and keeps in either plan; of collectives
    which chunks go other ways, or at other times; of task graphs which tasks are done at other times.

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
    return COMPARED[problems[0].kind](problems, differing, claims)


def _compare_networks(
    problems: tuple[NetworkProblem, NetworkProblem],
    differing: tuple[FieldDifference, ...],
    claims: tuple[Claim, Claim],
) -> PlanComparison:
    problem, asked = problems[0], {*claims[0].criteria, *claims[1].criteria}
    if differing:
        asked.update(*(one.instance.spec.components for one in problems))
    (strategies, placed), (others, other_placed) = (
        _checked(one, claim, asked) for one, claim in zip(problems, claims, strict=True)
    )
    if differing:
        asked.update((COMMUNICATION, TIME, ENERGY))
    breakdowns = problem.bytes_of(strategies), problem.bytes_of(others)
    known = [problem.costs(breakdowns[0], one, asked) for one in (placed, other_placed)] if asked else []
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
    things = {"layer": len(problem.work.layers)}
    return PlanComparison(
        problems, differing, faults, claims, amounts, components, tuple(ordered), tuple(boundaries), things
    )


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


COMPARED: Final[Mapping[str, Callable[[Any, tuple[FieldDifference, ...], tuple[Claim, Claim]], AnyComparison]]] = (
    MappingProxyType(
        {
            "network": _compare_networks,
            "operators": compare_operator_plans,
            "pipeline": compare_stages,
            "collective": compare_sends,
            "task-graph": compare_tasks,
        }
    )
)
"""By kind of problem, what compares two of its plans."""
