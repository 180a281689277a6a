"""The chart of one network on arrays of several sizes."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from chart_data import drawn, rest_of
from machines_drawn import BARE, MACHINE, whole

from hypar_opt.formulation.solution import Status
from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.scaling import scaling_figure
from hypar_opt.studies.sweep import scale
from hypar_opt.util.errors import Refusal


def points_on(array, folder, levels=range(4)):
    path = folder / "instance.json"
    path.write_text(json.dumps(whole(array)), encoding="utf-8")
    return scale(path, levels)


@pytest.fixture
def points(tmp_path):
    """Three plans each for 1, 2, 4 and 8 accelerators of which everything is known."""
    return points_on(MACHINE, tmp_path)


def test_what_is_drawn_is_exact(points):
    figure = scaling_figure(points)
    rows = drawn(figure, "accelerators")
    assert [(row["accelerators"], row["formulation"]) for row in rows] == [
        (point.accelerators, point.formulation) for point in points
    ]
    for row, point, said in zip(rows, points, figure.table.rows, strict=True):
        assert row["gain"] == float(point.gain("time")) == float(said["gain"].value)
        assert Fraction(row["cost"].removesuffix(" s")) == point.costs["time"] == said["time"].value
        assert Fraction(row["moved"].removesuffix(" B")) == point.costs["communication"] == said["communication"].value
    assert rows[0]["bytes"] is None, "nothing is exchanged on one accelerator, and nothing has no logarithm"
    assert rows[3]["bytes"] == float(points[3].costs["communication"]) > 0


def scales(spec):
    for view in spec["vconcat"]:
        for layer in view["layer"]:
            for channel in ("x", "y"):
                if "scale" in layer["encoding"].get(channel, {}):
                    yield layer["encoding"][channel]["scale"]["type"]


def test_all_axes_are_logarithmic_and_said_to_be(points):
    figure = scaling_figure(points)
    assert set(scales(figure.spec)) == {"log"}
    assert figure.title == (
        "Gain in time over one accelerator, and bytes exchanged by the number of accelerators (logarithmic)"
    )


def test_the_ideal_is_as_many_times_as_there_are_accelerators(points):
    assert [row["at"] for row in drawn(scaling_figure(points), "at")] == [1, 8, 8]
    assert ">ideal</text>" in printed_svg(scaling_figure(points), "column")


def test_bytes_only_where_there_is_no_time(tmp_path):
    figure = scaling_figure(points_on(BARE, tmp_path))
    assert figure.title == "Bytes exchanged by the number of accelerators (logarithmic)"
    assert len(figure.spec["vconcat"]) == 1
    assert "gain" not in figure.alternative
    assert "ideal" not in printed_svg(figure, "column")


def test_what_was_cut_short_is_marked(points):
    last = points[-1]
    assert last.formulation == "joint-dp"
    assert ">cut</text>" not in printed_svg(scaling_figure(points), "column")
    cut = replace(last, plan=replace(last.plan, status=Status.FEASIBLE))
    figure = scaling_figure([*points[:-1], cut])
    assert ">cut</text>" in printed_svg(figure, "column")
    assert figure.table.notes == ("Points marked 'cut': a limit came before a plan or its proof.",)
    assert figure.table.rows[-1]["status"].value == "FEASIBLE: a limit came before a plan or its proof"


def test_what_declined_is_said(points):
    declined = replace(points[0], plan=None, costs={}, refusal="too <large>")
    figure = scaling_figure([declined, *points[1:]])
    assert figure.table.notes == ("hypar-dp: too <large>.",)
    assert figure.alternative.endswith("hypar-dp: too <large>.")
    assert figure.table.rows[0]["status"].value == "DECLINED"
    assert len(drawn(figure, "accelerators")) == len(points) - 1
    assert "too <" not in rest_of(figure)
    with pytest.raises(Refusal, match=r"^no array has a plan$"):
        scaling_figure([declined])


def test_one_size_only(tmp_path):
    assert printed_svg(scaling_figure(points_on(MACHINE, tmp_path, [0])), "column").startswith("<svg")
