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
from hypar_opt.util.errors import InputError, Refusal


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
    assert figure.table.notes == ("hypar-dp on 1 accelerator: too <large>.",)
    assert figure.alternative.endswith("hypar-dp on 1 accelerator: too <large>.")
    assert figure.table.rows[0]["status"].value == "DECLINED"
    assert [row["planned"] for row in drawn(figure, "accelerators")] == [False, *[True] * (len(points) - 1)]
    assert "too <" not in rest_of(figure)
    with pytest.raises(Refusal, match=r"^no array has a plan; no plan: too <large>$"):
        scaling_figure([declined])


def test_sizes_that_fit_are_shown_where_others_do_not(tmp_path):
    path = tmp_path / "instance.json"
    torus = {**MACHINE, "topology": "torus", "dims": [2, 2], "levels": 2}
    path.write_text(json.dumps(whole(torus)), encoding="utf-8")
    with pytest.raises(InputError, match="has 4 accelerators, 3 levels need 8"):
        scale(path, range(4))
    points = scale(path, range(4), keep_unfit=True)
    assert [point.levels for point in points] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert [point.costs for point in points[:9]] == [point.costs for point in scale(path, range(3))]
    figure = scaling_figure(points)
    assert figure.table.notes == ("on 8 accelerators: has 4 accelerators, 3 levels need 8.",)
    assert [row["status"].value for row in figure.table.rows[9:]] == ["DECLINED"] * 3
    assert printed_svg(figure, "column").count(">no plan</text>") == len(figure.spec["vconcat"])
    assert ">no plan</text>" not in printed_svg(scaling_figure(points[:9]), "column")


def test_where_no_size_fits_it_is_said(tmp_path):
    path = tmp_path / "instance.json"
    path.write_text(json.dumps({**whole(MACHINE), "fix": {"fc1": "dm"}}), encoding="utf-8")
    with pytest.raises(InputError, match="--scale needs an instance that fixes no strategies; these are for 2 levels"):
        scale(path, [1, 3], keep_unfit=True)
    assert {bool(point.costs) for point in scale(path, [2], keep_unfit=True)} == {True}


def test_a_size_with_too_little_memory_says_so(tmp_path):
    accelerator = {**MACHINE["accelerator"], "memory": {"capacity": 400}}
    points = points_on({**MACHINE, "accelerator": accelerator}, tmp_path, range(4))
    assert [point.levels for point in points if point.costs] == [2, 3]
    assert not any(point.is_cut for point in points)
    notes = scaling_figure(points).table.notes
    assert (
        notes[1]
        == "data-parallel: the rule's plan breaks a split or capacity rule of this instance: it exceeds the memory."
    )
    said = "memory: any plan keeps at least 1,152 bytes on each accelerator, which has 400; "
    assert notes[2].startswith(f"joint-dp on 1 accelerator: {said}")


def test_one_size_only(tmp_path):
    assert printed_svg(scaling_figure(points_on(MACHINE, tmp_path, [0])), "column").startswith("<svg")
