"""The README's picture shows what the program finds: its description in words is compared, not its strokes.

With HYPAR_OPT_WRITE_GOLDEN=1 it is drawn anew.
"""

import html
import os
import re
from dataclasses import replace
from pathlib import Path

from hypar_opt import load, solve
from hypar_opt.report.charts.collective_ways import ways_figure
from hypar_opt.report.charts.export import write_figure
from hypar_opt.report.charts.plan_grid import plan_figure
from hypar_opt.report.collective.ways import ways_of_schedule
from hypar_opt.report.content import gather
from hypar_opt.solver.kinds import problem_of

ASSETS = Path(__file__).parents[2] / "docs" / "assets"
NAME = "plan-vgg-a"


def test_the_picture_of_the_readme_is_of_the_plan_that_is_found(tmp_path):
    (subject,), _ = gather([load("vgg-a")], ["joint-dp"], sections=())
    assert described(plan_figure(subject.plans[0], name=NAME), tmp_path, "page")


def test_the_picture_of_collectives_is_of_a_schedule_that_is_found(tmp_path):
    problem = problem_of("torus-4x4-gather")
    judged = problem.judged(solve(problem, "shifted-trees").strategies)
    figure = replace(ways_figure(ways_of_schedule(judged)), name="way-torus-4x4", printed=None)
    assert described(figure, tmp_path, "column")


def described(figure, folder, width):
    """Return whether the picture that is kept is described as the figure is; it is drawn anew where that is wanted."""
    if os.environ.get("HYPAR_OPT_WRITE_GOLDEN"):
        svg = next(path for path in write_figure(figure, folder, width=width) if path.suffix == ".svg")
        (ASSETS / svg.name).write_bytes(svg.read_bytes())
    (said,) = re.findall("<desc>(.*?)</desc>", (ASSETS / f"{figure.name}.svg").read_text(encoding="utf-8"))
    return html.unescape(said) == figure.alternative
