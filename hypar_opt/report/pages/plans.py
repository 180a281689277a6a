"""The plans of a page: those that are the same together, the best first."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, COUNTS
from hypar_opt.instance.objective.function import LEXICOGRAPHIC
from hypar_opt.report.compare.notes import PLACED, of_placement_alone, word
from hypar_opt.report.content import FoundPlan, Subject, slugs
from hypar_opt.report.content.named_plan import best_first, proves
from hypar_opt.report.numbers import QUANTITY, exactly, in_component
from hypar_opt.report.objective import objective_text
from hypar_opt.report.pareto import digits_of
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.report.operators.blocks import Folded
    from hypar_opt.solver.front import ParetoFront, TradeOff
    from hypar_opt.solver.plan import Plan


Fold: TypeAlias = "Callable[[Iterable[tuple[str, tuple[str, ...]]]], Sequence[Folded[tuple[str, ...]]]]"
"""Puts together what is alike of neighbouring blocks."""


@dataclass(frozen=True)
class Alike:
    """Plans of several names with the same strategies on the same accelerators.

    Parameters
    ----------
    all
        The first stands for all of them.
    slug
        For the names of files and places on the page; unique among a page's.
    least
        Who proved that no plan costs less than these.
    """

    all: tuple[FoundPlan, ...]
    slug: str
    least: tuple[FoundPlan, ...] = ()

    @property
    def named(self) -> Any:
        """The first, of its problem's kind."""
        return self.all[0]

    @property
    def plan(self) -> Plan:
        """Of the first."""
        return self.all[0].plan

    @property
    def names(self) -> str:
        """All names."""
        return ", ".join(named.name for named in self.all)

    @property
    def status(self) -> str:
        """The best that is known of it: optimal where that is proven, by whomever, and of all plans."""
        if self.least:
            return Status.OPTIMAL.value
        placed = next((one.plan for one in self.all if of_placement_alone(one.plan)), None)
        return Status.FEASIBLE.value if placed is None else badge_of(placed)

    @property
    def said(self) -> str:
        """What it costs, and who proved what."""
        plan, objective = self.plan, self.named.problem.objective
        cost = objective_text(self.named.problem, plan)
        if plan.objective is not None and objective.kind != LEXICOGRAPHIC and objective.spelt not in COUNTS:
            cost = f"{exactly(objective, plan.objective)} ({cost})"
        said = plan.communication_bytes is not None and plan.decided != "begins"  # tasks exchange nothing
        bytes_of = f"; {in_full(plan.communication_bytes)} bytes exchanged" if said else ""
        return f"{objective.spelt} {cost}{'' if objective.spelt == COMMUNICATION else bytes_of}; {self._proof}."

    @property
    def _proof(self) -> str:
        if not self.least:
            places_best = any(of_placement_alone(one.plan) for one in self.all)
            placed = "its placement is the best for its strategies, it is " if places_best else ""
            return f"{placed}not proven to be optimal"
        told = ", as plan files say" if all(one.source for one in self.least) else ""
        return f"no plan{self._kept} costs less, proven by {', '.join(one.name for one in self.least)}{told}"

    @property
    def _kept(self) -> str:
        """Which plans the proof is of, where bounds or given strategies leave out others."""
        instance = self.named.problem.instance
        kept = [text for text, there in (("bounds", instance.bounds), ("given strategies", instance.fix)) if there]
        return f" that keeps the {' and the '.join(kept)}" if kept else ""


BADGES: Final[Mapping[str, str]] = MappingProxyType({PLACED: "Optimal placement for given strategies"})
"""What stands on pages instead of a short word of tables."""


def badge_of(plan: Plan | None) -> str:
    """Return the words of a plan's badge: what is proven, and of which problem."""
    return BADGES.get(word(plan), word(plan))


def alike(plans: Sequence[FoundPlan]) -> tuple[Alike, ...]:
    """Return the different plans, each with all that it was found by: the best first, and of these what is proven."""
    found: dict[tuple[object, ...], list[FoundPlan]] = {}
    ordered = sorted(plans, key=best_first)
    for named in ordered:
        plan = named.plan
        found.setdefault((*named.strategies.items(), *plan.shares.items(), plan.placement), []).append(named)
    groups = list(found.values())
    stems = slugs([group[0].name for group in groups], "plan")
    return tuple(
        Alike(tuple(group), stem, _least(group[0].plan, ordered)) for group, stem in zip(groups, stems, strict=True)
    )


