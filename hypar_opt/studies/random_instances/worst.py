"""Shrinking the worst chains of a campaign."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Event, Limits, Listener
from hypar_opt.studies.random_instances.generator import Document, draw
from hypar_opt.studies.random_instances.reduction import Shrunk, Size, shrink, size
from hypar_opt.studies.random_instances.tally import GREEDY_PLAN, CampaignOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction


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
    began, found = time.monotonic(), []
    tallies = [one for one in outcome.tallies if one.accounting in outcome.accountings and one.plan == GREEDY_PLAN]
    tracker = Tracker(listener, "shrinking", "chains shrunk", sum(len(one.worst[:starts]) for one in tallies))

    def tell(accounting: str, chain: int) -> None:
        if listener is not None:
            text = f"shrinking chain {chain} under {accounting}"
            listener(Event("phase", time.monotonic() - began, "campaign", text=text))

    for tally in tallies:
        shrunk = _from(outcome, tally.worst[:starts], tally.accounting, limits, tell, tracker)
        found += [min(shrunk, key=smallest_first)] if shrunk else []
    return found


def _from(
    outcome: CampaignOutcome,
    chains: Sequence[int],
    accounting: str,
    limits: Limits | None,
    tell: Callable[[str, int], None],
    tracker: Tracker,
) -> list[Shrunk]:
    family, seed, found = outcome.family, outcome.seed, []
    for chain in chains:
        if limits is not None and limits.over:
            break
        tell(accounting, chain)
        shrunk = shrink(draw(family, seed, chain).document(accounting), limits=limits)
        named = {**shrunk.document, "name": f"{family.name}-{seed}-{chain}-{accounting}"}
        found.append(replace(shrunk, document=named, origin=chain))
        tracker.add()
    return found


def smallest_first(one: Shrunk) -> tuple[Size, Fraction, str]:
    """Return a key that orders by size; of equal sizes the larger gap first."""
    return size(one.document), -one.gap, repr(_sorted(one.document))


def _sorted(document: Document) -> list[tuple[str, Any]]:
    return sorted((key, value) for key, value in document.items() if key != "name")
