"""What is in zones, found out here when that is asked, or by others before.

The search asks about one zone after the other, and which one is next depends on the answers. What is in a zone depends
on its criteria and its corner alone. So others, where there are some, are given the zones that would be next if all
were empty, and the search takes their answers in its own order: it finds the same points and the same plans, whoever
answers. Of two criteria no two zones have a plan in common, and every one is asked about in the end. Of three, a point
may split zones that were asked about ahead of their turn; their answers are not used.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from formulations.fronts.model import FrontModel
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.util.errors import RecomputationError

if TYPE_CHECKING:
    from formulations.label_setting.zones import Corner
    from hypar_opt.formulation.run import Limits

Found: TypeAlias = "tuple[int, ...] | None"
"""The choices of least sum in a zone; None of one without a plan."""
Answers: TypeAlias = "Generator[tuple[ZonePiece, ZoneAnswer | None, str], None, None]"


@dataclass(frozen=True)
class Zone:
    """The sum of the criteria, each in its own unit, over one zone."""

    model: FrontModel
    corner: Corner

    def feasible(self, choices: Sequence[int], /) -> bool:
        """Return whether an assignment is allowed and in the zone."""
        inside = zip(self.model.scaled_values(choices), self.corner, strict=True)
        return self.model.graphs[0].feasible(choices) and all(value < bound for value, bound in inside)

    def value(self, choices: Sequence[int], /) -> int:
        """Return the sum."""
        return sum(self.model.scaled_values(choices))


@dataclass(frozen=True)
class ZonePiece:
    """The question what is in a zone.

    Parameters
    ----------
    graphs
        The criteria, pickled once for all zones.
    corner
        Of the zone.
    """

    graphs: bytes
    corner: Corner


@dataclass(frozen=True)
class ZoneAnswer:
    """What is in a zone, on its way.

    Parameters
    ----------
    found
        The answer.
    seal
        A digest of the question and the answer: that a zone is empty cannot be seen of the answer itself.
    """

    found: Found
    seal: bytes

    @classmethod
    def to(cls, piece: ZonePiece, found: Found) -> ZoneAnswer:
        """Seal an answer, where it was found."""
        return cls(found, sha256(piece.graphs + repr((piece.corner, found)).encode()).digest())


@dataclass
class ZoneAnswers:
    """What is in zones.

    Parameters
    ----------
    model, run
        Of which criteria, within which limits; the run says whether others are there.
    wanted
        Returns the next zone to be asked about that is none of those given, or None.
    known
        What others have answered.
    """

    model: FrontModel
    run: Run
    wanted: Callable[[set[Corner]], Corner | None]
    known: dict[Corner, Found] = field(default_factory=dict)
    _asked: set[Corner] = field(default_factory=set)
    _answers: Answers = field(default_factory=lambda: _none())
    _unknown: str | None = None
    """Set once a zone was asked about in vain: why it was set aside, or nothing where somebody's time was over."""

    def of(self, corner: Corner) -> Found:
        """Return what is in a zone.

        Raises
        ------
        Stopped
            If a limit is hit before that is known, or a question killed whoever was asked; what is asked beside it is
            waited for.
        RecomputationError
            If an answer is not the one that was found, or does not stand up to recomputation.
        """
        if self.run.spread is None:
            return least_sum(self.model, corner, self.run)
        while corner not in self.known:
            one = next(self._answers, None)
            if one is not None:
                self._hear(*one)
                continue
            self.run.check()
            if self._unknown is not None:
                raise Stopped(self._unknown)
            # all that was wanted is answered, and more is wanted by now
            self._answers = self.run.spread(answered, self._pieces(), self.run.limits)
        return self.known[corner]

    def end(self) -> None:
        """Wait for answers that nobody wants any more: workers may be given something else then."""
        for _ in self._answers:
            continue

    def leave(self) -> None:
        """Have whoever still searches told to stop: after an error nobody asks for answers, nor waits for a stop."""
        self._answers.close()

    def _pieces(self) -> Iterator[ZonePiece]:
        while self._unknown is None and (corner := self.wanted(self._asked)) is not None:
            self._asked.add(corner)
            yield ZonePiece(self._graphs, corner)

    @cached_property
    def _graphs(self) -> bytes:
        return pickle.dumps(self.model.graphs)

    def _hear(self, piece: ZonePiece, answer: ZoneAnswer | None, killed: str) -> None:
        if answer is None:
            self._unknown = self._unknown or (killed and f"the search of a zone was set aside: {killed}")
            return
        if answer != ZoneAnswer.to(piece, answer.found):
            raise RecomputationError("what came back of a zone from its worker is damaged, or answers something else")
        if answer.found is not None and not Zone(self.model, piece.corner).feasible(answer.found):
            raise RecomputationError("a plan that a worker found is not allowed, or not in the zone that it was asked")
        self.known[piece.corner] = answer.found


def _none() -> Answers:
    yield from ()


def answered(piece: ZonePiece, limits: Limits) -> ZoneAnswer | None:
    """Return what is in a zone, in a worker; None where a limit is hit before that is known."""
    try:
        return ZoneAnswer.to(piece, least_sum(_model(piece.graphs), piece.corner, Run("cp-sat", limits)))
    except Stopped:
        return None


@lru_cache(maxsize=1)
def _model(graphs: bytes) -> FrontModel:
    return FrontModel.of(pickle.loads(graphs))


def least_sum(model: FrontModel, corner: Corner, run: Run) -> Found:
    """Search a zone for the plan of least sum.

    Raises
    ------
    Stopped
        If a limit is hit before that is proven.
    """
    copy = model.copy()
    for total, bound in zip(model.sums, corner, strict=True):
        if bound != inf:
            copy.built.model.add(total <= int(bound) - 1)
    copy.built.model.minimize(sum(model.sums))
    return copy.searched(Zone(model, corner), run).choices
