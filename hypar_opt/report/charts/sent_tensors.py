"""What layers send of every tensor: in full, and in the bits that were chosen."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.instance.precision_schema import TENSORS
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.precision.tables import sent_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.precision import JudgedPrecision

COLOURS: Final[Mapping[str, str]] = MappingProxyType(dict(zip(TENSORS, ("#0072B2", "#E69F00", "#CC79A7"), strict=True)))
WIDE: Final = 520
ROW: Final = 22
"""Pixels: of the largest tensor, and of a row."""


def sent_figure(judged: JudgedPrecision) -> Figure:
    """Return a bar a tensor: light what it is in full, dark what is sent of it."""
    rows = list(_rows(judged))
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    legend = alt.Legend(orient="top", title=None, symbolType="square")
    axis = alt.Axis(**ticks("B"), tickCount=6)
    y = alt.Y("tensor:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.25))
    colour = alt.Color("kind:N", scale=scale, legend=legend)
    tips = [alt.Tooltip(f"{name}:N") for name in ("tensor", "bits", "in full", "sent")]
    base = alt.Chart(inline(rows))
    whole = base.mark_bar(opacity=0.3).encode(
        x=alt.X("whole:Q", title="bytes", axis=axis), y=y, color=colour, tooltip=tips
    )
    sent = base.mark_bar().encode(x="part:Q", y=y, color=colour, tooltip=tips, description=alt.Description("said:N"))
    chart = (whole + sent).properties(width=WIDE, height=ROW * max(1, len(rows)))
    said = "; ".join(row["said"] for row in rows[:12])
    alternative = f"Bars, a tensor each, of its bytes in full, and the dark part of those that are sent. {said}."
    return figure(
        "sent", f"What layers of {judged.evaluator.instance.name} send", alternative, chart, sent_table(judged)
    )


def _rows(judged: JudgedPrecision) -> Iterator[dict[str, Any]]:
    for one in judged.tensors:
        whole, sent = in_bytes(one.whole_bytes), in_bytes(one.sent_bytes)
        yield {
            "tensor": f"{one.layer} {one.tensor}", "kind": one.tensor, "bits": str(one.bits), "in full": whole,
            "sent": sent, "whole": float(one.whole_bytes), "part": float(one.sent_bytes),
            "said": f"{one.layer} {one.tensor} in {one.bits} bits: {sent} of {whole}",
        }  # fmt: skip
