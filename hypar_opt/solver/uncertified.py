"""What problems have in common whose plans are no words of layers: nothing is presolved, and nothing certified."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.formulation.protocol import Capabilities, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.problem import AskSimpler, Start, Task, Tell


class UncertifiedProblem:
    """A `Problem` that is solved as it is, and whose plans have one value."""

    use: ClassVar[Use]
    axes_text: ClassVar[None] = None
    presolve_counts: ClassVar[bool] = False
    certified_where: ClassVar[str] = ""
    unfixed: ClassVar[None] = None
    refuted: ClassVar[None] = None

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return a plan as choices, as each kind of problem does."""
        raise NotImplementedError

    def check_start(self, start: Start) -> None:
        """Check that a plan is one of this problem's."""
        self.choices(start.strategies or {})

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the same problem: nothing is presolved."""
        return self

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Do nothing."""

    def proves(self, able: Capabilities) -> bool:
        """Return False: there are no certificates."""
        return False

    def front(self, components: Sequence[str]) -> Task:
        """Refuse: a plan has one value.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(f"expected the instance of a network, got a {self.use}", field="instance")

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> None:
        """Return nothing: it is solved as it is."""
