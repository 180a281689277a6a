"""The plans of a page: those that are the same together, the best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.components import COMMUNICATION
from hypar_opt.plan import Status
from hypar_opt.plan_file import in_full
from hypar_opt.report.comparison.notes import of_placement_alone
from hypar_opt.report.numbers import in_objective
from hypar_opt.reporting import slug_of
from hypar_opt.reporting.ordering import best_first, proves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.plan import Plan
    from hypar_opt.reporting import Named, Subject


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

    all: tuple[Named, ...]
    slug: str
    least: tuple[Named, ...] = ()

    @property
    def named(self) -> Named:
        """The first."""
        return self.all[0]

    @property
    def plan(self) -> Plan:
        """Of the first."""
        return self.named.plan

    @property
    def names(self) -> str:
        """All names."""
        return ", ".join(named.name for named in self.all)

    @property
    def status(self) -> str:
        """The best that is known of it: optimal where that is proven, by whomever, and of all plans."""
        return (Status.OPTIMAL if self.least else Status.FEASIBLE).value

    @property
    def said(self) -> str:
        """What it costs, and who proved what."""
        plan, aim = self.plan, self.named.problem.aim
        cost = "" if plan.objective is None else in_full(plan.objective)
        shown = "" if plan.objective is None or aim.kind != "sum" else f" ({in_objective(aim.weights, plan.objective)})"
        bytes_of = "" if plan.communication_bytes is None else f"; {in_full(plan.communication_bytes)} bytes exchanged"
        return f"{aim.spelt} {cost}{shown}{'' if aim.spelt == COMMUNICATION else bytes_of}; {self._proof}."

    @property
    def _proof(self) -> str:
        if not self.least:
            placed = "its placement is the best for its strategies, it is " if self._places_best else ""
            return f"{placed}not proven to be optimal"
        told = ", as plan files say" if all(one.source for one in self.least) else ""
        return f"no plan costs less, proven by {', '.join(one.name for one in self.least)}{told}"

    @property
    def _places_best(self) -> bool:
        return any(of_placement_alone(one.plan) for one in self.all)


def alike(plans: Sequence[Named]) -> tuple[Alike, ...]:
    """Return the different plans, each with all that it was found by: the best first, and of these what is proven."""
    found: dict[tuple[object, ...], list[Named]] = {}
    ordered = sorted(plans, key=best_first)
    for named in ordered:
        found.setdefault((*named.strategies.items(), named.plan.placement), []).append(named)
    groups = list(found.values())
    stems = _stems([group[0] for group in groups])
    return tuple(
        Alike(tuple(group), stem, _least(group[0].plan, ordered)) for group, stem in zip(groups, stems, strict=True)
    )


def _least(plan: Plan, plans: Sequence[Named]) -> tuple[Named, ...]:
    """Return who proved that no plan at all costs less than this one."""
    return tuple(named for named in plans if proves(named.plan) and named.plan.objective == plan.objective)


def plan_paths(subject: Subject) -> dict[str, str]:
    """Return where every plan's file stands in the report, by the plan's name; two never share one."""
    stems = _stems(subject.plans)
    return {named.name: f"plans/{subject.slug}/{stem}.json" for named, stem in zip(subject.plans, stems, strict=True)}


def _stems(plans: Sequence[Named]) -> list[str]:
    """Return letters, digits and hyphens of every plan's name, told apart by numbers."""
    found: list[str] = []
    for named in plans:
        plain = slug_of(named.name) or "plan"
        stem, number = plain, 1
        while stem in found:
            number += 1
            stem = f"{plain}-{number}"
        found.append(stem)
    return found
