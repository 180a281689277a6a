"""The figures there are: ours are found by their names, and another's is one module."""

import os
import re
import subprocess
import sys

import pytest

from hypar_opt.report.charts import registry
from hypar_opt.report.charts.registry import OURS, FigureKind, drawings, figures

COUNTED = """
import altair as alt

from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import figure, inline
from hypar_opt.report.tables import Column, Entry, Table


def counted(cells):
    chart = alt.Chart(inline([{"count": len(cells)}])).mark_bar().encode(x="count:Q")
    table = Table("counted", "Counted", (Column("count", "count"),), ({"count": Entry(len(cells))},))
    return figure("counted", "How many cells", f"There are {len(cells)}.", chart, table)


FIGURE = FigureKind("counted", "How many cells", "cells", counted, section="own")
"""
RUN = "import sys; from hypar_opt.cli import main; sys.argv[0] = 'hypar-opt'; main()"


@pytest.fixture
def installed(tmp_path):
    """Return an environment in which somebody else's figure is installed."""
    folder = tmp_path / "plug-in"
    information = folder / "counted_cells-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: counted-cells\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[hypar_opt.figures]\ncounted = counted_cells:FIGURE\n")
    (folder / "counted_cells.py").write_text(COUNTED)
    return {**os.environ, "PYTHONPATH": str(folder)}


def run(environment, *arguments):
    subprocess.run([sys.executable, "-c", RUN, *map(str, arguments)], env=environment, check=True, capture_output=True)


@pytest.mark.slow
def test_a_command_draws_another_s_figure_beside_its_own(installed, tmp_path):
    run(installed, "compare", "lenet-c", "-f", "joint-dp", "-o", tmp_path / "new", "--figures", "-q")
    svgs = {path.name for path in (tmp_path / "new").glob("*.svg")}
    assert svgs == {"comparison.svg", "counted.svg"}
    assert "There are 1." in (tmp_path / "new" / "counted.svg").read_text()


@pytest.mark.slow
def test_pages_have_another_s_figure_and_its_section(installed, tmp_path):
    run(installed, "report", "lenet-c", "-f", "joint-dp", "-o", tmp_path / "pages", "-q")
    index, page = ((tmp_path / "pages" / name).read_text() for name in ("index.html", "lenet-c.html"))
    assert re.findall(r'<figure class="chart" id="(.*?)"', index) == ["comparison", "counted"]
    headings = re.findall(r'<h2 id="(.*?)">', page)
    assert headings.index("own") == headings.index("scaling") + 1
    assert '<figure class="chart" id="counted"' in page.partition('<h2 id="own">')[2]
    assert (tmp_path / "pages" / "data" / "lenet-c" / "counted.csv").read_text() == "count\n1\n"


def test_ours():
    found = figures()
    assert list(found)[: len(OURS)] == list(OURS)
    assert all(isinstance(kind, FigureKind) and kind.name == name for name, kind in found.items())


def test_only_what_there_is_something_of_is_drawn(monkeypatch):
    def draw(what):
        return what

    kinds = (FigureKind("a", "A", "cells", draw), FigureKind("b", "B", "plan", draw, "s"), FigureKind("c", "C", "cells",
             draw, "s", accepts=lambda cells: len(cells) > 1))  # fmt: skip
    monkeypatch.setattr(registry, "figures", lambda: {one.name: one for one in kinds})
    assert list(drawings({"cells": [1]})) == ["a"]
    assert list(drawings({"cells": [1, 2]})) == ["a", "c"]
    assert list(drawings({"cells": []})) == []
    assert list(drawings({"cells": [1, 2], "plan": "p"}, "s")) == ["b", "c"]
    assert drawings({"plan": "p"})["b"]() == "p"
    assert list(drawings({"plan": None})) == []
