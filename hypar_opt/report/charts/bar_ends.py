"""Where bars end beside a few that are many times as long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TIMES: Final = 10
"""How many times as long as the others a bar has to be to be cut."""
FEW: Final = (2, 5)
"""Two of five bars may be cut, and always one."""
ROOM: Final = 1.25
"""Of the longest bar that is whole, so long are those that are cut."""
MARK: Final = "» "
"""Before the number of a bar that is cut, which is its whole length."""
SAID: Final = "longer bars are cut: »"
"""In the axis' title."""


def end_of(lengths: Iterable[float]) -> float | None:
    """Return where bars are cut so that most can be compared with each other; None where all are drawn whole."""
    known = sorted((one for one in lengths if one > 0), reverse=True)
    spare = max(1, FEW[0] * len(known) // FEW[1])
    if len(known) <= spare or known[0] <= TIMES * known[spare]:
        return None
    return ROOM * next(one for one in known if one <= TIMES * known[spare])


def cut_at(length: float, end: float | None) -> float:
    """Return how much of a bar is drawn."""
    return length if end is None else min(length, end)


def mark_of(length: float, end: float | None) -> str:
    """Return what stands before a bar's number: a mark where it is cut."""
    return "" if end is None or length <= end else MARK


def title_with(title: str, end: float | None) -> str:
    """Return an axis' title, which says so where bars are cut."""
    return title if end is None else f"{title}; {SAID}"


def cut_note(names: Sequence[str], end: float | None) -> str:
    """Return in a sentence which bars are cut; nothing where none is."""
    if end is None:
        return ""
    return f"Bars that are more than {TIMES} times as long as most are cut and marked »: {', '.join(names)}."
