"""What a campaign found, from its store alone: nothing is drawn, measured or written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.studies.random_instances.campaign import applicable, summed_up
from hypar_opt.studies.random_instances.row import MOST_CHAINS
from hypar_opt.studies.random_instances.store import open_recorded
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.studies.random_instances.tally import CampaignOutcome


def recorded_outcome(
    store: Path, *, count: int | None = None, accountings: Sequence[str] | None = None
) -> CampaignOutcome:
    """Return what a campaign found, as `run` would of the same store.

    Parameters
    ----------
    store
        As `run` has written it.
    count
        Of how many chains, counted from the first; up to the last one with a row, or set aside, unless given.
    accountings
        Those that have rows, unless given.

    Raises
    ------
    InputError
        If the store is none, has no rows, or is damaged; or if a wanted accounting does not fit or has no rows.
    """
    with open_recorded(store) as rows:
        extents, family = rows.extents(), rows.identity.family
        if not extents:
            raise InputError("has no rows yet", file=store)
        names = tuple(extents) if accountings is None else applicable(family, accountings)
        for name in names:
            if name not in extents:
                there = f"there are some of {', '.join(extents)}"
                raise InputError(f"has no rows of '{name}'; {there}", file=store, field="accounting")
        if count is None:
            lost = rows.aside(MOST_CHAINS, names)
            count = max(*(extents[name] for name in names), *(one.chain + 1 for one in lost[-1:]), 1)
        if not 1 <= count <= MOST_CHAINS:
            raise InputError(f"expected at least 1 chain and at most {MOST_CHAINS:,}, got {count}", field="count")
        return summed_up(rows, count, names)
