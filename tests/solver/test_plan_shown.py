"""Plans and comparisons in Python: a line, a table, a notebook's cell, a file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hypar_opt import InputError, Status, compare, formulations, load, show_versions, solve
from tests.instance.strategy_graph.drawing import draw


@pytest.fixture(scope="module")
def plan():
    return solve(load("lenet-c"))


def test_a_plan_in_a_line(plan):
    assert plan.summary().startswith("lenet-c: OPTIMAL by joint-dp in ")
    assert plan.summary().endswith(" s, communication 17,603,040 B, proven")


def test_a_plan_in_a_line_has_units():
    found = solve(load("lenet-c", array="hypar-16", objective="time"))
    hops, time = int(found.costs["hop-bytes"]), float(found.costs["time"])
    costs = f"communication 17,603,040 B, hop-bytes {hops:,} B x hops, time about {time:.10g} s"
    assert repr(found).startswith(f"Plan('lenet-c', OPTIMAL by joint-dp, {costs}, energy 0.0")
    assert found.summary().endswith(" J, proven")
    assert found.summary() in found._repr_html_()
    assert found.objective == found.costs["time"]


def test_how_far_a_plan_may_be_from_the_best(plan):
    feasible = replace(plan, status=Status.FEASIBLE, bound=plan.objective * 4 / 5)
    assert feasible.summary().endswith(", 25 % above the bound")
    assert replace(feasible, bound=None).summary().endswith(" B, not bounded")


def test_a_plan_of_a_strategy_graph_has_no_unit():
    found = solve(draw(3))
    assert repr(found).endswith(f"by {found.formulation}, total {found.objective})")


def test_a_plan_as_a_table(plan):
    frame = plan.to_frame()
    assert list(frame.columns) == ["level 1", "level 2", "level 3", "level 4"]
    assert {layer: "".join(word) for layer, word in zip(frame.index, frame.to_numpy(), strict=True)} == plan.strategies


def test_a_plan_in_a_notebook(plan):
    html = plan._repr_html_()
    assert html.startswith("<p>lenet-c: OPTIMAL by joint-dp")
    assert html.count("<tr") == 1 + 1 + len(plan.strategies)  # the levels, the index's name, a row a layer


def test_a_plan_of_no_levels_has_no_columns():
    assert solve(load("lenet-c", levels=0)).to_frame().shape == (4, 0)


def test_a_plan_of_a_strategy_graph_is_a_row_a_node():
    found = solve(draw(3))
    assert found.to_frame()["strategy"].to_dict() == {int(node): int(one) for node, one in found.strategies.items()}


def test_a_result_without_a_plan_has_no_table(plan):
    none = replace(plan, status=Status.INFEASIBLE, strategies=None, objective=None, native_status="no room")
    assert none.summary().endswith(" s (no room)")
    assert none._repr_html_() == f"<p>{none.summary()}</p>"
    with pytest.raises(ValueError, match="a result of status INFEASIBLE has no strategies"):
        none.to_frame()


def test_a_plan_as_a_picture(plan):
    chart = plan.plot().to_dict()
    assert chart["title"]["text"] == "lenet-c: OPTIMAL by joint-dp"
    (cells,) = chart["datasets"].values()
    assert {(cell["l"], cell["h"]): cell["a"] for cell in cells} == {
        (layer, level): letter for layer, word in plan.strategies.items() for level, letter in enumerate(word, start=1)
    }
    legend = chart["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert legend == ["d", "m"]


def test_with_its_instance_it_shows_each_layers_bytes(plan):
    chart = plan.plot("lenet-c").to_dict()
    assert {row["l"] for row in chart["datasets"]["layers"]} == set(plan.strategies)
    assert sum(row["t"] for row in chart["datasets"]["layers"]) == plan.communication_bytes
    with pytest.raises(InputError, match="the plan has a layer 'conv1', the instance has none"):
        plan.plot("vgg-a")


def test_what_has_no_levels_is_not_drawn(plan):
    with pytest.raises(ValueError, match="a strategy graph's plan has no levels to draw"):
        solve("five-operators").plot()
    with pytest.raises(ValueError, match="a result of status INFEASIBLE has no strategies to draw"):
        replace(plan, status=Status.INFEASIBLE, strategies=None, objective=None).plot()
    assert solve(load("lenet-c", levels=0)).plot().to_dict()["width"] == 0


def test_a_saved_plan_is_a_plan_file(plan, tmp_path):
    plan.save(tmp_path / "plan.json")
    assert json.loads((tmp_path / "plan.json").read_text())["plan"] == dict(plan.strategies)


def test_a_comparison_as_a_table():
    small = load("lenet-c").replace(array={"topology": "h-tree", "levels": 1})
    cells = compare([small], ["hypar-dp", "joint-enumeration"])
    frame = cells.to_frame()
    assert frame["status"].tolist()[0] == "OPTIMAL"  # one level is no greedy choice
    assert "placement" in frame["status"].tolist()[1]
    assert "<table" in cells._repr_html_()
    assert len(cells) == 2


def test_versions(capsys):
    show_versions()
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert {"hypar-opt", "python", "ortools", "numpy"} <= set(lines)


def test_formulations_are_in_the_order_of_their_ranks():
    assert list(formulations())[:3] == ["hypar-dp", "accpar-dp", "joint-dp"]
