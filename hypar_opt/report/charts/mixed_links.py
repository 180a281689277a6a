"""The links of an array of several kinds, with what a plan's accelerators read from each other across them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.links import links_figure
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.mixed.links import placed_array

if TYPE_CHECKING:
    from hypar_opt.report.charts.theme import Figure
    from hypar_opt.report.content.mixed_plan import NamedMixedPlan


def mixed_links_figure(named: NamedMixedPlan) -> Figure:
    """Return the array, each link coloured by what a plan puts on it.

    Raises
    ------
    Refusal
        If it has too many nodes or links for a picture, or routes to be walked.
    """
    return links_figure(placed_array(named), "mixed-links")


def _sees_links(named: NamedMixedPlan) -> bool:
    """Whether it is said what links can do, or something depends on how many bytes cross."""
    return named.plan.strategies is not None and named.problem.compiled.sees_links


FIGURE: Final = FigureKind(
    "mixed-links", "What crosses links", "plan", mixed_links_figure, "links", accepts=_sees_links, of=("mixed",)
)
