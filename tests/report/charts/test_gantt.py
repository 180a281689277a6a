"""A simulated step as a picture: what is drawn is what happened."""

import re

import pytest
from chart_data import drawn

from hypar_opt.report.charts import gantt
from hypar_opt.report.charts.export import picture, printed_svg
from hypar_opt.report.charts.theme import figure
from hypar_opt.studies.simulation import Options, TaskGraph, simulate
from tests.evaluation.links.machines import line
from tests.studies.simulation.steps import compute, send

HOSTILE = "<b>'\\ datum.x"


def made(*tasks):
    found = simulate(TaskGraph(tasks), line(3), Options("full", acquire="ordered"))
    rows, _ = gantt.rows_of(found)
    return figure("gantt", "t", "a", gantt._chart(rows, [HOSTILE], float(found.time)), gantt._table(rows))


def test_bars_are_what_happened():
    one = made(send("x", 1, 2, 3), send("y", 0, 2, 2))
    bars = [(bar["row"], bar["what"], bar["begin"], bar["end"]) for bar in drawn(one, "what")]
    held = "held, waiting for other links"
    assert bars == [
        (0, "forward", 0, 5), (1, held, 0, pytest.approx(3)), (1, "forward", pytest.approx(3), 5), (2, "forward", 0, 5)
    ]  # fmt: skip
    assert [node["name"] for node in drawn(one, "name")] == ["critical path", "a0 -> a1", "a1 -> a2"]
    assert [float(row["forward"].value) for row in one.table.rows] == pytest.approx([1, 0.4, 1])


def test_names_and_legend_are_text():
    svg = printed_svg(made(compute("a", 0, "1/3"), send("x", 0, 1, 2, [0])), None)
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert {"critical path", "a0", "a0 -&gt; a1", "forward", "time, s", "&lt;b&gt;'\\ datum.x"} <= set(texts)
    assert not {"backward", "held, waiting for other links"} & set(texts)


@pytest.mark.parametrize(("form", "begin"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_step_of_nothing_is_drawn(form, begin):
    assert picture(made(compute("join", 0, 0)), form).startswith(begin)
