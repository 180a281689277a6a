"""Evaluator of peaks: every plan is looked at that differs from a formulation's in some layers and levels alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.instance.choices import letters_of
from hypar_opt.instance.network import workload
from hypar_opt.studies.claims.legality import require_allowed
from hypar_opt.studies.claims.model_statements import Peak
from hypar_opt.studies.claims.pricing import cost_of
from hypar_opt.studies.claims.spelling import worded
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement
from hypar_opt.util.errors import RecomputationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance import Instance
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.claims.claims import PublishedClaim
    from hypar_opt.studies.claims.plans import PlanCache


Words = dict[str, str]


@dataclass(frozen=True)
class Neighbourhood:
    """Plans around one plan.

    Parameters
    ----------
    own
        The word of every layer where it is not explored.
    layers, levels
        What is explored; a level is counted from 1, the root.
    letters
        Of every layer.
    """

    own: Mapping[str, str]
    layers: Sequence[str]
    levels: Sequence[int]
    letters: Mapping[str, str]

    @property
    def size(self) -> int:
        """How many plans there are, allowed or not."""
        return prod(len(self.letters[layer]) ** len(self.levels) for layer in self.layers)

    def plans(self) -> Iterator[Words]:
        """Yield every plan."""
        each = [[self._word(layer, letters) for letters in self._choices(layer)] for layer in self.layers]
        for words in product(*each):
            yield dict(self.own) | dict(zip(self.layers, words, strict=True))

    def outside(self, words: Mapping[str, str]) -> str | None:
        """Return where a plan differs from the own one although that is not explored, or None."""
        for layer, word in self.own.items():
            kept = set(range(1, len(word) + 1)) - (set(self.levels) if layer in self.layers else set())
            if any(words[layer][level - 1] != word[level - 1] for level in kept):
                return f"{layer} is {words[layer]}, and {word} where nothing is explored"
        return None

    def _choices(self, layer: str) -> Iterator[tuple[str, ...]]:
        return product(self.letters[layer], repeat=len(self.levels))

    def _word(self, layer: str, letters: Sequence[str]) -> str:
        at = dict(zip(self.levels, letters, strict=True))
        return "".join(at.get(level, letter) for level, letter in enumerate(self.own[layer], start=1))


@dataclass(frozen=True)
class Peaks:
    """What comes of looking at every plan.

    Parameters
    ----------
    least
        The least cost of any plan that is allowed.
    best
        All plans that have it.
    count
        How many plans are allowed.
    """

    least: Fraction
    best: Sequence[Words]
    count: int


def peaks(space: Neighbourhood, problem: NetworkProblem, component: str) -> Peaks:
    """Return the best of the plans, of which the instance has to allow one.

    Found by the compiled costs, which are quick; what is found is recomputed by code that shares nothing with them.

    Raises
    ------
    RecomputationError
        If a plan that is found is not allowed, or costs something else.
    """
    graph = problem.weighing({component: Fraction(1)})
    values: dict[int, list[Words]] = {}
    count = 0
    for words in space.plans():
        choices = problem.choices(words)
        if not graph.feasible(choices):
            continue
        count, value = count + 1, graph.value(choices)
        if not values or value <= min(values):
            values = {value: [*values.get(value, []), words]}
    least = min(values)
    found = Peaks(Fraction(least, graph.objective.denominator), values[least], count)
    for words in found.best:
        fault, cost = problem.fault_of(words), problem.costs(problem.bytes_of(words), problem.sites).get(component)
        if fault is not None or cost != found.least:
            raise RecomputationError(fault or f"a peak costs {cost} {component}, and the search says {found.least}")
    return found


def judge_peak(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether no plan that is explored is better; others may be as good, and are named."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, Peak)
    problem = plans.problem(case)
    own = plans.strategies(case, statement.formulation)
    printed = dict(own) | statement.strategies
    require_allowed(case, problem, printed)
    space = space_of(case.instance, statement, own)
    outside = space.outside(printed)
    if outside is not None:
        return Judgement(
            ClaimVerdict.REFUTED, "not explored", f"the plan is none of those explored: {outside}", case.label
        )
    cost = cost_of(case, printed, statement.component, plans)  # settles first what cannot be known
    try:
        found = peaks(space, problem, statement.component)
    except RecomputationError as error:
        return Judgement(ClaimVerdict.UNDECIDED, "-", f"a contradiction: {error}", case.label)
    details = {"explored": found.count, "best": [_part(words, space) for words in found.best]}
    evidence = f"{found.count:,} plans explored, {len(found.best):,} with the least {statement.component}"
    if cost < found.least:
        off = f"{float(1 - cost / found.least):.3%} less {statement.component}"
        why = f"a contradiction: the plan, which is allowed and explored, has {off} than the least of those explored"
        return Judgement(ClaimVerdict.UNDECIDED, "-", why, evidence, "", details)
    if cost == found.least:
        ties = len(found.best) - 1
        recomputed = "the peak" if not ties else f"a peak, with {ties:,} more"
        return Judgement(ClaimVerdict.CONFIRMED, recomputed, "", evidence, "", details)
    recomputed = f"peak: {worded(_part(found.best[0], space))}"
    why = f"a plan that is explored is better: {float(cost / found.least - 1):.3%} more {statement.component} than it"
    return Judgement(ClaimVerdict.REFUTED, recomputed, why, evidence, "", details)


def space_of(instance: Instance, statement: Peak, own: Mapping[str, str]) -> Neighbourhood:
    """Return the plans that a statement explores."""
    layers = statement.layers or instance.network.decision_names
    levels = statement.levels or tuple(range(1, instance.levels + 1))
    work = {layer.name: layer for layer in workload(instance.network).layers}
    letters = {name: letters_of(work[name], instance.choices) for name in layers}
    return Neighbourhood(own, layers, levels, letters)


def _part(words: Mapping[str, str], space: Neighbourhood) -> dict[str, str]:
    return {layer: words[layer] for layer in space.layers}
