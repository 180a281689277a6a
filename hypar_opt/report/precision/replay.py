"""A rule replayed on a trace of norms, on the terminal and for machines: when bits were raised, beside static ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import above, in_bytes, share
from hypar_opt.util.numbers import amount, counted, exact

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.studies.precision import BesideStatic


def show_replay(console: Console, found: BesideStatic) -> None:
    """Print a row for every period of equal bits, then what the rule sends beside static bits."""
    for line in headline(found):
        console.print(line)
    show_folded(console, period_rows(found))
    show_folded(console, way_rows(found))


def headline(found: BesideStatic) -> list[str]:
    """Return what was replayed, and what comes of it."""
    kept = share(found.mean_sent, found.in_full)
    error = amount(found.mean_error)
    lines = [
        f"{found.batches:,} batches, bits raised {counted(len(found.periods) - 1, 'time')}",
        f"the rule sends {in_bytes(found.mean_sent)} a batch, {kept} of all, with a mean error of {error}",
    ]
    least = found.any_words.communication_bytes
    if least is not None:
        lines.append(f"it is {above(found.mean_sent, least)} the best static bits at no more error")
    return lines


def period_rows(found: BesideStatic) -> list[dict[str, str]]:
    """Return a row a period: its batches, every layer's bits, and what a batch sends."""
    return [
        {
            "batches": f"{one.first:,}-{one.first + one.batches - 1:,}",
            **{layer: str(count) for layer, count in one.bits.items()},
            "sent": in_bytes(sent),
            "error": amount(error),
        }
        for one, sent, error in zip(found.periods, found.sent, found.errors, strict=True)
    ]


def ways(found: BesideStatic) -> list[tuple[str, Fraction | None, Fraction | None, str]]:
    """Return what is compared: its name, bytes a batch, error, and what is known of it."""
    rows: list[tuple[str, Fraction | None, Fraction | None, str]] = [
        ("the rule", found.mean_sent, found.mean_error, "mean over all batches"),
        *(
            (name, plan.objective, plan.costs.get("rounding-error"), str(plan.status))
            for name, plan in (("static, same strategies", found.same_words), ("static", found.any_words))
        ),
    ]
    if found.mixed is not None:
        rows.append(("plans in turn", found.mixed, found.mean_error, "least of all: the hull of the front"))
    return rows


def way_rows(found: BesideStatic) -> list[dict[str, str]]:
    """Return the same as text."""
    return [
        {
            "way": name,
            "bytes a batch": "-" if sent is None else in_bytes(sent),
            "of all": "-" if sent is None else share(sent, found.in_full),
            "error": amount(error),
            "known": known,
        }
        for name, sent, error, known in ways(found)
    ]


def replay_document(found: BesideStatic) -> dict[str, Any]:
    """Return the same for machines, exact."""
    periods = [
        {
            "first": one.first,
            "batches": one.batches,
            "bits": dict(one.bits),
            "sent_bytes": exact(sent),
            "error": exact(error),
        }
        for one, sent, error in zip(found.periods, found.sent, found.errors, strict=True)
    ]
    compared = [
        {"way": name, "bytes": exact(sent), "error": exact(error), "known": known}
        for name, sent, error, known in ways(found)
    ]
    static = found.any_words.strategies
    return {
        "batches": found.batches,
        "in_full_bytes": exact(found.in_full),
        "periods": periods,
        "ways": compared,
        "words": dict(found.words),
        "static": None if static is None else dict(static),
    }
