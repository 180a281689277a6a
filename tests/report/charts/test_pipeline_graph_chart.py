"""Operators and stages drawn as a graph, and what is put together where they are many."""

from __future__ import annotations

import networkx as nx
import pytest

from hypar_opt.report.charts.pipeline_graph import PipelineDrawing, pipeline_graph_figure
from hypar_opt.report.pipeline_graph import box_graph
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.solve import solve
from tests.formulations.pipeline.small_pipelines import random_pipeline
from tests.helpers import each


def judged_of(instance):
    problem = problem_of(instance)
    plan = solve(problem)
    return None if plan.strategies is None else problem.judged(plan.strategies)


@pytest.fixture(scope="module")
def branched():
    return judged_of("branched-training")


def test_every_operator_is_in_the_colour_of_its_stage(branched):
    drawing = PipelineDrawing(branched)
    boxes = {one["n"]: one for one in drawing.boxes()}
    assert {name: one["s"] for name, one in boxes.items()} == {
        "tokens": 1, "embedding": 2, "text": 2, "image": 3, "joined": 4, "loss": 4,
    }  # fmt: skip
    assert boxes["text"]["c"] == boxes["embedding"]["c"] != boxes["joined"]["c"]
    thick = {one["k"] for one in drawing.lines() if one["m"]}
    assert thick == {"tokens → embedding", "text → joined", "image → joined"}
    figure = pipeline_graph_figure(branched)
    assert "3 of 5 lines go to another stage" in figure.alternative
    assert len(figure.table.rows) == 6


@pytest.mark.parametrize("most", [20, 8, 3])
def test_a_chain_of_many_is_drawn_as_few(most):
    graph = box_graph(judged_of("five-devices"), most)
    assert [(one.name, one.stage) for one in graph.boxes] == [
        ("layer1 to layer5 (5)", 0), ("layer6 to layer12 (7)", 1), ("layer13 to layer20 (8)", 2),
        ("layer21 to layer30 (10)", 3), ("layer31 to layer40 (10)", 4),
    ]  # fmt: skip
    assert graph.boundaries[0].outputs == ("layer5",)


@each("seed", range(60), quick=8)
def test_boxes_have_each_operator_once_and_are_read_one_way(seed):
    judged = judged_of(random_pipeline(seed, most=6))
    if judged is None or judged.order is None:
        return
    for most in (60, 4, 2):
        found = box_graph(judged, most)
        names = [name for box in found.boxes for name in box.operators]
        assert len(names) == len(set(names))
        assert {one.name for one in judged.instance.operators if one.phase == "forward"} <= set(names)
        assert all(
            judged.devices_of[name] == judged.stages[box.stage].devices for box in found.boxes for name in box.operators
        )
        edges = [(one.producer, one.reader) for one in found.boundaries]
        assert nx.is_directed_acyclic_graph(nx.DiGraph(edges))
        assert all(first < second for first, second in edges)
