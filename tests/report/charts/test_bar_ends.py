"""Bars beside a few that are many times as long: those are cut, and said to be."""

from dataclasses import replace
from fractions import Fraction

import pytest
from chart_data import drawn
from machines_drawn import MACHINE, plans_on

from hypar_opt.instance.objective.components import TIME, TOTALS
from hypar_opt.report.charts.bar_ends import MARK, ROOM, SAID, TIMES, end_of
from hypar_opt.report.charts.costs import costs_figure
from hypar_opt.report.charts.export import printed_svg


@pytest.mark.parametrize(
    ("lengths", "end"),
    [
        ([], None), ([0, 0], None), ([3], None), ([0, 0, 5], None),
        ([1, 10], None), ([1, 11], ROOM), ([1, 1, 10, 10], None), ([1, 1, 1, 1000], ROOM),
        ([3, 2, 1, 0, 1e9], 3 * ROOM),
        ([1, 1, 1, 900, 1000], ROOM), ([1, 1, 900, 1000], None), ([*range(1, 20), 1e6], 19 * ROOM),
    ],
)  # fmt: skip
def test_where_bars_end(lengths, end):
    assert end_of(lengths) == end
    assert end_of([1e-9 * one for one in lengths]) == (None if end is None else pytest.approx(1e-9 * end))


def slowed(named, times):
    """Return a plan whose bars are so many times as long."""
    problem = named.problem

    class Slow:
        def __getattr__(self, name):
            return getattr(problem, name)

        def costs(self, *given):
            return {name: Fraction(times) * cost for name, cost in problem.costs(*given).items()}

    return replace(named, problem=Slow())


def test_a_plan_that_takes_many_times_as_long_is_cut_in_the_chart_and_not_in_its_numbers():
    *plans, last = plans_on(MACHINE)
    whole = costs_figure([*plans, last])
    assert SAID not in str(whole.spec) and MARK not in str(whole.spec)
    figure = costs_figure([*plans, slowed(last, 100)])
    lengths = {one.name: 0.0 for one in (*plans, last)}
    for row in drawn(figure, "part"):
        if row["part"] in TOTALS[TIME]:
            lengths[row["plan"]] += row["drawn"]
    assert lengths.pop(last.name) == pytest.approx(ROOM * max(lengths.values()))
    exact = {row["plan"].value: row[TIME].value for row in figure.table.rows}
    assert {name: float(exact[name]) for name in lengths} == pytest.approx(lengths)
    assert exact[last.name] == 100 * last.step.costs[TIME]
    assert f"{TIMES} times as long as most are cut and marked »: time of {last.name}." in figure.alternative
    svg = printed_svg(figure, "page")
    assert f"time; {SAID}" in svg and f">{MARK}" in svg
