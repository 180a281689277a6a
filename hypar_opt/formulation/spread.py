"""Independent pieces of one search, run by whoever is there for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hypar_opt.formulation.run import Limits

P = TypeVar("P")
R = TypeVar("R")
P_co = TypeVar("P_co", covariant=True)
R_co = TypeVar("R_co", covariant=True)


class SpreadAnswer(Protocol[P_co, R_co]):
    """What came of a piece."""

    @property
    def piece(self) -> P_co:
        """As it was given."""

    @property
    def result(self) -> R_co | None:
        """What the function returned; None where the piece killed whoever ran it."""

    @property
    def killed(self) -> str:
        """Why the piece was set aside; nothing otherwise."""


class Spread(Protocol):
    """Runs pieces by themselves, several at a time."""

    def __call__(
        self, function: Callable[[P, Limits], R], pieces: Iterable[P], limits: Limits, /
    ) -> Iterator[SpreadAnswer[P, R]]:
        """Yield what comes of pieces, in no order, until all are done or the limits are over.

        Parameters
        ----------
        function
            A module's, the same wherever it is called.
        pieces
            Values that can be pickled; drawn as they are needed, a few ahead.
        limits
            Of every call; the flag and the deadline are those of all.
        """
