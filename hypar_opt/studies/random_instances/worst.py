"""Shrinking the worst chains of a campaign."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener, Run
from hypar_opt.studies.random_instances.generator import draw
from hypar_opt.studies.random_instances.reduction import Shrunk, Size, shrink, size
from hypar_opt.studies.random_instances.tally import GREEDY_PLAN, CampaignOutcome

if TYPE_CHECKING:
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
    family, seed, limits = outcome.family, outcome.seed, limits or Limits()
    run, found = Run("campaign", listener=listener), []
    tallies = [one for one in outcome.tallies if one.accounting in outcome.accountings and one.plan == GREEDY_PLAN]
    tracker = Tracker(listener, "shrinking", "chains shrunk", sum(len(one.worst[:starts]) for one in tallies))
    for tally in tallies:
        shrunk = []
        for chain in tally.worst[:starts]:
            if limits.over:
                break
            run.phase(f"shrinking chain {chain} under {tally.accounting}")
            one = shrink(draw(family, seed, chain).document(tally.accounting), limits=limits)
            named = {**one.document, "name": f"{family.name}-{seed}-{chain}-{tally.accounting}"}
            shrunk.append(replace(one, document=named, origin=chain))
            tracker.add()
        found += [min(shrunk, key=smallest_first)] if shrunk else []
    return found


def smallest_first(one: Shrunk) -> tuple[Size, Fraction, str]:
    """Return a key that orders by size; of equal sizes the larger gap first."""
    nameless = sorted((key, value) for key, value in one.document.items() if key != "name")
    return size(one.document), -one.gap, repr(nameless)
