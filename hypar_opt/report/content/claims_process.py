"""The claims of a report, judged by a worker while the rest is found and drawn."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.executor import EngineSpec, KilledWorkers, LostWorkers, open_workers, submit_piece, tell
from hypar_opt.formulation.progress.tracker import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.executor import Workers
    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.studies.claims import ClaimRow, Judgement, PublishedClaim


Judged: TypeAlias = "tuple[tuple[ClaimRow, ...], tuple[str, ...]]"
"""A row for every claim that was judged, and a sentence for what went wrong."""
Found: TypeAlias = "tuple[list[list[Judgement]], list[float]]"
"""What comes of a piece of claims, and the seconds that it took."""
ENDED: Final = "the processes that judged the claims were ended from outside: none of them has a verdict"
LOOK_S: Final = 0.1
"""How often it is looked how far the claims are, and whether all is to stop."""


@dataclass(frozen=True)
class ClaimsPiece:
    """Claims that are judged together, as they share plans.

    Parameters
    ----------
    claims
        As read.
    time_limit_s
        Of each solve.
    """

    claims: tuple[PublishedClaim, ...]
    time_limit_s: float | None


@contextmanager
def judged_beside(
    claims: Sequence[PublishedClaim],
    limits: Limits,
    time_limit_s: float | None,
    listener: Listener | None,
    workers: Workers | None = None,
) -> Iterator[Callable[[], Judged]]:
    """Have claims judged by a worker from now on; what is yielded waits for their verdicts.

    Parameters
    ----------
    limits, time_limit_s
        As of `audit`: its flag stops the worker too, while the verdicts are waited for.
    listener
        Told how many are judged while they are waited for.
    workers
        One of these; None for a process of its own.
    """
    if not claims:
        yield lambda: ((), ())
        return
    judging = _Judging(tuple(claims), limits, listener)
    with nullcontext(workers) if workers is not None else open_workers(EngineSpec("local", 1), limits) as those:
        found = submit_piece(those, judge_claims, ClaimsPiece(judging.claims, time_limit_s), limits, judging.hear)
        try:
            yield lambda: judging.collected(those, found)
        finally:
            those.cancel(found)  # nobody waits for what is still running


@dataclass(eq=False)
class _Judging:
    """What is known of claims that a worker judges."""

    claims: tuple[PublishedClaim, ...]
    limits: Limits
    listener: Listener | None
    done: int = 0

    def hear(self, message: bytes) -> None:
        """Take in how many are judged; fewer than before where another worker began anew."""
        self.done = max(self.done, int(message))

    def collected(self, workers: Workers, found: Future[Found]) -> Judged:
        """Wait for the verdicts, and tell meanwhile how many there are."""
        from hypar_opt.studies.claims import ClaimRow
        from hypar_opt.studies.claims.auditor import SOURCE

        tracker, told = Tracker(self.listener, SOURCE, "claims", len(self.claims)), 0
        while not wait([found], LOOK_S).done:
            if self.limits.over:
                workers.cancel(found)
            done = self.done
            tracker.add(done - told)
            told = max(told, done)
        try:
            (judgements,), _ = found.result()
        except KilledWorkers:
            return (), (ENDED,)
        except CancelledError:
            return (), ()
        except LostWorkers as error:
            workers.end_lost(error, self.limits)
            return (), ()
        tracker.add(len(judgements) - told)
        return tuple(ClaimRow(claim, one) for claim, one in zip(self.claims, judgements, strict=False)), ()


def judge_claims(piece: ClaimsPiece, limits: Limits) -> list[Judgement]:
    """Judge claims, in a worker, and tell how many there are; the rows' other half is where they came from."""
    from hypar_opt.studies.claims import audit

    done = count(1)
    rows = audit(
        piece.claims, limits=limits, time_limit_s=piece.time_limit_s, on_row=lambda _: tell(str(next(done)).encode())
    )
    return [row.judgement for row in rows]