def _least(plan: Plan, plans: Sequence[FoundPlan]) -> tuple[FoundPlan, ...]:
    """Return who proved that no plan at all costs less than this one."""
    return tuple(named for named in plans if proves(named.plan) and named.plan.objective == plan.objective)


def plan_paths(subject: Subject) -> dict[str, str]:
    """Return where every plan's file stands in the report, by the plan's name; two never share one."""
    stems = slugs([named.name for named in subject.plans], "plan")
    return {named.name: f"plans/{subject.slug}/{stem}.json" for named, stem in zip(subject.plans, stems, strict=True)}


@dataclass(frozen=True)
class FrontPoints:
    """What is shown of the points.

    Parameters
    ----------
    choices
        By position, what a point is called in a list.
    levels
        Numbered from 1 at the root; of operators the axes.
    heading
        Of the names beside the words.
    points
        For the script: names of layers, the first point's words; of every point a sentence, the words that differ, its
        plan file and the command that checks it.
    paths
        By position, the plan files.
    """

    choices: tuple[tuple[int, str], ...]
    levels: Sequence[int | str]
    points: Mapping[str, Any]
    paths: tuple[str, ...]
    heading: str = "layer"


def point_paths(subject: Subject) -> list[str]:
    """Return where the plan files of a front's points stand; not among `plans`, whose formulations were asked for."""
    count = 0 if subject.front is None else len(subject.front.points)
    return [f"fronts/{subject.slug}/point-{number}.json" for number in range(1, count + 1)]


def front_points(front: ParetoFront, paths: Sequence[str], asked: str, folded: Fold | None = None) -> FrontPoints:
    """Return every point's plan, layer by layer.

    Parameters
    ----------
    paths
        Of the points' plan files.
    asked
        What names the instance on a command line.
    folded
        Makes one row of names whose words are alike in all points; without it each has its own.
    """
    first = front.words[0]
    axes = front.points[0].plan.axes
    rows = _rows(front, folded)
    names = list(rows.values())

    def entries(words: Mapping[str, str], name: str) -> str | list[str]:
        return words[name].split() if axes else words[name]

    least, digits = front.least_product(), digits_of(front, range(len(front.points)))
    called = [
        f"{number}: {', '.join(_costs(front.components, point.values, digits))}"
        f"{', least product' if point is least else ''}"
        for number, point in enumerate(front.points, start=1)
    ]
    plans = []
    for point, words, text, path in zip(front.points, front.words, called, paths, strict=True):
        # the words that differ from the first point's, by the row's position
        changes = {at: entries(words, name) for at, name in enumerate(names) if words[name] != first[name]}
        command = shlex.join(["hypar-opt", "verify", asked, path])
        plans.append({"said": _said(front, point, text), "changes": changes, "file": path, "command": command})
    points = {"layers": list(rows), "words": [entries(first, name) for name in names], "plans": plans}
    levels = axes or range(1, max(map(len, first.values()), default=0) + 1)
    heading = "operator or tensor" if axes else "layer"
    return FrontPoints(tuple(enumerate(called)), levels, points, tuple(paths), heading)


def _rows(front: ParetoFront, folded: Fold | None) -> Mapping[str, str]:
    """Return by label the name whose word stands there."""
    names = list(front.words[0])
    if folded is None:
        return {name: name for name in names}
    items = [(name, tuple(words[name] for words in front.words)) for name in names]
    return {one.label: one.names[0] for one in folded(items)}


def _costs(names: Iterable[str], values: Iterable[Fraction | int], digits: Iterable[int]) -> Iterator[str]:
    return (
        f"{name} {in_component(name, value, most)}" for name, value, most in zip(names, values, digits, strict=False)
    )


def _said(front: ParetoFront, point: TradeOff, called: str) -> str:
    others = {name: value for name, value in point.costs.items() if name not in front.components}
    rest = ", ".join(_costs(others, others.values(), repeat(QUANTITY)))
    more = f" Also {rest}." if rest else ""
    return f"Point {called}.{more} {'Words' if point.plan.axes else 'Letters'} that differ from point 1 are framed."
