"""What is shown of a run: in words, as one line of a log, and as lines on a terminal, as wide as that is."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.report.numbers import clock, duration, in_units, in_weighted_sum, percent
from hypar_opt.util.errors import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.text import Text

    from hypar_opt.cli.progress.state import Seen, SolverState, State
    from hypar_opt.formulation.progress import Left, Progress

WIDE: Final = 72
"""Columns from which everything about the whole is in one line; below, each part has its own."""
BAR: Final = 20


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
    return in_units(value) if weights is None else in_weighted_sum(weights, value)


def in_a_line(seen: Seen) -> str:
    """Return all of it as one line of a log."""
    counts = [text for _, progress in seen.tracks for text in (progress.counted, progress.beside)]
    stopping = "stopping" if seen.stopping else left_in_words(seen.left)
    parts = [", ".join(filter(None, [*counts, f"{clock(seen.elapsed_s)} so far", stopping]))]
    if seen.solver is not None:
        parts.append(", ".join([doing(seen.solver), *values(seen.solver)]))
    return f"{printable(seen.title)}: {'; '.join(parts)}"


class ProgressLines:
    """Renders what is known now, whenever the terminal is drawn anew.

    Parameters
    ----------
    state
        What has been heard.
    """

    def __init__(self, state: State) -> None:
        from rich.spinner import Spinner

        self._state = state
        self._spinner = Spinner("dots")
        self.height = 0
        """Lines that were drawn last."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        from rich.console import Group

        seen = self._state.seen()
        lines = self._wide(seen) if options.max_width >= WIDE else self._narrow(seen)
        self.height = len(lines)
        yield Group(*lines)

    def _wide(self, seen: Seen) -> list[RenderableType]:
        times = [_beside(seen), clock(seen.elapsed_s), _left(seen)]
        return [*self._heads(seen, times, bar=True), *_solving(seen, ", ".join)]

    def _narrow(self, seen: Seen) -> list[RenderableType]:
        times = ", ".join(filter(None, [_beside(seen), clock(seen.elapsed_s), _left(seen)]))
        return [*self._heads(seen, [], bar=False), _line(f"  {times}"), *_solving(seen, "\n".join)]

    def _heads(self, seen: Seen, times: list[str], *, bar: bool) -> list[RenderableType]:
        """Return a line for the whole, and one for each part of it that counts by itself."""
        (_, first), *others = seen.tracks or (("", None),)
        heads: list[RenderableType] = [_row(self._spinner, seen.title, first, times, bar=bar)]
        return heads + [_row(" ", source, progress, [], bar=bar) for source, progress in others]


def _row(mark: RenderableType, title: str, progress: Progress | None, times: list[str], *, bar: bool) -> RenderableType:
    """Return a line whose title is shortened where there is no room."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()  # the only one that may be narrower than what is in it
    cells: list[RenderableType] = [mark, _line(printable(title))]
    if progress is not None:
        if bar and progress.total:
            cells.append(ProgressBar(total=progress.total, completed=progress.done, width=BAR))
            grid.add_column(no_wrap=True, width=BAR)
        cells.append(_line(progress.counted))
        grid.add_column(no_wrap=True)
    for one in filter(None, times):
        cells.append(_line(one))
        grid.add_column(no_wrap=True)
    grid.add_row(*cells)
    return grid


def _solving(seen: Seen, join: Callable[[list[str]], str]) -> list[RenderableType]:
    if seen.solver is None:
        return []
    joined = join(values(seen.solver))
    return [_line(f"  {text}") for text in [doing(seen.solver), *joined.split("\n")] if text]


def _beside(seen: Seen) -> str:
    return seen.tracks[0][1].beside if seen.tracks else ""


def _left(seen: Seen) -> str:
    return "stopping; once more to end at once" if seen.stopping else left_in_words(seen.left)


def _line(text: str) -> Text:
    from rich.text import Text

    return Text(text, no_wrap=True, overflow="ellipsis")
