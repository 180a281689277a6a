"""Names of blocks that count them, as `h.0.ln_1` and `h.1.ln_1` do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.naming import TAKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.importers.items import Item
    from hypar_opt.importers.runs import BlockRun

NUMBER: Final = re.compile(r"\d+")


def series_of(items: Sequence[Item], run: BlockRun) -> tuple[str, tuple[str, ...]] | None:
    """Return a name for blocks that their layers' names count, and the names within one; None if they do not.

    Blocks that are counted from 0 have the name before the number, others the numbers as well.
    """
    blocks = [items[run.start + run.length * n : run.start + run.length * (n + 1)] for n in range(run.times)]
    for found in NUMBER.finditer(blocks[0][0].name):
        prefix, number = blocks[0][0].name[: found.start()], int(found[0])
        if not prefix:
            continue
        rests = [_rests(block, f"{prefix}{number + n}") for n, block in enumerate(blocks)]
        if rests[0] is not None and all(one == rests[0] for one in rests):
            name = prefix.rstrip("._") if number == 0 else f"{prefix}{number}-{number + run.times - 1}"
            return name, rests[0]
    return None


def _rests(block: Sequence[Item], prefix: str) -> tuple[str, ...] | None:
    """Return the names of layers behind a prefix; None where one has another, or none of its own."""
    found = []
    for one in block:
        rest = one.name.removeprefix(prefix)
        if rest == one.name or (rest and rest[0].isdigit()):
            return None
        found.append(rest.lstrip("._") or one.kind)
    is_own = len(set(found)) == len(found) and not set(found) & set(TAKEN)
    return tuple(found) if is_own else None
