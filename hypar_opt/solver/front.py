"""Pareto fronts, and how they are written."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import COMPONENTS, COST_FIELDS
from hypar_opt.instance.text import cut
from hypar_opt.solver.front_file import SCHEMA
from hypar_opt.solver.kept_words import all_said
from hypar_opt.solver.plan import Plan
from hypar_opt.util.files import write_atomically
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd


@dataclass(frozen=True)
class TradeOff:
    """A plan that is on the front.

    Parameters
    ----------
    values
        By component of the front, exact.
    plan
        With everything that is known of its cost; of the objective nothing is proven, and where that depends on a
        placement which is to be decided, it has none.
    components
        Of the front.
    """

    values: tuple[Fraction, ...]
    plan: Plan
    components: tuple[str, ...] = ()

    @property
    def strategies(self) -> Mapping[str, str]:
        """By layer."""
        return self.plan.strategies or {}

    @property
    def costs(self) -> Mapping[str, Fraction]:
        """Of the plan, by component."""
        return self.plan.costs

    @property
    def unbuildable(self) -> tuple[str, ...]:
        """Its splits into more parts than there are elements, a sentence for each."""
        return self.plan.unbuildable


@dataclass(frozen=True, repr=False)
class ParetoFront:
    """What was found, and what is proven of it.

    Parameters
    ----------
    instance, instance_sha256, overrides
        Whose front.
    components
        Of the values.
    points
        Ascending by the first component.
    complete
        Whether every plan is proven to be dominated by, or to equal, one of the points.
    formulation, native_status, note, statistics, runtime_s
        Who says so, how, and at what price.
    seed, versions
        What is needed to get it again.
    excess
        A share for which it is proven that for every plan one of the points has by no component more than 1 + that
        many times as much: 0 of a complete front; None where nothing of the kind is proven.
    """

    instance: str
    instance_sha256: str
    overrides: Mapping[str, object]
    components: tuple[str, ...]
    points: tuple[TradeOff, ...]
    complete: bool
    formulation: str
    native_status: str
    note: str
    runtime_s: float
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    excess: Fraction | None = None

    def __repr__(self) -> str:
        count = f"{len(self.points):,} point{'' if len(self.points) == 1 else 's'}"
        whole = f"{'' if self.complete else 'not '}complete, by {cut(self.formulation)}"
        return f"ParetoFront({cut(self.instance)!r}, {count} of {' and '.join(map(cut, self.components))}, {whole})"

    def _repr_html_(self) -> str:
        """Return what it is and its points, as notebooks show it."""
        return f"<p>{escape(repr(self))}</p>{self.to_frame().astype(float, errors='ignore').to_html()}"

    def to_frame(self) -> pd.DataFrame:
        """Return a row a point, by its number from 1: the front's components, exact, in their units, and the status."""
        import pandas as pd

        return pd.DataFrame(
            [(*point.values, point.plan.status.value) for point in self.points],
            columns=[*(COMPONENTS[name].field for name in self.components), "status"],
            index=pd.RangeIndex(1, len(self.points) + 1, name="point"),
        )

    def save(self, path: Path | str) -> None:
        """Write the front's file, whole or not at all."""
        write_front(self, Path(path))

    @classmethod
    def load(cls, path: Path | str) -> ParetoFront:
        """Read a front's file; what it claims is not checked, which `verify` does of the plan of each point.

        Raises
        ------
        InputError
            If it is none; names the file, line and field.
        """
        from hypar_opt.solver.plan_reader import read_front

        said = read_front(Path(path))
        points = tuple(
            TradeOff(tuple(plan.costs[name] for name in said.components), plan, tuple(said.components))
            for plan in (Plan(**said.fields_of(number + 1)) for number in range(len(said.points)))
        )
        return cls(
            **said.origin, components=tuple(said.components), complete=said.complete, points=points, excess=said.excess
        )

    @cached_property
    def words(self) -> tuple[Mapping[str, str], ...]:
        """The strategies of all points, with the same names in each."""
        return all_said([point.strategies for point in self.points])

    def least_product(self) -> TradeOff | None:
        """Return the point with the least product of the first two components, the first of several."""
        return min(self.points, key=lambda one: one.values[0] * one.values[1], default=None)

    def supported(self) -> frozenset[int]:
        """Return the positions of the points that some weighting of two components makes optimal."""
        if len(self.components) != 2:
            return frozenset()
        hull: list[int] = []
        for position, point in enumerate(self.points):
            while len(hull) > 1 and _bends_up(self.points[hull[-2]], self.points[hull[-1]], point):
                hull.pop()
            hull.append(position)
        return frozenset(hull)


def front_document(front: ParetoFront) -> dict[str, Any]:
    """Return a front for machines: every plan with its costs, exact."""
    best = front.least_product()
    return {
        "schema": SCHEMA,
        "instance": front.instance,
        "instance_sha256": front.instance_sha256,
        "overrides": dict(front.overrides),
        "components": list(front.components),
        **{name: getattr(front, name) for name in ("complete", "formulation", "native_status", "note")},
        "excess": exact(front.excess),
        "runtime_s": round(front.runtime_s, 6),
        "statistics": dict(front.statistics),
        "versions": dict(front.versions),
        "seed": front.seed,
        "least_product": None if best is None else front.points.index(best),
        "points": [_point(point) for point in front.points],
    }


def _point(point: TradeOff) -> dict[str, Any]:
    plan = point.plan
    costs = {COST_FIELDS.get(name, "communication_bytes"): exact(cost) for name, cost in point.costs.items()}
    placed = {} if plan.placement is None else {"placement": list(plan.placement), "decided": plan.decided}
    beyond = {"unbuildable": list(point.unbuildable), "uneven": list(plan.uneven)}
    return {
        "cost": costs,
        "objective": exact(plan.objective),
        "note": plan.note,
        "plan": dict(point.strategies),
        **placed,
        **{name: found for name, found in beyond.items() if found},
    }


def write_front(front: ParetoFront, path: Path) -> None:
    """Write a front's file atomically."""
    write_atomically(path, json.dumps(front_document(front), indent=1) + "\n")


def _bends_up(first: TradeOff, middle: TradeOff, last: TradeOff) -> bool:
    """Return whether the middle of three points is above the line that joins the others."""
    (x, y), (x_middle, y_middle), (x_last, y_last) = (one.values for one in (first, middle, last))
    return (y_middle - y) * (x_last - x) > (x_middle - x) * (y_last - y)
