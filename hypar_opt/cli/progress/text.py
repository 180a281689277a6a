"""What is shown of a run, in words."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.report.numbers import clock, duration, in_objective, in_units, percent
from hypar_opt.util.errors import printable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.cli.progress.state import Seen, SolverState
    from hypar_opt.formulation.progress import Left, Progress


def left_in_words(left: Left | None) -> str:
    """Return how long it takes yet: about so long, a range, a limit, or nothing where nothing is known."""
    if left is None:
        return ""
    if left.likely_s is None or left.most_s is None:
        if left.most_s is not None:
            return f"at most {duration(left.most_s, up=True)} left"
        return f"at least {duration(left.least_s)} left" if left.least_s >= 1 else ""
    least, most = duration(left.least_s), duration(left.most_s, up=True)
    if least == most or left.most_s < 1:
        return f"about {most} left"
    (number, unit), (_, of_most) = least.split(" ", 1), most.split(" ", 1)
    return f"{number if unit == of_most else least}-{most} left"


def counted(progress: Progress) -> str:
    """Return what is done, of how much."""
    return f"{progress.done:,} {'' if progress.total is None else f'of {progress.total:,} '}{progress.unit}"


def doing(solver: SolverState) -> str:
    """Return who does what."""
    who = ", ".join(filter(None, [solver.instance, solver.source]))
    return printable(f"{who}: {solver.phase}" if solver.phase else who)


def values(solver: SolverState) -> list[str]:
    """Return the incumbent, the bound and the gap between them, with their units, as far as they are known."""
    found = []
    if solver.incumbent is not None:
        found.append(f"incumbent {_amount(solver.weights, solver.incumbent)}")
    if solver.bound is not None:
        found.append(f"bound {_amount(solver.weights, solver.bound)}")
    if solver.incumbent is not None and solver.bound is not None:
        found.append(_gap(solver.weights, solver.incumbent, solver.bound))
    return found


def _gap(weights: Mapping[str, Fraction] | None, incumbent: int | Fraction, bound: int | Fraction) -> str:
    """Return how far the incumbent is above the bound, also as a share of the incumbent."""
    gap = max(incumbent - bound, 0)
    share = f" ({percent(Fraction(gap) / incumbent, 2)})" if gap and bound >= 0 else ""
    return f"gap {_amount(weights, gap)}{share}"


def _amount(weights: Mapping[str, Fraction] | None, value: int | Fraction) -> str:
    return in_units(value) if weights is None else in_objective(weights, value)


def in_a_line(seen: Seen) -> str:
    """Return all of it as one line of a log."""
    counts = [counted(progress) for _, progress in seen.tracks]
    stopping = "stopping" if seen.stopping else left_in_words(seen.left)
    parts = [", ".join(filter(None, [*counts, f"{clock(seen.elapsed_s)} so far", stopping]))]
    if seen.solver is not None:
        parts.append(", ".join([doing(seen.solver), *values(seen.solver)]))
    return f"{printable(seen.title)}: {'; '.join(parts)}"
