"""Shrinking a campaign's worst chains: each start by itself, and of every accounting the smallest is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypar_opt.executor import run_pieces
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener, Run
from hypar_opt.studies.random_instances.measurement import ChainPiece
from hypar_opt.studies.random_instances.reduction import Shrunk, shrink, smallest_first
from hypar_opt.studies.random_instances.tally import GREEDY_PLAN, CampaignOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.executor import Workers
    from hypar_opt.studies.set_aside import SetAside


def shrink_piece(piece: ChainPiece, limits: Limits) -> Shrunk:
    """Shrink a chain under the one accounting of its piece."""
    (accounting,) = piece.accountings
    one = shrink(piece.drawn().document(accounting), limits=limits)
    named = {**one.document, "name": f"{piece.family.name}-{piece.seed}-{piece.chain}-{accounting}"}
    return replace(one, document=named, origin=piece.chain)


@dataclass(frozen=True)
class ShrunkWorst:
    """What the worst chains shrink to.

    Parameters
    ----------
    found
        The smallest of every accounting that has a gap.
    set_aside
        Chains that killed what shrank them.
    """

    found: tuple[Shrunk, ...]
    set_aside: tuple[SetAside, ...]


def shrink_worst(
    outcome: CampaignOutcome, *, starts: int = 1, limits: Limits | None = None, listener: Listener | None = None
) -> list[Shrunk]:
    """Shrink the worst chains of every accounting, and return the smallest that one of them leads to.

    Parameters
    ----------
    starts
        How many chains to begin from, the worst first.
    limits
        Where they are over, what was found by then is returned.
    listener
        Called at every start, and with how many chains are shrunk.
    """
    return [*shrunk_worst(outcome, None, starts=starts, limits=limits, listener=listener).found]


def shrunk_worst(
    outcome: CampaignOutcome,
    workers: Workers | None,
    *,
    starts: int = 1,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> ShrunkWorst:
    """Shrink the worst chains of every accounting as `shrink_worst` does, each start by a worker.

    Parameters
    ----------
    workers
        Who shrinks; None for this process. What is found does not depend on it, unless limits come first.
    """
    limits, run = limits or Limits(), Run("campaign", listener=listener)
    tallies = [one for one in outcome.tallies if one.accounting in outcome.accountings and one.plan == GREEDY_PLAN]
    pieces = [
        ChainPiece(outcome.family, outcome.seed, chain, (one.accounting,))
        for one in tallies
        for chain in one.worst[:starts]
    ]
    tracker = Tracker(listener, "shrinking", "chains shrunk", len(pieces))
    found: dict[str, list[Shrunk]] = {one.accounting: [] for one in tallies}
    aside: list[SetAside] = []
    for one in run_pieces(workers, shrink_piece, _told(pieces, run), limits, tracker):
        if one.result is None:
            aside.append(one.piece.set_aside(f"{one.killed}, shrinking it"))
        else:
            found[one.piece.accountings[0]].append(one.result)
    aside.sort(key=lambda one: (one.index, one.accountings))
    return ShrunkWorst(tuple(min(some, key=smallest_first) for some in found.values() if some), tuple(aside))


def _told(pieces: Sequence[ChainPiece], run: Run) -> Iterator[ChainPiece]:
    """Say which chain is shrunk as it is handed out."""
    for piece in pieces:
        run.phase(f"shrinking chain {piece.chain} under {piece.accountings[0]}")
        yield piece
