"""What `show` shows of something that is no network on links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from hypar_opt.report.arrays.shown import PlacedArray
    from hypar_opt.report.charts import Figure
    from hypar_opt.report.tables import TableDocument


@dataclass(frozen=True)
class Shown:
    """Something to show.

    Parameters
    ----------
    document
        For machines.
    headline
        What it is, in lines.
    show
        Prints it.
    figure
        Draws it, where there is a picture of it: of a plan, and of an array.
    tables
        Returns it as tables, where there are any: of a plan, and of a network.
    graph
        Draws what a plan is of as a graph, where there is such a picture beside the other one.
    links
        Returns the array with what a plan puts on its links, where it is known who sends to whom.
    """

    document: Callable[[], dict[str, Any]]
    headline: Callable[[], Sequence[str]]
    show: Callable[[Console], None]
    figure: Callable[[], Figure] | None = None
    tables: Callable[[], TableDocument] | None = None
    links: Callable[[], PlacedArray] | None = None
    graph: Callable[[], Figure] | None = None
