"""The figures there are: each is a record in a module of its own, found by its name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from hypar_opt.util.plug_ins import records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.report.charts.theme import Figure

Need: TypeAlias = Literal[
    "plan", "plans", "array", "front", "exploration", "points", "subject", "cells", "claims", "simulation", "baseline",
    "regrets", "axes", "kinds", "sizes", "gaps", "runs",
]  # fmt: skip
"""What a figure is drawn of: a `NamedPlan` or several, the best first; an array with its traffic; a Pareto front; an
exploration; plans on arrays of several sizes; all that is known of an instance (`Subject`); compared cells; judged
claims; a simulated step; plans beside data parallelism; what other strategies of each layer would cost;
an array of axes; one of several kinds, with its name; a collective of several sizes; what a campaign found;
named plans, whose runs are known."""


NETWORK: Final = "network"
"""The kind of problem that most figures are of."""


@dataclass(frozen=True)
class FigureKind:
    """A figure that can be drawn.

    Parameters
    ----------
    name
        Letters, digits and hyphens.
    title
        What it shows, in a few words; of the section that it makes on an instance's page.
    needs
        What it is drawn of.
    draw
        Draws it; raises `Refusal` where it cannot.
    section
        Of an instance's page; nothing for none. One that no other figure has is a section of its own, at the end.
    accepts
        Whether there is anything to draw of what it needs.
    of
        The kinds of problems of whose plans it is drawn.
    """

    name: str
    title: str
    needs: Need
    draw: Callable[..., Figure]
    section: str = ""
    accepts: Callable[[Any], bool] = bool
    of: tuple[str, ...] = (NETWORK,)


GROUP: Final = "hypar_opt.figures"
"""The entry-point group in which others' figures are found."""
OURS: Final = {
    name: f"hypar_opt.report.charts.{module}:FIGURE"
    for name, module in {
        "plan": "plan_grid",
        "pair": "plan_pair",
        "links": "links",
        "network": "network",
        "baseline": "baseline",
        "costs": "costs",
        "regrets": "regrets",
        "stages": "stages",
        "front": "front",
        "surface": "surface",
        "scaling": "scaling",
        "comparison": "comparison",
        "verdicts": "verdicts",
        "gantt": "gantt",
        "operators": "operator_grid",
        "operator-memory": "operator_memory",
        "operator-time": "operator_time",
        "axes": "operator_axes",
        "mixed": "mixed_grid",
        "mixed-time": "mixed_time",
        "mixed-shares": "mixed_shares",
        "kinds": "mixed_array",
        "mixed-links": "mixed_links",
        "pipeline": "pipeline_stages",
        "pipeline-graph": "pipeline_graph",
        "stage-regrets": "stage_regrets",
        "throughput": "throughput",
        "collective-ways": "collective_ways",
        "collective-loads": "collective_loads",
        "message-sizes": "message_sizes",
        "gaps": "campaign_gaps",
        "anytime": "anytime",
    }.items()
}
"""By name, where a record stands; it is imported when somebody asks for figures."""


@cache
def figures() -> Mapping[str, FigureKind]:
    """Return all figures by name: ours, then those that others have installed.

    Raises
    ------
    Refusal
        If one cannot be loaded, or is none.
    """
    return records(GROUP, OURS, FigureKind, "figure")


def drawings(
    known: Mapping[Need, Any], section: str | None = None, kind: str = NETWORK
) -> dict[str, Callable[[], Figure]]:
    """Return what draws each figure that something is known for, by its name.

    Parameters
    ----------
    known
        By what figures need.
    section
        Only of this section.
    kind
        Of the problem whose plans they are of.
    """
    kinds = [one for one in figures().values() if kind in one.of and (section is None or one.section == section)]
    return {
        one.name: partial(one.draw, known[one.needs])
        for one in kinds
        if one.needs in known and known[one.needs] is not None and one.accepts(known[one.needs])
    }


def write_figures(needs: Need, what: Any, folder: Path, name: str = "", title: str = "") -> Sequence[Path]:
    """Write every figure that is drawn of something across a page: SVG, PDF and PNG; return their paths.

    Parameters
    ----------
    name
        Of the first of them, if not its own.
    title
        Before the figures' own, which then stand above them.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    from hypar_opt.report.charts.export import write_figure

    paths: list[Path] = []
    for number, draw in enumerate(drawings({needs: what}).values()):
        figure = draw()
        called = figure.name if number or not name else name
        above = f"{title}: {figure.title}" if title else figure.title
        paths += write_figure(replace(figure, name=called, title=above), folder, "page", titled=bool(title))
    return paths
