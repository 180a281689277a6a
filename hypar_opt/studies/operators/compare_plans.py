"""Two plans of operators: in which words and placements they differ, and what each of these differences costs alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.cost.operators.domains import FORWARD, GRADIENT, KEPT, NO, RECOMPUTE, STORAGE
from hypar_opt.evaluation.operators import movements
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, ENERGY, TIME
from hypar_opt.solver.kept_words import copies_of
from hypar_opt.studies.amounts import PlanAmount
from hypar_opt.studies.plan_comparison import PlanChange, PlanComparison

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.studies.compared_problems import FieldDifference
    from hypar_opt.verification.claim import Claim

OPERATOR, TENSOR, STORED, BLOCK = "operator", "tensor", "kept", "block"
"""What a change is of: a word, a placement of a tensor that several read, what is kept, whether a block runs again."""
KINDS = {FORWARD: TENSOR, GRADIENT: TENSOR, STORAGE: STORED, KEPT: STORED, RECOMPUTE: BLOCK}
"""By the end of a key of a plan's strategies."""


def compare_operator_plans(
    problems: tuple[OperatorProblem, OperatorProblem],
    differing: tuple[FieldDifference, ...],
    claims: tuple[Claim, Claim],
) -> PlanComparison:
    """Say in what two plans of operators differ and what each difference costs.

    Parameters
    ----------
    problems, differing
        Whose plans they are, and in what these differ.
    claims
        What is said of each.

    Raises
    ------
    InputError
        If one is no allowed plan.
    """
    problem = problems[0]
    first, second = (_checked(*one) for one in zip(problems, claims, strict=True))
    asked = {name for claim in claims for name in claim.criteria or ()}
    if differing:
        asked |= {COMMUNICATION, TIME, ENERGY}
        asked.update(*(one.objective.components for one in problems), *(one.instance.bounds for one in problems))
    known = problem.costs(problem.plan_of(first)).keys()
    components = tuple(name for name in COMPONENTS if name in asked and name in known)
    amounts = amount_of(problem, first, components), amount_of(problem, second, components)
    changes = sorted(
        _changes(problem, first, second, amounts[0]),
        key=lambda one: (-abs(one.more.objective), -abs(Fraction(one.more.bytes))),
    )
    faults = (problems[1].fault_of(first) or "", problem.fault_of(second) or "") if differing else ("", "")
    counts = Counter(kind_of(key) for key in dict.fromkeys((*first, *second)))
    things = {kind: counts[kind] for kind in (OPERATOR, TENSOR, STORED, BLOCK) if counts[kind]}
    return PlanComparison(
        problems, differing, faults, claims, amounts, components, tuple(changes), (), things, problem.axes
    )


def amount_of(problem: OperatorProblem, strategies: Mapping[str, str], components: Sequence[str] = ()) -> PlanAmount:
    """Return what a plan costs, recounted device by device: bytes by axis, the objective, and components.

    Parameters
    ----------
    components
        Beside those of the objective.
    """
    one, plan = problem.instance, problem.plan_of(strategies)
    names = tuple(dict.fromkeys((*problem.objective.components, *components)))
    levels = dict.fromkeys(problem.axes, Fraction(0))
    for moved in movements(one.graph, one.partition, plan, one.links):
        levels[moved.axis] += moved.bytes
    costs: Mapping[str, Fraction] = {COMMUNICATION: sum(levels.values(), start=Fraction(0))}
    if names != (COMMUNICATION,):
        costs = problem.costs(plan)
    return PlanAmount(tuple(levels.values()), problem.combined(costs), {name: costs[name] for name in names})


def kind_of(key: str) -> str:
    """Return what a key of a plan's strategies is of."""
    return next((kind for end, kind in KINDS.items() if key.endswith(end)), OPERATOR)


def _changes(
    problem: OperatorProblem, first: Mapping[str, str], second: Mapping[str, str], amount: PlanAmount
) -> Iterator[PlanChange]:
    """Yield what differs, each with what its change alone costs."""
    every = dict.fromkeys((*first, *second))
    changed = tuple(
        key.removesuffix(RECOMPUTE) for key in every if key.endswith(RECOMPUTE) and _differ(key, first, second)
    )
    for key in every:
        words = _said(key, first, second), _said(key, second, first)
        if words[0] == words[1] or _follows(key, changed):
            continue
        block = key.removesuffix(RECOMPUTE) if key.endswith(RECOMPUTE) else None
        kept = {} if block is None else {name: second.get(name, "") for name in every if _follows(name, (block,))}
        alone = {name: word for name, word in {**first, **kept, key: words[1]}.items() if word}
        more = amount_of(problem, alone, tuple(amount.costs)).minus(amount)
        pairs = enumerate(zip(*(word.split() for word in words), strict=False), start=1)
        levels = tuple(axis for axis, (a, b) in pairs if a != b) if kind_of(key) in (OPERATOR, TENSOR) else ()
        yield PlanChange(kind_of(key), key, *words, levels, more, problem.fault_of(alone) or "")


def _said(key: str, words: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return what a plan says, which says nothing of an operator that keeps copies."""
    said = words.get(key, "")
    return said if said or not key.endswith(KEPT) else copies_of(other[key])


def _differ(key: str, first: Mapping[str, str], second: Mapping[str, str]) -> bool:
    return first.get(key, NO) != second.get(key, NO)


def _follows(key: str, blocks: Sequence[str]) -> bool:
    """Return whether a key says what is kept in one of some blocks: of more or fewer maps if that runs once more."""
    return key.endswith(KEPT) and key.startswith(tuple(f"{block}." for block in blocks))


def _checked(problem: OperatorProblem, claim: Claim) -> Mapping[str, str]:
    """Return a plan's strategies, which have to be allowed."""
    strategies = claim.strategies_for("a plan to compare")
    problem.check_words(strategies, claim.source)
    fault = problem.fault_of(strategies)
    if fault is not None:
        raise claim.error(fault, "plan")
    return strategies
