"""What a chart is, whatever shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.report.tables import Table


@dataclass(frozen=True)
class Figure:
    """A chart with what stands for it where it cannot be seen.

    Parameters
    ----------
    name
        Of its files, and of its place on a page; letters, digits and hyphens.
    title
        A line above it.
    alternative
        What it shows, in a sentence or two, for whoever cannot see it.
    spec
        The chart in Vega-Lite. Names from instance files stand in its data only, never in an expression.
    table
        The numbers that it shows.
    printed
        The chart in print, where that is another one: without menus, or with what a page shows on hover.
    """

    name: str
    title: str
    alternative: str
    spec: Mapping[str, Any]
    table: Table
    printed: Mapping[str, Any] | None = None
