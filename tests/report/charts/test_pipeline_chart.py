"""Stages as bars: what they do one after the other or at the same time, and the slowest."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator, StageDevices


@pytest.fixture(params=[False, True], ids=["added", "overlapped"])
def judged(request):
    operators = (
        PipelineOperator("a", "forward", {"gpu": Fraction(2)}, (), Fraction(30)),
        PipelineOperator("b", "forward", {"gpu": Fraction(4)}, ("a",)),
    )
    kinds = (DeviceKind("gpu", 2, None, Fraction(10)),)
    instance = PipelineInstance("it", "", operators, kinds, overlapped=request.param)
    return JudgedPipeline(instance, {"a": StageDevices("gpu", 1), "b": StageDevices("gpu", 2)})


def test_pieces_lie_behind_each_other_or_begin_together(judged):
    from hypar_opt.report.charts.pipeline_stages import pieces_of

    found = [(one["stage"], one["doing"], one["begin"], one["end"]) for one in pieces_of(judged)]
    together = judged.instance.overlapped
    assert found == [
        ("1: gpu 1", "computing", 0, 2),
        ("1: gpu 1", "sending", 0 if together else 2, 3 if together else 5),
        ("2: gpu 2", "computing", 0, 4),
        ("2: gpu 2", "reading", 0 if together else 4, 3 if together else 7),
    ]


def test_the_slowest_is_marked(judged):
    from hypar_opt.report.charts.pipeline_stages import pipeline_figure

    figure = pipeline_figure(judged)
    slowest = "4 s" if judged.instance.overlapped else "7 s"
    assert f"The slowest: gpu 2, {slowest}." in figure.alternative
    assert figure.spec["title"]["text"] == f"slowest: gpu 2, {slowest}"
    assert [row["stage"].value for row in figure.table.rows] == [1, 2]
    line = figure.spec["datasets"][figure.spec["layer"][1]["data"]["name"]]
    assert [one["at"] for one in line] == [float(slowest.removesuffix(" s"))]
