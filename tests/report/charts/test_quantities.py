"""Quantities at axes and in texts of charts: a prefix that suits them, and their unit, spelt as it is elsewhere."""

import re

import altair as alt
import pytest

from hypar_opt.report.charts.quantities import quantity, ticks, titled
from hypar_opt.report.charts.theme import inline
from hypar_opt.report.charts.width import drawn
from hypar_opt.report.numbers import in_component

OF = {"B": "communication", "s": "time", "J": "energy"}


def texts(chart):
    """Return all words of a chart."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", drawn(chart.to_dict()))


def axis(unit, *ends, kind="linear"):
    """Return the labels of an axis that goes from one value to another."""
    x = alt.X("x:Q", title="", scale=alt.Scale(domain=list(ends), nice=False, type=kind))
    x.axis = alt.Axis(**ticks(unit), tickCount=5)
    return [text for text in texts(alt.Chart(inline([{"x": ends[1]}])).mark_point().encode(x=x)) if text]


@pytest.mark.parametrize(
    ("unit", "ends", "labels"),
    [
        ("s", (0, 0.12), ["0", "20 ms", "40 ms", "60 ms", "80 ms", "100 ms", "120 ms"]),
        ("s", (0, 2.5e-4), ["0", "50 us", "100 us", "150 us", "200 us", "250 us"]),
        ("s", (0, 4000), ["0", "1,000 s", "2,000 s", "3,000 s", "4,000 s"]),
        ("J", (0, 1), ["0", "0.2 J", "0.4 J", "0.6 J", "0.8 J", "1 J"]),
        ("J", (30.001, 30.003), ["30.001 J", "30.0015 J", "30.002 J", "30.0025 J", "30.003 J"]),
        ("B", (0, 1e9), ["0", "0.2 GB", "0.4 GB", "0.6 GB", "0.8 GB", "1 GB"]),
        ("B", (-2e6, 2e6), ["−2 MB", "−1 MB", "0", "1 MB", "2 MB"]),
        ("", (0, 0.2), ["0", "0.05", "0.1", "0.15", "0.2"]),
    ],
)
def test_labels_of_an_axis(unit, ends, labels):
    assert axis(unit, *ends) == labels


@pytest.mark.parametrize("unit", OF)
def test_a_value_is_spelt_as_texts_beside_the_chart_spell_it(unit):
    values = [float(f"1.234e{power}") for power in range(0 if unit == "B" else -9, 10 if unit == "B" else 4)]
    rows = inline([{"x": value} for value in values])
    chart = alt.Chart(rows).transform_calculate(t=quantity("datum.x", f"'{unit}'")).mark_text().encode(text="t:N")
    assert [text.replace(",", "") for text in texts(chart)] == [in_component(OF[unit], value) for value in values]


def test_a_unit_can_be_a_parameter():
    chart = alt.Chart(inline([{"x": 0.04}])).transform_calculate(t=quantity("datum.x", "unit")).mark_text()
    chart = chart.encode(text="t:N")
    assert texts(chart.add_params(alt.param(name="unit", value="s"))) == ["40 ms"]
    assert texts(chart.add_params(alt.param(name="unit", value=""))) == ["0.04"]


def test_a_title_has_what_stands_behind_the_unit_and_not_the_unit():
    assert titled("time") == "time"
    assert titled("hop-bytes") == "hop-bytes (x hops)"
