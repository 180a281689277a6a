"""What an instance whose exchanges are scheduled cannot ask for as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.accountings import ACCOUNTINGS, LEVELLED
from hypar_opt.instance.faults import Fault
from hypar_opt.instance.objective.components import COMM_TIME, links_lack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.schema import InstanceSpec

MOST_LEVELS: Final = 6
"""Of arrays whose exchanges are scheduled: any set of levels may have a schedule of its own."""
MOST_CHUNKS: Final = 64
"""Of an accelerator's part of a sum."""


def collectives_fault(spec: InstanceSpec) -> Fault | None:
    """Return the first field that does not go with schedules of exchanges, and why; or None."""
    asked = spec.array.collectives
    return None if asked is None or not asked.scheduled else next(_faults(spec), None)


def _faults(spec: InstanceSpec) -> Iterator[Fault]:
    own = "array", "collectives"
    if spec.array.mixed is not None:
        yield Fault(own, "expected accelerators of one kind where exchanges are scheduled, got several; try pairwise")
    if spec.microbatches is not None:
        yield Fault(own, "expected the algorithm pairwise where layers are put into stages")
    if ACCOUNTINGS[spec.cost.accounting].by_leaves:
        known = f"{', '.join(LEVELLED[:-1])} or {LEVELLED[-1]}"
        message = f"expected the accounting {known}, which say what a level sums, got {spec.cost.accounting}"
        yield Fault(("cost", "accounting"), f"{message}; or the algorithm pairwise")
    if spec.array.levels > MOST_LEVELS:
        message = f"expected at most {MOST_LEVELS} levels where exchanges are scheduled, got {spec.array.levels}"
        yield Fault(("array", "levels"), message)
    asked = spec.array.collectives
    if asked is not None and asked.chunks > MOST_CHUNKS:
        yield Fault((*own, "chunks"), f"expected at most {MOST_CHUNKS}, got {asked.chunks:,}")
    if spec.array.placement == "free":
        message = "expected a placement that is given where exchanges are scheduled: try identity, --placement identity"
        yield Fault(("array", "placement"), message)
    lacking = links_lack(spec.array, "link", "bandwidth", f"{COMM_TIME} by a schedule")
    if lacking is not None:
        yield Fault(*lacking)
