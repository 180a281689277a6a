"""The moments of a training step: every operator runs forward, then, from the last to the first, backward.

Blocks that run once more do so before the backward phase of their last operator. Where that is decided, its moments are
there in any case: if the block does not run, nothing begins or ends then, so that no more is in the memory than before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.cost.operators.recompute import Recomputed
    from hypar_opt.instance.operators import OperatorGraph

RUNS: Final = "forward"
RUNS_AGAIN: Final = "recompute"
RETURNS: Final = "backward"
"""What an operator does at a moment."""


class Moment(NamedTuple):
    """When an operator does something."""

    phase: str
    operator: int


@dataclass(frozen=True, eq=False)
class Moments:
    """The moments of a step, in order.

    Parameters
    ----------
    graph
        The operators.
    again
        What is computed once more.
    """

    graph: OperatorGraph
    again: Recomputed

    @cached_property
    def all(self) -> tuple[Moment, ...]:
        """All of them."""
        count = len(self.graph.operators)
        begins = {repeat.first + repeat.length * (n + 1) - 1: repeat.first + repeat.length * n
                  for repeat in self.graph.repeats for n in range(repeat.times)}  # fmt: skip
        found = [Moment(RUNS, number) for number in range(count)]
        for number in reversed(range(count)):
            block = range(begins.get(number, number + 1), number + 1)
            found += [Moment(RUNS_AGAIN, one) for one in block if self._can_run_again(one)]
            found.append(Moment(RETURNS, number))
        return tuple(found)

    def _can_run_again(self, number: int) -> bool:
        operator = self.graph.operators[number]
        return operator.name in self.again.operators and True in self.again.ways(operator)

    @cached_property
    def _at(self) -> Mapping[Moment, int]:
        return {moment: number for number, moment in enumerate(self.all)}

    @property
    def last(self) -> int:
        """The number of the last one."""
        return len(self.all) - 1

    @property
    def turn(self) -> int:
        """The number of the last one of the forward phase, when all maps are there that are kept."""
        return len(self.graph.operators) - 1

    def runs(self, operator: int) -> int:
        """Return when an operator runs."""
        return self._at[Moment(RUNS, operator)]

    def runs_again(self, operator: int) -> int | None:
        """Return when it runs once more; None where it does not."""
        return self._at.get(Moment(RUNS_AGAIN, operator))

    def returns(self, operator: int) -> int:
        """Return when its backward phase is."""
        return self._at[Moment(RETURNS, operator)]

    def named(self, phase: str, operator: str) -> int:
        """Return the number of a moment that is told by names."""
        return self._at[Moment(phase, self._numbers[operator])]

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {one.name: number for number, one in enumerate(self.graph.operators)}

    def alike(self, number: int) -> tuple[int, ...]:
        """Return the moments of the same operator in all blocks that are alike, in order; of others the one alone."""
        phase, operator = self.all[number]
        for one in self.graph.repeats:
            place = operator - one.first
            if 0 <= place < one.length * one.times:
                others = (one.first + block * one.length + place % one.length for block in range(one.times))
                found = (self._at.get(Moment(phase, other)) for other in others)
                return tuple(sorted(other for other in found if other is not None))
        return (number,)
