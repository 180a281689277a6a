"""What an instance's page shows beside its plans: differences, links, costs, front, surface, scaling."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.errors import InputError, Refusal
from hypar_opt.report.pages.front_points import FrontPoints, front_points
from hypar_opt.report.pages.overview import BASE
from hypar_opt.reporting.sections import EXPLORATION, FRONT, SCALING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.pages.content import Beside, Shown
    from hypar_opt.report.pages.plans import Alike
    from hypar_opt.reporting import Subject

DRAWN: Final = 2
"""Plans whose links are drawn: the first, and with them the one that the others are compared with."""


@dataclass(frozen=True)
class Part:
    """A section of a page.

    Parameters
    ----------
    id, title
        Of its heading.
    shown
        Its figures.
    lead
        A sentence below the heading.
    missing
        Why there is nothing, where there is nothing.
    label, choices
        A list from which one of the figures is chosen: its label, and by figure what it is called.
    front
        The plans of a front's points.
    """

    id: str
    title: str
    shown: tuple[Shown, ...] = ()
    lead: str = ""
    missing: str = ""
    label: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    front: FrontPoints | None = None


def parts(subject: Subject, plans: Sequence[Alike], beside: Beside) -> tuple[Part, ...]:
    """Return the sections of a page, those that say why there is nothing among them."""
    found = []
    for part in (_pairs, _links, _costs, _front, _exploration, _scaling):
        try:
            found.append(part(subject, plans, beside))
        except ModuleNotFoundError as error:  # TEMPORARY
            found.append(Part(part.__name__[1:], part.__name__, missing=str(error)))
    return tuple(found)


def _pairs(subject: Subject, plans: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.plan_pair import pair_figure

    here = partial(Part, "pairs", "Two plans side by side")
    if len(plans) < 2:
        return here(missing="all plans are the same" if plans else "there is no plan")
    return _whole(here, subject, beside, lambda: pair_figure([one.named for one in plans]))


def _links(subject: Subject, plans: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.links import links_figure, shown_of

    here = partial(Part, "array", "The array and its links")
    placed = [one for one in _telling(plans) if one.named.placed is not None]
    if not placed:
        return here(missing="no plan stands anywhere on the array")
    made = [partial(lambda named: links_figure(shown_of(named)), one.named) for one in placed]
    return _chosen(here, subject, beside, [one.names for one in placed], made, "Plan")


def _telling(plans: Sequence[Alike]) -> list[Alike]:
    """Return the plans whose links are drawn."""
    base = [one for one in plans[DRAWN:] if any(named.name == BASE for named in one.all)]
    return [*plans[:DRAWN], *base]


def _costs(subject: Subject, plans: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.costs import costs_figure

    here = partial(Part, "costs", "Time and energy")
    stepped = [one.named for one in plans if one.named.step is not None]
    if not stepped:
        return here(missing=subject.missing.get("time", "the array does not say what its accelerators can do"))
    return _whole(here, subject, beside, lambda: costs_figure(stepped))


def _front(subject: Subject, _: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.front import front_figure

    front = subject.front
    if front is None or not front.points:
        return Part("front", "Pareto front", missing=subject.missing.get(FRONT, "no plan is feasible"))
    proven = "complete: no plan is better in both than every one of these" if front.complete else "not complete"
    note = f"; {front.note}" if front.note else ""
    here = partial(
        Part, "front", "Pareto front",
        lead=f"{len(front.points):,} plans by {front.formulation}, {proven} ({front.native_status}{note}). Click a "
        "point, or choose one below, and its plan is shown.",
        front=front_points(front),
    )  # fmt: skip
    return _whole(here, subject, beside, lambda: front_figure(front))


def _exploration(subject: Subject, _: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.surface import surface_figure

    found = subject.exploration
    here = partial(Part, "exploration", "A corner of the search space")
    if found is None:
        return here(missing=subject.missing.get(EXPLORATION, "it was not explored"))
    return _whole(here, subject, beside, lambda: surface_figure(found))


def _scaling(subject: Subject, _: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.scaling import scaling_figure

    here = partial(Part, "scaling", "Arrays of other sizes")
    if not subject.scaling:
        return here(missing=subject.missing.get(SCALING, "no other size was tried"))
    return _whole(here, subject, beside, lambda: scaling_figure(subject.scaling))


def _whole(here: Callable[..., Part], subject: Subject, beside: Beside, draw: Callable[[], Figure]) -> Part:
    """Return a section of one figure, or why it cannot be drawn."""
    try:
        return here(shown=(beside.figure(draw(), subject.slug),))
    except (InputError, Refusal) as error:
        return here(missing=str(error), front=None) if "front" in _keywords(here) else here(missing=str(error))


def _keywords(here: Any) -> dict[str, Any]:
    return dict(getattr(here, "keywords", {}))


def _chosen(
    here: Callable[..., Part],
    subject: Subject,
    beside: Beside,
    names: Sequence[str],
    draw: Sequence[Callable[[], Figure]],
    label: str,
) -> Part:
    """Return a section of several figures of which one is chosen; their places differ, whatever they are called."""
    shown = []
    for number, one in enumerate(draw):
        try:
            shown.append(beside.figure(one(), subject.slug, number if len(draw) > 1 else None))
        except (InputError, Refusal) as error:
            return here(missing=str(error))
    choices = tuple((one.id, name) for one, name in zip(shown, names, strict=True))
    return here(shown=tuple(shown), label=label, choices=choices if len(shown) > 1 else ())
