"""Operators whose devices stand on a graph of links: where they are known to stand, and where that is to be decided."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from hypar_opt.instance.objective.components import COMMUNICATION, HOP_BYTES
from hypar_opt.solver.operator_costs import OperatorCosts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True, eq=False)
class StandingOperators(OperatorCosts):
    """An instance of operators compiled, and the same with its devices elsewhere."""

    @property
    def is_free(self) -> bool:
        """Whether the objective depends on a placement that is to be decided."""
        return self.instance.is_placed and self.instance.spec.array.placement == "free"

    @property
    def of_words(self) -> Self:
        """The problem that says what words there are: where the placement is to be decided, of their bytes alone."""
        return self.by_communication if self.is_free else self

    @cached_property
    def is_tight(self) -> bool:
        """Whether formulations are given tables; where the placement is to be decided, while words are looked for."""
        return self.by_communication.is_tight if self.is_free else super().is_tight

    @cached_property
    def refuted(self) -> str | None:
        """Why nothing is allowed, as far as presolve sees; or None."""
        return self.by_communication.refuted if self.is_free else super().refuted

    @cached_property
    def by_communication(self) -> Self:
        """The same operators with the objective communication."""
        return self._like(self.instance.minimising(COMMUNICATION, ()))

    @cached_property
    def by_hops(self) -> Self:
        """The same operators with the objective hop-bytes."""
        return self._like(self.instance.minimising(HOP_BYTES, ()))

    @cached_property
    def in_order(self) -> Self:
        """The same problem with the devices on the accelerators in order."""
        return self._like(self.instance.placed("identity"))

    def at(self, placement: Sequence[str]) -> Self:
        """Return the same problem with the placement given: an accelerator's name for every device."""
        return self._like(self.instance.placed(placement))

    def standing_as(self, plan: Plan) -> Self:
        """Return the problem with the placement of a plan of it, where that is to be decided."""
        return self.at(plan.placement) if self.is_free and plan.placement is not None else self

    def _like(self, instance: OperatorInstance) -> Self:
        return replace(self, instance=instance, passes=[])
