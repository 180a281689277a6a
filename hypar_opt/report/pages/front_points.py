"""The plans of a front's points, as the page's script shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import in_component

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
        For the script: names of layers, the first point's words; of every point a sentence and the words that differ.
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
    first = [front.points[0].strategies[layer] for layer in layers]
    plans = [
        {"said": _said(front, point, text), "changes": _changes(layers, first, point)}
        for point, text in zip(front.points, called, strict=True)
    ]
    points = {"layers": layers, "words": first, "plans": plans}
    return FrontPoints(tuple(enumerate(called)), range(1, levels + 1), points)


def _changes(layers: Sequence[str], first: Sequence[str], point: TradeOff) -> dict[int, str]:
    """Return the words that differ from the first point's, by the layer's position."""
    words = [point.strategies[layer] for layer in layers]
    return {at: word for at, (before, word) in enumerate(zip(first, words, strict=True)) if word != before}


def _values(front: ParetoFront, point: TradeOff) -> str:
    pairs = zip(front.components, point.values, strict=True)
    return ", ".join(f"{name} {in_component(name, value)}" for name, value in pairs)


def _said(front: ParetoFront, point: TradeOff, called: str) -> str:
    rest = [
        f"{name} {in_component(name, value)}" for name, value in point.costs.items() if name not in front.components
    ]
    more = f" Also {', '.join(rest)}." if rest else ""
    return f"Point {called}.{more} Letters that differ from point 1 are framed."
