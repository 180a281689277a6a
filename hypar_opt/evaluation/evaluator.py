"""What is true of an instance's plans: bytes, costs and memory, by code that shares nothing with the CostGraph."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING

from hypar_opt.evaluation.communication import (
    Breakdown,
    ExchangeSetting,
    Touching,
    communication,
    parts_of_bytes,
    summed_elements,
    touching_of,
    with_word,
)
from hypar_opt.evaluation.legality import Rules, Split, illegal, impossible, incomplete, uneven_splits
from hypar_opt.evaluation.links import Measured, ScheduledSums, SumTimer, Walked, walk, weigh
from hypar_opt.evaluation.step import Step, StepSetting, kept_by_kind, least_resident, resident
from hypar_opt.instance.accountings import LEVELLED
from hypar_opt.instance.network import WorkLayer, Workload, workload
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, EXCHANGES
from hypar_opt.util.errors import Refusal
from hypar_opt.util.interrupt import never
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.instance import Instance
    from hypar_opt.instance.collective import SendSchedule
    from hypar_opt.instance.objective.function import ObjectiveFunction

MOST_LEVELS_WALKED = 10
"""Up to so many levels a given placement is walked even where the objective does not ask for it."""


@dataclass(frozen=True)
class Evaluator:
    """Judges the plans of an instance.

    Parameters
    ----------
    instance
        As read.
    """

    instance: Instance

    @cached_property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return workload(self.instance.network)

    @property
    def objective(self) -> ObjectiveFunction:
        """What the objective asks for."""
        return self.instance.objective

    @property
    def placed(self) -> tuple[int, ...] | None:
        """The given placement where the objective depends on one: an accelerator's position for every leaf."""
        return self.instance.placement if self.instance.is_placed else None

    @property
    def rules(self) -> Rules:
        """What a plan has to keep to."""
        one = self.instance
        return Rules(one.samples_at_once, one.partition, one.choices, one.splits == "divisible", one.fix)

    def fault_of(self, strategies: Mapping[str, str]) -> str | None:
        """Return what keeps strategies from being a plan, by code that shares nothing with the CostGraph, or None.

        Parameters
        ----------
        strategies
            By layer.
        """
        fault = incomplete(self.work, strategies) or illegal(self.work, strategies, self.rules)
        return fault or self.excess(strategies)

    def excess(self, strategies: Mapping[str, str]) -> str | None:
        """Return what a plan has too much of, for the memory or for a bound on its cost, or None."""
        over = self.overflow(strategies)
        if over is not None or not self.instance.bounds:
            return over
        costs = self.costs(self.bytes_of(strategies), self.placed)
        for name, most in self.instance.bounds.items():
            if name not in costs:
                return f"{name} is bounded, and it depends on a placement that is not given"
            if costs[name] > most:
                return f"the plan's {name} is {in_full(costs[name])} {COMPONENTS[name].unit}, above {in_full(most)}"
        return None

    def overflow(self, strategies: Mapping[str, str]) -> str | None:
        """Return what a plan keeps in an accelerator's memory where that has less, or None."""
        if self.capacity is None:
            return None
        need = sum(self.resident(strategies).values(), start=Fraction(0))
        if need <= self.capacity:
            return None
        return f"the plan needs {in_full(need)} bytes on every accelerator, which has {in_full(self.capacity)}"

    def uneven_splits(self, strategies: Mapping[str, str]) -> tuple[Split, ...]:
        """Return the splits of a plan that leave something over, or are of more parts than there are elements."""
        return uneven_splits(self.work, strategies, self.instance.samples_at_once, self.instance.partition)

    @property
    def is_feasible(self) -> bool:
        """Whether there is a plan, bounds on its cost aside: what a layer may have and keeps depends on it alone."""
        if impossible(self.work, self.rules) is not None:
            return False
        return self.capacity is None or (self.least_resident is not None and self.short_of is None)

    @cached_property
    def short_of(self) -> tuple[Fraction, Fraction] | None:
        """The bytes that any plan keeps on an accelerator and what that has, where the first are more; or None.

        What a layer keeps depends on its own strategy alone.
        """
        least = None if self.capacity is None else self.least_resident
        needed = Fraction(0) if least is None else sum(least.values(), start=Fraction(0))
        return None if self.capacity is None or needed <= self.capacity else (needed, self.capacity)

    @property
    def capacity(self) -> Fraction | None:
        """The bytes that an accelerator's memory holds; None where the array does not say."""
        return None if self.instance.accelerator is None else self.instance.accelerator.capacity

    def bytes_of(self, strategies: Mapping[str, str], accounting: str | None = None) -> Breakdown:
        """Return what a plan exchanges, by code that shares nothing with the CostGraph.

        Parameters
        ----------
        strategies
            By layer.
        accounting
            Another than the instance's.
        """
        return communication(self.work, strategies, self._charged_by(accounting or self.instance.accounting))

    def with_word(self, breakdown: Breakdown, name: str, word: str) -> Breakdown:
        """Return what a plan exchanges in which one layer has another word; only what that touches is recounted.

        Parameters
        ----------
        breakdown
            Of the plan as it is, by the instance's accounting.
        name, word
            Of the layer, and what it has instead.
        """
        setting = self._charged_by(self.instance.accounting)
        return with_word(self.work, breakdown, name, word, setting, self.touching)

    @cached_property
    def touching(self) -> Touching:
        """By layer, its position and those of the boundaries that it writes or reads."""
        return touching_of(self.work)

    def summed_elements(self, layer: WorkLayer, operand: Operand) -> int:
        """Return the elements of a tensor of a layer where it is left in partial sums, over the whole batch."""
        return summed_elements(layer, operand, self._charged_by(self.instance.accounting))

    def _charged_by(self, accounting: str) -> ExchangeSetting:
        one = self.instance
        return ExchangeSetting(one.batch, one.partition, accounting, one.bytes_per_element, one.input_error)

    def measured(self, breakdown: Breakdown, placed: Sequence[int]) -> Measured:
        """Return what a plan's bytes cost on their way, by walking every route.

        Parameters
        ----------
        breakdown
            Of the plan.
        placed
            An accelerator's position for every leaf.
        """
        levels = [breakdown.level(h) for h in range(self.instance.levels)]
        key = tuple(placed)
        if key == self.instance.placement:
            self.walk_routes(key)
        one = self.instance
        walked = self.walked.get(key) or walk(one.machine, placed, partition=one.partition)
        return weigh(one.machine, walked, levels, self._scheduled(breakdown, walked, key))

    def _scheduled(self, breakdown: Breakdown, walked: Walked, placed: tuple[int, ...]) -> ScheduledSums | None:
        """Return what a plan's partial sums take by schedules; None where each is exchanged with the counterpart."""
        one, asked = self.instance, self.instance.scheduled_sums
        if asked is None:
            return None
        if placed not in self.timers:
            schedules = partial(self.sum_sends, placed)
            self.timers[placed] = SumTimer(one.machine, walked, placed, asked, schedules)
        others = [sum(row[h] for row in breakdown.inter) for h in range(one.levels)]
        sums = self.timers[placed].of_plan(self.work, breakdown)
        return ScheduledSums(sums, weigh(one.machine, walked, others))

    @cached_property
    def timers(self) -> dict[tuple[int, ...], SumTimer]:
        """By placement, what recounts the time of scheduled sums."""
        return {}

    def sum_sends(self, placed: tuple[int, ...], levels: tuple[int, ...]) -> Mapping[str, SendSchedule]:
        """Return the schedules by which a set of levels may exchange partial sums, by algorithm.

        Raises
        ------
        Refusal
            If nobody found some: a problem that is compiled does.
        """
        raise Refusal("schedules of partial sums are found where an instance is solved; try the algorithm pairwise")

    def walk_routes(self, placed: Sequence[int], over: Callable[[], bool] = never) -> None:
        """Walk every route of a placement, unless that is done, and keep them for whatever is measured later.

        Parameters
        ----------
        placed
            An accelerator's position for every leaf.
        over
            Asked now and then whether to stop.

        Raises
        ------
        Interrupted
            If it has to stop.
        """
        key = tuple(placed)
        if key not in self.walked:
            self.walked[key] = walk(self.instance.machine, key, over, self.instance.partition)

    @cached_property
    def walked(self) -> dict[tuple[int, ...], Walked]:
        """The routes of the given placement, and of others that were to be kept."""
        return {}

    def step(self, breakdown: Breakdown, placed: Sequence[int] | None = None) -> Step | None:
        """Return the analytic model of a plan's training step, where the array says what an accelerator can do.

        Parameters
        ----------
        breakdown
            Of the plan.
        placed
            An accelerator's position for every leaf; without one nothing is known of the links.
        """
        if self.instance.accelerator is None:
            return None
        measured = None if placed is None else self.measured(breakdown, placed)
        return Step(self.work, breakdown, self._setting, measured)

    def costs(
        self, breakdown: Breakdown, placed: Sequence[int] | None = None, names: Collection[str] = ()
    ) -> dict[str, Fraction]:
        """Return what is known of a plan's cost, by component, by code that shares nothing with the CostGraph.

        Parameters
        ----------
        breakdown
            Of the plan.
        placed
            An accelerator's position for every leaf; without one nothing is known of the links.
        names
            Components that are asked for beside those of the objective and of bounds: parts of the communication are
            told where one of these is.
        """
        measured = None if placed is None else self.measured(breakdown, placed)
        found = {COMMUNICATION: Fraction(breakdown.total)} if measured is None else dict(measured.costs)
        if self.tells_parts(names):
            found |= parts_of_bytes(self.work, breakdown)
        if self.instance.accelerator is None:
            return found
        return {**found, **Step(self.work, breakdown, self._setting, measured).costs}

    def tells_parts(self, names: Collection[str] = ()) -> bool:
        """Return whether a part of the communication is asked for: by the objective, by bounds, or by name."""
        asked = {*self.objective.components, *self.instance.bounds, *names}
        return not asked.isdisjoint(EXCHANGES) and self.instance.accounting in LEVELLED

    @property
    def sites(self) -> tuple[int, ...] | None:
        """Where the leaves stand, if that is given and the array is small enough to be walked for information."""
        few = self.instance.is_placed or self.instance.levels <= MOST_LEVELS_WALKED
        return self.instance.placement if few else None

    def resident(self, strategies: Mapping[str, str]) -> dict[str, Fraction]:
        """Return the bytes that every layer keeps in an accelerator's memory, slice by slice."""
        return resident(self.work, strategies, self._setting)

    def kept_by_kind(self, strategies: Mapping[str, str]) -> tuple[Fraction, Fraction]:
        """Return, of what is resident, the bytes of weights, and of maps that are kept from forward to backward."""
        return kept_by_kind(self.work, strategies, self._setting)

    @cached_property
    def least_resident(self) -> dict[str, Fraction] | None:
        """The least that every layer can keep, whatever the others do; None where one has no allowed strategy."""
        return least_resident(self.work, self.rules, self._setting)

    @property
    def _setting(self) -> StepSetting:
        one = self.instance
        assert one.accelerator is not None  # asked for where there is one
        return StepSetting(
            one.accelerator, one.optimiser, one.batch, one.partition, one.bytes_per_element, one.input_error
        )
