"""The plans of a front's points, as the page's script shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import in_component

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.pareto import ParetoFront, TradeOff


@dataclass(frozen=True)
class FrontPoints:
    """What is shown of the points.

    Parameters
    ----------
    choices
        By position, what a point is called in a list.
    levels
        Numbered from 1 at the root.
    points
        For the script: names of layers, and of every point a sentence and its words.
    """

    choices: tuple[tuple[int, str], ...]
    levels: range
    points: Mapping[str, Any]


def front_points(front: ParetoFront) -> FrontPoints:
    """Return every point's plan, layer by layer."""
    layers = list(front.points[0].strategies)
    levels = max((len(word) for word in front.points[0].strategies.values()), default=0)
    least = front.least_product()
    called = [
        f"{number}: {_values(front, point)}{', least product' if point is least else ''}"
        for number, point in enumerate(front.points, start=1)
    ]
    plans = [
        {"said": _said(front, point, text), "words": [point.strategies[layer] for layer in layers]}
        for point, text in zip(front.points, called, strict=True)
    ]
    return FrontPoints(tuple(enumerate(called)), range(1, levels + 1), {"layers": layers, "plans": plans})


def _values(front: ParetoFront, point: TradeOff) -> str:
    pairs = zip(front.components, point.values, strict=True)
    return ", ".join(f"{name} {in_component(name, value)}" for name, value in pairs)


def _said(front: ParetoFront, point: TradeOff, called: str) -> str:
    rest = [
        f"{name} {in_component(name, value)}" for name, value in point.costs.items() if name not in front.components
    ]
    more = f" Also {', '.join(rest)}." if rest else ""
    return f"Point {called}.{more} Letters that differ from point 1 are framed."
