"""Laying a chart out for a width, and cutting names that are too long for a label."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LEAST: Final = 0.2
"""Factor of the views' widths; what is too wide even then gets legends of fewer columns, and is then scaled down."""
MOST: Final = 6.0
"""Factor; what is narrower even then is scaled up."""
TRIES: Final = 12
CLOSE: Final = 0.01
"""Factors that make no difference."""
NEAR: Final = 2.0
"""Pixels that a width may be less than asked for; the rest is made up for by the scale."""
RIGID: Final = "rigid"
"""What the names of views begin with that keep their width: grids of letters, and pictures that have a shape."""
WIDTH: Final = 300
"""Pixels of a view that says none."""


def fitted(spec: Mapping[str, Any], width: float) -> str:
    """Return a chart as SVG, as wide as asked for; what stands beside what stays there.

    The widths of all views are scaled, with whatever else there is of labels and legends, until the whole is as wide:
    Vega-Lite's own fit cuts off a legend that is too wide, and fits no chart of charts.

    Parameters
    ----------
    width
        Pixels of axes, labels and legends together.
    """
    made = _with_width(spec)
    while True:
        svg = _searched(made, width)
        fewer = changed(made, _with_fewer_columns)
        if width_of(svg) <= width or fewer == made:
            return svg
        made = fewer


def _searched(spec: Mapping[str, Any], width: float) -> str:
    """Search the factor with which a chart is as wide as asked for; return the narrowest where none is.

    A chart grows by its views' widths, all but linearly: a legend may be wider than they are.
    """
    low, high, factor, best = LEAST, MOST, 1.0, ""
    for _ in range(TRIES):
        svg = drawn(_scaled(spec, factor))
        left = width - width_of(svg)
        if not best or left >= 0 or width_of(svg) < width_of(best):
            best = svg
        if 0 <= left <= NEAR or high - low < CLOSE:
            break
        low, high = (factor, high) if left > 0 else (low, factor)
        step = (left - NEAR / 2) / (_span(spec) or width_of(svg) / factor)
        margin = (high - low) / 20
        factor = min(high - margin, max(low + margin, factor + step))
    return best


def _span(view: Mapping[str, Any]) -> float:
    """Return the widths of the views that stand side by side; nothing where they follow from what is shown."""
    if "hconcat" in view:
        return sum(_span(_with_width(one)) for one in view["hconcat"])
    if "vconcat" in view:
        return max(_span(_with_width(one)) for one in view["vconcat"])
    return view["width"] if isinstance(view.get("width"), int | float) else 0.0


def _with_width(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {"width": WIDTH, **spec} if "mark" in spec or "layer" in spec else dict(spec)


def changed(part: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return a chart, or a part of it, with a change to each of its mappings, the innermost first; data stay."""
    if isinstance(part, list):
        return [changed(one, change) for one in part]
    if not isinstance(part, dict):
        return part
    return change({name: one if name in ("data", "datasets") else changed(one, change) for name, one in part.items()})


def _with_fewer_columns(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a chart whose legend has a column less, where it has more than one."""
    legend = part.get("legend")
    if isinstance(legend, dict) and legend.get("columns", 1) > 1:
        return {**part, "legend": {**legend, "columns": legend["columns"] - 1}}
    return part


def _scaled(view: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return a chart with the widths of its views, given in pixels or by step, made wider or narrower."""
    made = dict(view)
    for name in ("hconcat", "vconcat", "concat"):
        if name in view:
            made[name] = [_scaled(_with_width(one), factor) for one in view[name]]
    if "spec" in view:
        made["spec"] = _scaled(_with_width(view["spec"]), factor)
    if "width" in view and not str(view.get("name", "")).startswith(RIGID):
        wide = view["width"]
        made["width"] = {**wide, "step": wide["step"] * factor} if isinstance(wide, dict) else wide * factor
    return made


def width_of(svg: str) -> float:
    """Return a picture's width in its own coordinates."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ', svg)
    assert found is not None  # Vega writes it first
    return float(found[1])


def drawn(spec: Mapping[str, Any]) -> str:
    """Return a chart as SVG, as wide as it is."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(dict(spec), allowed_base_urls=[]))


HALVED: Final = re.compile("[\U00010000-\U0010ffff]")
"""Characters of two units."""
WIDE, NARROW = 10, 28
"""Characters of a label: of one that has such, which may all be wide, and of any other."""
GUIDES: Final = {
    **dict.fromkeys(("x", "y"), "axis"),
    **dict.fromkeys(("row", "column", "facet"), "header"),
    **dict.fromkeys(("color", "fill", "stroke", "shape", "size", "opacity", "strokeDash"), "legend"),
}
"""What stands at the values of a channel."""


def cut(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chart whose labels Vega has nothing to cut of; the same one where no name has such a character."""
    return changed(dict(spec), _cut) if _halved(spec) else dict(spec)


def _halved(part: Any) -> bool:
    if isinstance(part, str):
        return HALVED.search(part) is not None
    if isinstance(part, list | tuple):
        return any(map(_halved, part))
    return isinstance(part, dict) and any(map(_halved, part.values()))


def _cut(part: dict[str, Any]) -> dict[str, Any]:
    made = part | {name: 0 for name in ("labelLimit", "limit") if name in part}
    for channel, guide in GUIDES.items():
        found = made.get(channel)
        if isinstance(found, dict) and found.get("type") in ("nominal", "ordinal") and found.get(guide, {}) is not None:
            made[channel] = {**found, guide: {"labelExpr": shortened("datum.label"), **found.get(guide, {})}}
    if isinstance(part.get("mark"), dict) and "limit" in part["mark"]:
        field = part["encoding"]["text"]["field"]
        shorter = {"calculate": shortened(f"datum['{field}']"), "as": field}
        made["transform"] = [*made.get("transform", []), shorter]
    return made


def shortened(label: str) -> str:
    """Return an expression of Vega for a label that is cut between characters, the marks on the last one included."""
    halved = f"test(regexp('[\\\\uD800-\\\\uDFFF]'), {label})"
    return f"{halved} ? {_first(label, WIDE)} : {_first(label, NARROW)}"


def _first(label: str, count: int) -> str:
    return f"replace({label}, regexp('^(.{{{count}}}[\\\\p{{M}}\\\\u200D]*).{{2,}}$', 'su'), '$1…')"
