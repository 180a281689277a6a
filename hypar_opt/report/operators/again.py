"""Which blocks a plan of operators runs once more, where that is decided, said in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.cost.operators.domains import RECOMPUTE, YES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def again_text(strategies: Mapping[str, str]) -> str:
    """Return which blocks run once more, neighbours together; nothing where that is not decided."""
    blocks = {name.removesuffix(RECOMPUTE): said for name, said in strategies.items() if name.endswith(RECOMPUTE)}
    runs: list[list[str]] = []
    before = None
    for name, said in blocks.items():
        if said == YES and before == YES:
            runs[-1].append(name)
        elif said == YES:
            runs.append([name])
        before = said
    count = sum(map(len, runs))
    if not blocks:
        return ""
    if not count:
        return f"no block of {len(blocks):,} is run once more"
    which = ", ".join(map(_run, runs))
    return f"{count:,} of {len(blocks):,} blocks {'is' if count == 1 else 'are'} run once more: {which}"


def again_notes(strategies: Mapping[str, str]) -> tuple[str, ...]:
    """Return the same as a sentence for below a table, or none."""
    text = again_text(strategies)
    return (f"{text[0].upper()}{text[1:]}.",) if text else ()


def _run(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
