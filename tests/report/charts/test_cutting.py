"""Names longer than a label: cut between characters, whatever they are made of."""

from __future__ import annotations

import io
import re

import pytest
from defusedxml.ElementTree import fromstring
from helpers import document, linear_chain, problem_of
from plans_drawn import planned
from rich.console import Console

from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.plan_grid import plan_figure
from hypar_opt.report.charts.plan_pair import pair_figure
from hypar_opt.report.charts.width import cut
from hypar_opt.report.plan import show_plan

LONG = {
    "emoji": "😀" * 100,
    "families": "👨‍👩‍👧" * 16,
    "beside letters": "x" * 60 + "🚀" * 30,
    "combining": "e\u0301" * 45,
    "right to left": "\u05e9\u05dc\u05d5\u05dd" * 20,
    "mathematical": "\U0001d4d0" * 90,
}


def named(name, **overrides):
    layers = [{**linear_chain(8)[0], "name": name}, *linear_chain(8, 8)[1:]]
    problem = problem_of(document(layers, [8], batch=4, levels=2), **overrides)
    return planned(problem, ("dm", "md"), name)


def texts(svg):
    return [one.text or "" for one in fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", LONG.values(), ids=LONG)
@pytest.mark.parametrize("width", ["column", "page"])
def test_a_long_name_is_printed_cut_between_characters(name, width):
    (label,) = {text for text in texts(printed_svg(plan_figure(named(name)), width)) if text.endswith("…")}
    assert 5 <= len(label) - 1 <= 60
    assert name.startswith(label.removesuffix("…"))
    assert not label.removesuffix("…").endswith("\u200d\u200d")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", LONG.values(), ids=LONG)
def test_long_names_of_two_plans_are_printed_cut(name):
    first, second = named(name), planned(named(name).problem, ("mm", "mm"), "second")
    svg = printed_svg(pair_figure([first, second]), "page")
    assert [text for text in texts(svg) if re.search(r".…$", text)]


def test_what_no_name_asks_for_is_left_as_it_is():
    figure = plan_figure(named("plain" * 15))
    assert cut(figure.spec) == figure.spec
    assert cut({"encoding": {"x": {"type": "nominal"}}}) == {"encoding": {"x": {"type": "nominal"}}}


@pytest.mark.parametrize("name", LONG.values(), ids=LONG)
@pytest.mark.parametrize("columns", [20, 60, 300])
def test_the_terminal_has_whole_characters(name, columns):
    one, stream = named(name), io.StringIO()
    show_plan(Console(file=stream, width=columns), one.problem, one.plan, None)
    printed = stream.getvalue().encode().decode()
    assert re.sub(r"\s", "", printed).count(name[0]) >= 4
