"""Evaluator of what as-evaluated stands for: what reduce-scatters, all-gathers and separate all-to-alls move."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.choices import LETTERS
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.statements import Unfused
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case

SEED: Final = 0
"""Of the plans that are drawn."""


@dataclass(frozen=True)
class Difference:
    """How far two accountings of a plan are apart, and by the formula.

    Parameters
    ----------
    fused
        What one all-to-all over several levels saves of one a level.
    pooled
        What as-evaluated leaves out by taking the sums in front of pools for those of the pooled map.
    counted
        Bytes under as-evaluated less those under collective.
    """

    fused: Fraction
    pooled: Fraction
    counted: Fraction

    @property
    def holds(self) -> bool:
        """Whether the formula gives what was counted."""
        return self.counted == self.fused - self.pooled


def judge_unfused(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge on every instance, for a formulation's plan and for drawn ones, in exact bytes."""
    statement = claim.statement
    assert isinstance(statement, Unfused)
    found, rows, why = 0, list[dict[str, Any]](), ""
    for cases in zip(*claim.by_reading, strict=True):
        one, other = (plans.problem(case) for case in cases)
        _require_formula(cases[0], one)
        differences = [difference(one, other, words) for words in _plans(statement, cases[0], one, plans)]
        own = differences[0]
        row = {"fused": exact(own.fused), "pooled": exact(own.pooled), "difference": exact(own.counted)}
        wrong = next((each for each in differences if not each.holds), None)
        if wrong is not None and not why:
            expected = in_full(wrong.fused - wrong.pooled)
            why = f"{cases[0].label}: a plan differs by {in_full(wrong.counted)} bytes, by the formula by {expected}"
        found += wrong is None
        rows.append({"instance": one.instance.name, "plans": len(differences), **row})
    recomputed = f"{found} of {len(rows)}"
    evidence = f"{statement.formulation}'s plan and {statement.plans} drawn ones of each, recomputed under both"
    return Judgement.confirmed_unless(why, recomputed, evidence, {"differences": rows})


def difference(one: NetworkProblem, other: NetworkProblem, words: Mapping[str, str]) -> Difference:
    """Return how far as-evaluated and collective are apart on a chain of dp and mp (docs/model.md#collective).

    Parameters
    ----------
    one, other
        Under as-evaluated and under collective.
    words
        Of the plan.
    """
    layers, each = one.work.layers, one.instance.bytes_per_element * one.instance.batch
    fused = sum((_saved(words, layers[edge.producer].name, layers[edge.reader].name) * edge.feature
                 for edge in one.work.boundaries), start=Fraction(0))  # fmt: skip
    behind = {edge.producer: edge.feature for edge in one.work.boundaries}
    pooled = sum(
        2 * (layer.written - behind.get(place, layer.feature_out)) * (2 ** words[layer.name].count("m") - 1)
        for place, layer in enumerate(layers)
    )
    counted = Fraction(one.bytes_of(words).total) - Fraction(other.bytes_of(words).total)
    return Difference(each * fused, Fraction(each * pooled), counted)


def _saved(words: Mapping[str, str], producer: str, reader: str) -> Fraction:
    """Return z - 2 (1 - 2^-z), z the levels at which the one has dp and the other mp."""
    levels = sum(pair == (LETTERS["dp"], LETTERS["mp"]) for pair in zip(words[producer], words[reader], strict=True))
    return levels - 2 * (1 - Fraction(1, 2**levels))


def _plans(statement: Unfused, case: Case, problem: NetworkProblem, plans: PlanCache) -> Iterator[Mapping[str, str]]:
    """Yield the formulation's plan, then drawn words of dp and mp."""
    yield plans.strategies(case, statement.formulation)
    rng = Random(SEED)
    for _ in range(statement.plans):
        yield {layer.name: "".join(rng.choices("dm", k=problem.instance.levels)) for layer in problem.work.layers}


def _require_formula(case: Case, problem: NetworkProblem) -> None:
    """Settle that nothing is known of networks that the formula is not about."""
    if any(layer.keeps_layout for layer in problem.work.layers) or "op" in problem.instance.choices:
        why = f"{case.label}: the formula is of chains of dp and mp without groups"
        raise Settled(Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=why))
