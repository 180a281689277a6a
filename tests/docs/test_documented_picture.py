"""The README's picture shows what the program finds: its description in words is compared, not its strokes.

With HYPAR_OPT_WRITE_GOLDEN=1 it is drawn anew.
"""

import html
import os
import re
from pathlib import Path

from hypar_opt import load
from hypar_opt.report.charts.export import write_figure
from hypar_opt.report.charts.plan_grid import plan_figure
from hypar_opt.report.content import gather

ASSETS = Path(__file__).parents[2] / "docs" / "assets"
NAME = "plan-vgg-a"


def test_the_picture_of_the_readme_is_of_the_plan_that_is_found(tmp_path):
    (subject,), _ = gather([load("vgg-a")], ["joint-dp"], sections=())
    figure = plan_figure(subject.plans[0], name=NAME)
    if os.environ.get("HYPAR_OPT_WRITE_GOLDEN"):
        svg = next(path for path in write_figure(figure, tmp_path, width="page") if path.suffix == ".svg")
        (ASSETS / svg.name).write_bytes(svg.read_bytes())
    (said,) = re.findall("<desc>(.*?)</desc>", (ASSETS / f"{NAME}.svg").read_text(encoding="utf-8"))
    assert html.unescape(said) == figure.alternative
