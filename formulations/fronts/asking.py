"""What is in zones, found out here when that is asked, or by others before.

The search asks about one zone after the other, and which one is next depends on the answers. An answer depends on its
zone alone. So others, where there are some, are given the zones that would be next if all were empty, and the search
takes their answers in its own order: it finds the same points and the same plans, whoever answers. Of two criteria
every zone is asked about in the end, as a point splits the one zone that it lies in. Of three some are split before;
what was found in those is left out.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from formulations.fronts.model import FrontModel
from hypar_opt.formulation.run import Run, Stopped

if TYPE_CHECKING:
    from formulations.label_setting.zones import Corner
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.spread import SpreadAnswer

Found: TypeAlias = "tuple[int, ...] | None"
"""The choices of least sum in a zone; None of one without a plan."""


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


@dataclass
class ZoneAnswers:
    """What is in zones.

    Parameters
    ----------
    model, run
        Of which criteria, within which limits; the run says whether others are there.
    wanted
        Returns the zones that are not asked about yet, the next one first, or one of them.
    known
        What others have answered.
    """

    model: FrontModel
    run: Run
    wanted: Callable[[set[Corner]], Corner | None]
    known: dict[Corner, Found] = field(default_factory=dict)
    _asked: set[Corner] = field(default_factory=set)
    _answers: Iterator[SpreadAnswer[ZonePiece, tuple[Found] | None]] = field(default_factory=lambda: iter(()))

    def of(self, corner: Corner) -> Found:
        """Return what is in a zone.

        Raises
        ------
        Stopped
            If a limit is hit before that is known, or the question kills whoever is asked.
        RuntimeError
            If an answer does not stand up to recomputation.
        """
        if self.run.spread is None:
            return least_sum(self.model, corner, self.run)
        while corner not in self.known:
            one = next(self._answers, None)
            if one is None:  # all that was wanted is answered, and more is wanted by now
                self.run.check()
                self._answers = iter(self.run.spread(answered, self._pieces(), self.run.limits))
            else:
                self._hear(one)
        return self.known[corner]

    def end(self) -> None:
        """Wait for answers that nobody wants any more."""
        for _ in self._answers:
            continue

    def _pieces(self) -> Iterator[ZonePiece]:
        while (corner := self.wanted(self._asked)) is not None:
            self._asked.add(corner)
            yield ZonePiece(self._graphs, corner)

    @cached_property
    def _graphs(self) -> bytes:
        return pickle.dumps(self.model.graphs)

    def _hear(self, one: SpreadAnswer[ZonePiece, tuple[Found] | None]) -> None:
        if one.result is None:
            raise Stopped(one.killed and f"a search was set aside: {one.killed}")
        (found,) = one.result
        if found is not None and not Zone(self.model, one.piece.corner).feasible(found):
            raise RuntimeError("what was answered is not allowed, or not in the zone that was asked about")
        self.known[one.piece.corner] = found


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


def answered(piece: ZonePiece, limits: Limits) -> tuple[Found] | None:
    """Return what is in a zone; None where that is not known, as a limit was hit."""
    try:
        return (least_sum(_model(piece.graphs), piece.corner, Run("cp-sat", limits)),)
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
