"""Times of a collective over its bytes, as curves."""

from __future__ import annotations

import pytest

from hypar_opt.report.charts.message_sizes import message_sizes_figure
from hypar_opt.studies.collectives import times_over_sizes
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of

LINK = {"bandwidth": 1000, "latency": 2}


def drawn(*names, **said):
    instance = collective_of(**{"dims": [4, 4], "link": LINK, **said})
    return message_sizes_figure(times_over_sizes(instance, [1024, 2**20], names))


def test_algorithms_that_take_the_same_share_a_curve():
    figure = drawn("ring", "parameter-server", "shifted-trees")
    scales = [layer["encoding"].get("color", {}).get("scale", {}) for layer in figure.spec["layer"]]
    assert {tuple(one["domain"]) for one in scales if one} == {("ring, parameter-server", "shifted-trees")}
    assert "shifted-trees, 1 MiB: 270.1 s; no schedule below 270.1 s" in figure.alternative
    assert len(figure.table.rows) == 6


def test_both_axes_are_logarithmic_and_the_bound_is_below():
    figure = drawn("multitree")
    (points,) = [one for one in figure.spec["layer"] if one["mark"]["type"] == "point"]
    assert [points["encoding"][axis]["scale"]["type"] for axis in "xy"] == ["log", "log"]
    area = figure.spec["layer"][0]
    assert area["mark"]["type"] == "area"
    data = [figure.spec["datasets"][one["data"]["name"]] for one in (area, points)]
    bound, curve = ([row["seconds"] for row in rows] for rows in data)
    assert all(low < high for low, high in zip(bound, curve, strict=True))


def test_where_nothing_has_a_schedule_there_is_no_picture():
    with pytest.raises(Refusal, match="no algorithm has a schedule"):
        drawn("ring", topology="mesh", dims=[3, 3])
