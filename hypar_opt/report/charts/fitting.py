"""Laying a chart out for a width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPOSED: Final = ("hconcat", "vconcat", "concat", "facet", "repeat")
"""Charts of charts, whose width Vega-Lite does not fit itself."""
TRIES: Final = 4
LEAST: Final = 0.05
"""Factor; what is too wide even then is scaled down as a whole."""
NEAR: Final = 1.0
"""Pixels that a width may be off; the rest is made up for by the scale."""


def fitted(spec: Mapping[str, Any], width: float) -> str:
    """Return a chart as SVG, as wide as asked for; what stands beside what stays there.

    Parameters
    ----------
    width
        Pixels of axes, labels and legends together.
    """
    if not any(name in spec for name in COMPOSED) and not _faceted(spec):
        return _drawn(dict(spec) | {"width": width, "autosize": {"type": "fit-x", "contains": "padding"}})
    return _composed(spec, width)


def _faceted(spec: Mapping[str, Any]) -> bool:
    return any(name in spec.get("encoding", {}) for name in ("facet", "row", "column"))


def _composed(spec: Mapping[str, Any], width: float) -> str:
    """Scale the widths of all views until the whole has its width: labels and gaps between them keep theirs."""
    tried = [(0.5, _drawn(_scaled(spec, 0.5))), (1.0, _drawn(_scaled(spec, 1.0)))]
    for _ in range(TRIES):  # a step of Newton's method each; a width is all but linear in the factor
        (before, narrow), (factor, svg) = tried[-2:]
        slope = (width_of(svg) - width_of(narrow)) / (factor - before)
        if abs(width_of(svg) - width) <= NEAR or slope <= 0:
            break
        following = max(LEAST, factor + (width - width_of(svg)) / slope)
        if following == factor:
            break
        tried.append((following, _drawn(_scaled(spec, following))))
    return tried[-1][1]


def _scaled(view: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return a chart with the widths of its views, given in pixels or by step, made wider or narrower."""
    made = dict(view)
    for name in ("hconcat", "vconcat", "concat"):
        if name in view:
            made[name] = [_scaled(one, factor) for one in view[name]]
    if "spec" in view:
        made["spec"] = _scaled(view["spec"], factor)
    if "width" in view:
        wide = view["width"]
        made["width"] = {**wide, "step": wide["step"] * factor} if isinstance(wide, dict) else wide * factor
    return made


def width_of(svg: str) -> float:
    """Return a picture's width in its own coordinates."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ', svg)
    assert found is not None  # Vega writes it first
    return float(found[1])


def _drawn(spec: Mapping[str, Any]) -> str:
    import vl_convert

    return str(vl_convert.vegalite_to_svg(dict(spec), allowed_base_urls=[]))
