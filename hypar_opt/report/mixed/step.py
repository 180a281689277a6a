"""What every class of leaves does in a step of a plan: computing, reading, waiting, and for whom."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.mixed import resident, stints, time_of, waits
from hypar_opt.evaluation.mixed.division import Division

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.evaluation.mixed import MixedSetting, Number, Stint, Waits
    from hypar_opt.instance.hardware.mixed import LeafClass, MixedArray
    from hypar_opt.instance.network import Workload
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.plan import Plan

COMPUTING: Final = "computing"
WAIT_NAMES: Final[Mapping[str, Callable[[Workload, int], tuple[str, ...]]]] = MappingProxyType(
    {
        "step": lambda work, levels: ("the step",),
        "level": lambda work, levels: (COMPUTING, *(f"level {h + 1}" for h in range(levels))),
        "layer": lambda work, levels: tuple(layer.name for layer in work.layers),
    }
)
"""By barrier, what lies before each wait."""


@dataclass(frozen=True)
class MixedStep:
    """A step of a plan on an array of several kinds, recounted.

    Parameters
    ----------
    work, setting
        Of the problem.
    strategies
        By layer.
    shares
        By split, what its first half gets.
    """

    work: Workload
    setting: MixedSetting
    strategies: Mapping[str, str]
    shares: Mapping[str, Fraction]

    @classmethod
    def of(cls, problem: MixedProblem, plan: Plan) -> MixedStep:
        """Return the step of a plan.

        Raises
        ------
        ValueError
            If it has no strategies.
        """
        if plan.strategies is None:
            raise ValueError(f"a result of status {plan.status.value} has no strategies")
        return cls(problem.work, problem.judged_by, plan.strategies, plan.shares)

    @property
    def array(self) -> MixedArray:
        """Its kinds, splits and classes."""
        return self.setting.array

    @property
    def classes(self) -> tuple[LeafClass, ...]:
        """Of leaves that do the same."""
        return self.array.classes

    @cached_property
    def stints(self) -> tuple[Stint, ...]:
        """Part by part."""
        return tuple(stints(self.work, self.strategies, self.shares, self.setting))

    @cached_property
    def waits(self) -> Waits:
        """By wait and class, seconds of work before it."""
        return waits(self.work, self.strategies, self.shares, self.setting)

    @property
    def wait_names(self) -> tuple[str, ...]:
        """What lies before each wait."""
        return WAIT_NAMES[self.setting.barrier.name](self.work, self.setting.levels)

    @cached_property
    def time(self) -> Number:
        """Seconds of the step."""
        return time_of(self.waits)

    @cached_property
    def last(self) -> tuple[tuple[int, ...], ...]:
        """By wait, the classes that are waited for; none where nobody has anything to do."""
        return tuple(
            tuple(one for one, seconds in enumerate(row) if seconds == max(row) and max(row) > 0) for row in self.waits
        )

    def computing(self, one: int) -> Number:
        """Return the seconds that a class computes."""
        return sum((stint.seconds[one] for stint in self.stints if stint.doing == COMPUTING), start=Fraction(0))

    def reading(self, one: int, level: int) -> Number:
        """Return the seconds that a class reads at a level."""
        return sum((stint.seconds[one] for stint in self.stints if stint.part.level == level), start=Fraction(0))

    def working(self, one: int) -> Number:
        """Return the seconds that a class does something."""
        return sum((row[one] for row in self.waits), start=Fraction(0))

    def waiting(self, one: int) -> Number:
        """Return the seconds that a class does nothing."""
        return self.time - self.working(one)

    def waits_for(self, one: int) -> dict[int, Number]:
        """Return by class how long another waits for it: of several that end together, for the first."""
        found: dict[int, Number] = {}
        for row, last in zip(self.waits, self.last, strict=True):
            if last and row[one] < row[last[0]]:
                found[last[0]] = found.get(last[0], Fraction(0)) + row[last[0]] - row[one]
        return found

    def computed(self, layer: int) -> tuple[Number, ...]:
        """Return by class what part of a layer all its leaves compute together.

        Parameters
        ----------
        layer
            Its position.
        """
        what = self.work.layers[layer]
        worked = Division(self.setting, self.shares).worked(what, self.strategies[what.name])
        return tuple(worked[one.path] * one.count for one in self.classes)

    @cached_property
    def kept(self) -> tuple[Number, ...]:
        """By class, bytes that stay in the memory of each leaf."""
        found = resident(self.work, self.strategies, self.shares, self.setting)
        return tuple(sum(layers.values(), start=Fraction(0)) for layers in found)

    def capacity(self, one: int) -> Fraction | None:
        """Return the bytes that a leaf of a class has room for, if that is known."""
        return self.array.kinds[self.classes[one].kind].accelerator.capacity
