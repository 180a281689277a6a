"""What comparisons of two plans have in common, whatever they are plans of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.console import show_folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from hypar_opt.verification.claim import Claim

ROLES: Final = ("first", "second")
MOST_ROWS: Final = 20
"""Differences that the terminal shows."""


def plan_lines(claims: Sequence[Claim], values: Sequence[str]) -> list[str]:
    """Return a line a plan: its file, its status, who found it, and what it takes, as `values` says."""
    return [
        f"{role}, {claim.source}: {claim.status} by {claim.formulation}, {value}"
        for role, claim, value in zip(ROLES, claims, values, strict=True)
    ]


def show_in_all(console: Console, values: Sequence[Iterable[tuple[str, str]]]) -> None:
    """Print what is counted of either plan side by side, in the first one's order.

    Parameters
    ----------
    values
        Of each plan the same names, each with its amount.
    """
    first, second = map(dict, values)
    show_folded(
        console, [{"in all": name, **dict(zip(ROLES, (first[name], second[name]), strict=True))} for name in first]
    )


def first_rows(rows: Sequence[dict[str, str]], count: int) -> list[dict[str, str]]:
    """Return rows, and one more that says how many of so many are left out; it stands in the first column."""
    left = count - len(rows)
    return [*rows, dict.fromkeys(rows[0], "") | {next(iter(rows[0])): f"... and {left:,} more"}] if left else [*rows]
