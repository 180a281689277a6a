"""A run as lines on a terminal, as wide as that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.cli.progress.text import counted, doing, left_in_words, values
from hypar_opt.report.numbers import clock
from hypar_opt.util.errors import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.text import Text

    from hypar_opt.cli.progress.state import Seen, State
    from hypar_opt.formulation.progress import Progress

WIDE: Final = 72
"""Columns from which everything about the whole is in one line; below, each part has its own."""
BAR: Final = 20


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
        return [*self._heads(seen, [clock(seen.elapsed_s), _left(seen)], bar=True), *_solving(seen, ", ".join)]

    def _narrow(self, seen: Seen) -> list[RenderableType]:
        times = ", ".join(filter(None, [clock(seen.elapsed_s), _left(seen)]))
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
        cells.append(_line(counted(progress)))
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


def _left(seen: Seen) -> str:
    return "stopping; once more to end at once" if seen.stopping else left_in_words(seen.left)


def _line(text: str) -> Text:
    from rich.text import Text

    return Text(text, no_wrap=True, overflow="ellipsis")
