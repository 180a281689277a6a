"""A training step on accelerators of several kinds, event by event: who does what when, and who waits for whom.

Every class of leaves is a process. It does its part of one thing after the other, in the order of the network, as the
evaluator says how long that takes; where groups wait it waits until the last class is there. Nobody contends for
links, so a step takes what the analytic model says: the sum over waits of the longest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from hypar_opt.evaluation.communication import whole
from hypar_opt.evaluation.mixed import Stint, step_time, stints
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.surd import Surd, exact_number

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from simpy import Environment, Event

    from hypar_opt.evaluation.mixed import MixedSetting
    from hypar_opt.instance.network import Workload
    from hypar_opt.solver.mixed.problem import MixedProblem


class StintSpan(NamedTuple):
    """A class's time with one stint, or with waiting.

    Parameters
    ----------
    doing
        Position in `MixedSimulation.stints`; None while it waits.
    wait
        Which wait ends what it does.
    begin, end
        Seconds.
    """

    doing: int | None
    wait: int
    begin: Fraction
    end: Fraction


@dataclass(frozen=True)
class MixedSimulation:
    """A simulated step.

    Parameters
    ----------
    classes
        Names of the classes of leaves.
    stints
        What there is to do.
    spans
        By class, what it did, in order; nothing of no length.
    time, analytic
        Seconds of the step, simulated and by the evaluator.
    """

    classes: tuple[str, ...]
    stints: tuple[Stint, ...]
    spans: tuple[tuple[StintSpan, ...], ...]
    time: Fraction
    analytic: Fraction

    def seconds(self, place: int, doing: str) -> Fraction:
        """Return how long a class computes, reads or waits.

        Parameters
        ----------
        place
            Of the class.
        doing
            `computing`, `reading` or `waiting`.
        """
        each = (one.end - one.begin for one in self.spans[place] if self._doing(one) == doing)
        return sum(each, start=Fraction(0))

    def _doing(self, span: StintSpan) -> str:
        if span.doing is None:
            return "waiting"
        return "computing" if self.stints[span.doing].doing == "computing" else "reading"


def simulate_mixed(
    problem: MixedProblem, strategies: Mapping[str, str], shares: Mapping[str, Fraction]
) -> MixedSimulation:
    """Simulate one training step of a plan on accelerators of several kinds.

    Parameters
    ----------
    problem
        Whose plan.
    strategies
        By layer.
    shares
        By split, what its first half gets.

    Raises
    ------
    InputError
        If that is no plan of the problem.
    MissingPackage
        If simpy is not installed.
    """
    require("simulate")
    fault = problem.fault_of_plan(strategies, shares)
    if fault is not None:
        raise InputError(fault, field="plan")
    return simulated(problem.work, strategies, shares, problem.judged_by)


def simulated(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Fraction], setting: MixedSetting
) -> MixedSimulation:
    """Simulate a plan that is one."""
    import simpy

    found = tuple(stints(work, strategies, shares, setting))
    classes, waits = setting.array.classes, setting.barrier.waits(work, setting.levels)
    unit = ticks_a_second(found)
    env = simpy.Environment()
    running = _Running(env, [env.event() for _ in range(waits)], len(classes), unit, [[] for _ in classes])
    by_wait: list[list[tuple[int, Stint]]] = [[] for _ in range(waits)]
    for position, stint in enumerate(found):
        by_wait[setting.barrier.wait(work, stint.part)].append((position, stint))
    for place in range(len(classes)):
        env.process(running.process(place, by_wait))
    env.run()
    names = tuple(one.name for one in classes)
    spans = tuple(map(tuple, running.spans))
    analytic = step_time(work, strategies, shares, setting)
    return MixedSimulation(names, found, spans, exact_number(env.now) / unit, analytic)


def ticks_a_second(found: Iterable[Stint]) -> int:
    """Return a number of which all times are multiples of one over; 1 where some are roots, which are no multiples."""
    seconds = [one for stint in found for one in stint.seconds]
    return 1 if any(isinstance(one, Surd) for one in seconds) else lcm(*(one.denominator for one in seconds))


@dataclass
class _Running:
    """The state of a simulation.

    Parameters
    ----------
    env
        Counts ticks.
    over
        By wait, what happens when the last class is there.
    classes
        How many there are.
    unit
        Ticks a second.
    spans
        By class.
    """

    env: Environment
    over: Sequence[Event]
    classes: int
    unit: int
    spans: list[list[StintSpan]]

    def __post_init__(self) -> None:
        self.arrived = [0] * len(self.over)

    def process(self, place: int, by_wait: Sequence[Sequence[tuple[int, Stint]]]) -> Generator[Event, Any, None]:
        """Do a class's part of everything, and wait for the others where groups wait."""
        for wait, parts in enumerate(by_wait):
            for position, stint in parts:
                begin = self.env.now
                ticks: Any = whole(stint.seconds[place] * self.unit)  # an integer, or exact where a time is a root
                yield self.env.timeout(ticks)
                self._note(place, position, wait, begin)
            begin = self.env.now
            self.arrived[wait] += 1
            if self.arrived[wait] == self.classes:
                self.over[wait].succeed()
            yield self.over[wait]
            self._note(place, None, wait, begin)

    def _note(self, place: int, doing: int | None, wait: int, begin: float) -> None:
        if self.env.now > begin:
            span = StintSpan(doing, wait, exact_number(begin) / self.unit, exact_number(self.env.now) / self.unit)
            self.spans[place].append(span)
