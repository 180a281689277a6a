"""The plans of a page: those that are the same together, the best first."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.components import COMMUNICATION
from hypar_opt.plan import Status
from hypar_opt.plan_file import in_full
from hypar_opt.report.numbers import in_objective
from hypar_opt.reporting import slug_of

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
    least
        Who proved that no plan costs less than these.
    """

    all: tuple[Named, ...]
    least: tuple[str, ...] = ()

    @property
    def named(self) -> Named:
        """The first."""
        return self.all[0]

    @property
    def plan(self) -> Plan:
        """Of the first."""
        return self.named.plan

    @property
    def slug(self) -> str:
        """For the names of files and places on the page."""
        return file_stem(self.named)

    @property
    def names(self) -> str:
        """All names."""
        return ", ".join(named.name for named in self.all)

    @property
    def status(self) -> str:
        """The best that is known of it: optimal where that is proven, by whomever."""
        return (Status.OPTIMAL if self.least else self.plan.status).value

    @property
    def said(self) -> str:
        """What it costs, and who proved what."""
        plan, aim = self.plan, self.named.problem.aim
        cost = "" if plan.objective is None else in_full(plan.objective)
        shown = "" if plan.objective is None or aim.kind != "sum" else f" ({in_objective(aim.weights, plan.objective)})"
        bytes_of = "" if plan.communication_bytes is None else f"; {in_full(plan.communication_bytes)} bytes exchanged"
        proof = (
            f"; no plan costs less, proven by {', '.join(self.least)}" if self.least else "; not proven to be optimal"
        )
        return f"{aim.spelt} {cost}{shown}{'' if aim.spelt == COMMUNICATION else bytes_of}{proof}."


def file_stem(named: Named) -> str:
    """Return the name of a plan's file, without its ending."""
    return slug_of(named.name) or "plan"


def alike(plans: Sequence[Named]) -> tuple[Alike, ...]:
    """Return the different plans, the least objective first, each with all that it was found by."""
    found: dict[tuple[object, ...], list[Named]] = {}
    for named in plans:
        found.setdefault((*named.strategies.items(), named.plan.placement), []).append(named)
    groups = [Alike(tuple(group), _least(group[0].plan, plans)) for group in found.values()]
    return tuple(sorted(groups, key=lambda one: (_objective(one.plan), not _proves(one))))


def _least(plan: Plan, plans: Sequence[Named]) -> tuple[str, ...]:
    """Return who proved that no plan at all costs less than this one."""
    return tuple(
        named.name
        for named in plans
        if named.plan.status is Status.OPTIMAL
        and named.plan.decided != "placement"
        and named.plan.objective == plan.objective
    )


def _proves(one: Alike) -> bool:
    return any(named.plan.status is Status.OPTIMAL for named in one.all)


def plan_paths(subject: Subject) -> dict[str, str]:
    """Return where every plan's file stands in the report, by the plan's name; two never share one."""
    found: dict[str, str] = {}
    for named in subject.plans:
        stem, number = file_stem(named), 1
        while (path := f"plans/{subject.slug}/{stem}{f'-{number}' if number > 1 else ''}.json") in found.values():
            number += 1
        found[named.name] = path
    return found


def _objective(plan: Plan) -> Fraction:
    return Fraction(0) if plan.objective is None else plan.objective
