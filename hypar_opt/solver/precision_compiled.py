"""A network whose layers also choose in how many bits they send, compiled: costs, and the way to choices and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.cost.precision import PrecisionCosts
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.evaluation.precision import JudgedPrecision
from hypar_opt.instance.objective.components import COMMUNICATION, ROUNDING
from hypar_opt.instance.sent_words import SentWord
from hypar_opt.instance.text import shown
from hypar_opt.solver.network_costs import weights_in_order
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from hypar_opt.costgraph import Capacity, CostGraph
    from hypar_opt.instance import Instance
    from hypar_opt.instance.network import Workload
    from hypar_opt.instance.objective.function import ObjectiveFunction

EXAMPLE: Final = "'dm all:8' or 'dm gradient:8 error:16'"


@dataclass(frozen=True, eq=False)
class CompiledPrecision:
    """What is compiled of an instance, and the judge of its plans.

    Parameters
    ----------
    instance
        As read.
    """

    instance: Instance

    @property
    def objective(self) -> ObjectiveFunction:
        """What the objective asks for."""
        return self.instance.objective

    @cached_property
    def network(self) -> NetworkProblem:
        """The same network all of which is sent in full, without bounds."""
        plain = {"precision": None, "subject_to": {}, "objective": {COMMUNICATION: Decimal(1)}}
        return NetworkProblem(self.instance.changed(self._built, **plain))

    @property
    def _built(self) -> Any:
        return self.instance.machine if self.instance.is_placed else None

    @cached_property
    def costs(self) -> PrecisionCosts:
        """What choices cost."""
        one = self.network
        precision = self.instance.precision
        assert precision is not None  # or it would be another kind
        return PrecisionCosts(one.work, one.model, precision, one.base, one.memory)

    @property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return self.network.work

    @cached_property
    def evaluator(self) -> Evaluator:
        """Judges plans, by code that shares nothing with the search."""
        return Evaluator(self.instance)

    def sites_of(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the positions of accelerators, one for every leaf.

        Raises
        ------
        InputError
            If a name is none, or there is not one for every leaf.
        """
        return sites_of(self.evaluator, names)

    @cached_property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self.weighing(self.weights)

    @cached_property
    def weights(self) -> Mapping[str, Fraction]:
        """What every component weighs; those that come later in a lexicographic objective next to nothing."""
        return weights_in_order(self.objective, self.weighing)

    def weighing(self, weights: Mapping[str, Fraction]) -> CostGraph:
        """Return the problem under other weights.

        Parameters
        ----------
        weights
            By component, exact.

        Raises
        ------
        InputError
            If the array does not say what a component needs.
        """
        return self.costs.weighed(self._by_words(weights), weights, self.bounds)

    def _by_words(self, weights: Mapping[str, Fraction]) -> CostGraph:
        return self.network.weighing({name: one for name, one in weights.items() if name != ROUNDING})

    @cached_property
    def bounds(self) -> tuple[Capacity, ...]:
        """What components may come to at most."""
        return tuple(
            self.costs.bound(name, most, self._by_words({name: Fraction(1)}))
            for name, most in self.instance.bounds.items()
        )

    def entries_of(self, strategies: Mapping[str, str]) -> dict[str, SentWord]:
        """Return every layer's word and bits.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a text is none.
        """
        layers = self.instance.network.decision_names
        unknown = next((name for name in strategies if name not in layers), None)
        if unknown is not None:
            hint = did_you_mean(unknown, layers)
            raise InputError(f"the plan has a layer '{unknown}', the instance has none{hint}", field="plan")
        found = {}
        for name in layers:
            if name not in strategies:
                raise InputError(f"the plan has no strategy for layer '{name}'", field="plan")
            entry = SentWord.read(strategies[name])
            if entry is None:
                expected = f"a word and bits as {EXAMPLE}"
                raise InputError(f"expected {expected}, got {shown(strategies[name])}", field=f"plan.{name}")
            found[name] = entry
        return found

    def judged(self, strategies: Mapping[str, str]) -> JudgedPrecision:
        """Return what is true of a plan, by code that shares nothing with the search."""
        return JudgedPrecision(self.evaluator, self.entries_of(strategies))

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return every layer's word and bits, as text."""
        found = {}
        for variable, own, choice in zip(self.network.base.variables, self.costs.choices, choices, strict=True):
            word = "" if variable.words is None else variable.words.word(int(own.words[choice]))
            found[variable.name] = str(SentWord(word, own.ways[choice]))
        return found

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan is.

        Raises
        ------
        InputError
            If it is no plan of this network: names the layer.
        """
        entries = self.entries_of(strategies)
        words = self.network.choices({name: entry.word for name, entry in entries.items()})
        found = []
        for name, word, own in zip(entries, words, self.costs.choices, strict=True):
            ways = enumerate(zip(own.words.tolist(), own.ways, strict=True))
            place = next((at for at, one in ways if one == (word, dict(entries[name].bits))), None)
            if place is None:
                raise InputError(f"'{entries[name]}' is no choice of this layer", field=f"plan.{name}")
            found.append(place)
        return tuple(found)
