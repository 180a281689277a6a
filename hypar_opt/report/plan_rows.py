"""The rows of a plan's grid: a layer each, or neighbours with equal strategies together."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final

from hypar_opt.report.numbers import in_bytes, in_component, in_objective

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.communication import Breakdown, Bytes
    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.regrets import Explanation, Regret

MOST_UNFOLDED: Final = 30
"""Layers from which on neighbours with equal strategies share a row."""
NONE: Final = "none allowed"
SPACED: Final = 8
"""Words of up to so many levels are shown with spaces."""


@dataclass(frozen=True)
class PlanGrid:
    """What the rows say.

    Parameters
    ----------
    problem, strategies, breakdown
        The plan, and what it exchanges.
    explanation
        With the regrets, if there are any.
    every_row
        Whether every layer has a row of its own, however many there are.
    own_shares
        By layer, what it has of its own at unlike halves; empty where no layer has.
    """

    problem: NetworkProblem | MixedProblem
    strategies: Mapping[str, str]
    breakdown: Breakdown
    explanation: Explanation | None
    every_row: bool = False
    own_shares: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The positions of every row's layers."""
        places = range(len(self.problem.work.layers))
        if self.every_row or len(places) <= MOST_UNFOLDED:
            return tuple((place,) for place in places)
        names = [layer.name for layer in self.problem.work.layers]
        key = [(self.strategies[name], self.own_shares.get(name)) for name in names]
        return tuple(tuple(run) for _, run in groupby(places, key=lambda place: key[place]))

    @property
    def note(self) -> str:
        """What is said of rows of several layers, or nothing where there are none."""
        layers = len(self.problem.work.layers)
        if len(self.rows) == layers:
            return ""
        regrets = " and the least of their regrets" if self._has_regrets else ""
        return (
            f"({layers:,} layers in {len(self.rows):,} rows: neighbours with equal strategies share one, with the sum "
            f"of their bytes{regrets}; --all shows each)"
        )

    @property
    def _has_regrets(self) -> bool:
        return self.explanation is not None and not self.explanation.missing

    def columns(self, most: int) -> dict[str, list[str]]:
        """Return the cells by heading, of no more rows than that."""
        layers, before = self.problem.work.layers, inter_before(self.problem, self.breakdown)
        rows = self.rows[:most]
        found = {
            "layer": [_named([layers[place] for place in row]) for row in rows],
            "kind": [_kind([layers[place] for place in row]) for row in rows],
            "levels": [spaced(self.strategies[layers[row[0]].name]) for row in rows],
            **({"share": [self.own_shares[layers[row[0]].name] for row in rows]} if self.own_shares else {}),
            "intra": [in_bytes(sum(sum(self.breakdown.intra[place]) for place in row)) for row in rows],
            "inter before": [in_bytes(sum(before[place] for place in row)) for row in rows],
        }
        if self._has_regrets:
            regrets = [self._regret([layers[place] for place in row]) for row in rows]
            found |= {"second best": [row[0] for row in regrets], "its regret": [row[1] for row in regrets]}
        return found

    def _regret(self, layers: Sequence[WorkLayer]) -> tuple[str, str]:
        """Return the second-best strategy of the layer that would lose least, and what that is."""
        assert self.explanation is not None
        known: list[Regret] = [
            one for one in (self.explanation.regrets[layer.name] for layer in layers) if one is not None
        ]
        if not known:
            return NONE, ""
        least = min(known, key=lambda one: one.cost)
        sign = "+" if least.cost > 0 else ""
        return spaced(least.second_best), f"{sign}{regret_text(self.problem, least)}"


def regret_text(problem: NetworkProblem | MixedProblem, regret: Regret) -> str:
    """Return what a second-best strategy costs more: of one component before another, the first in which it differs."""
    first = next(((name, cost) for name, cost in regret.costs.items() if cost), None)
    if first is None:
        return in_objective(problem.objective, regret.cost)
    name, cost = first
    return f"{in_component(name, cost)} {name}"


def inter_before(problem: NetworkProblem | MixedProblem, breakdown: Breakdown) -> list[Bytes]:
    """Return for every layer the bytes of the boundaries that it reads."""
    totals: list[Bytes] = [0] * len(problem.work.layers)
    for edge, row in zip(problem.work.boundaries, breakdown.inter, strict=True):
        totals[edge.reader] += sum(row)
    return totals


def _named(layers: Sequence[WorkLayer]) -> str:
    """Return a layer's name, or those of the first and the last of several."""
    return layers[0].name if len(layers) == 1 else f"{layers[0].name} to {layers[-1].name}"


def _kind(layers: Sequence[WorkLayer]) -> str:
    return layer_kind(layers[0]) if len(layers) == 1 else f"{len(layers):,} layers"


def layer_kind(layer: WorkLayer) -> str:
    """Return a layer's kind; where its m splits groups, with their number."""
    return f"{layer.kind}, {layer.groups:,} groups" if layer.groups > 1 else layer.kind


def spaced(word: str) -> str:
    """Return a strategy with spaces between its letters, unless it is long."""
    return "".join(f"{letter} " for letter in word) if len(word) <= SPACED else word


def first_to_last(names: Sequence[str]) -> str:
    """Return the first and the last of some names, or the only one."""
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
