"""The formulations of others, stated here for comparison: each finds what looking at all plans finds."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import numpy as np
import pytest

from hypar_opt.cost.strategy_graph import compile_graph
from reports.benchmarks.iopddl.baselines import highs
from reports.benchmarks.iopddl.baselines.alpa import alpa
from reports.benchmarks.iopddl.baselines.linear import chosen
from reports.benchmarks.iopddl.baselines.memory import every_row, levels
from reports.benchmarks.iopddl.baselines.products import products
from reports.benchmarks.iopddl.baselines.report import NotBuilt, Report
from reports.benchmarks.iopddl.baselines.searches import SEARCHES
from tests.instance.strategy_graph.drawing import best, draw, plans

SEEDS = 12
LIMIT_S = 30.0


def report_of(path, graph, limit_s=LIMIT_S):
    return Report(path / "report.json", compile_graph(graph), time.monotonic(), limit_s)


@pytest.mark.parametrize("name", SEARCHES)
def test_every_baseline_finds_the_best_plan_or_that_there_is_none(tmp_path, name):
    for seed in range(SEEDS):
        graph = draw(seed)
        (tmp_path / str(seed)).mkdir()
        report = report_of(tmp_path / str(seed), graph)
        SEARCHES[name](report)
        known, truth = json.loads(report.path.read_text()), best(graph)
        if truth is None:
            assert (known["status"], known.get("cost")) == ("INFEASIBLE", None)
        else:
            assert (known["status"], known["cost"]) == ("OPTIMAL", truth[0])
            assert known["bound"] <= truth[0]


@pytest.mark.parametrize(("formulation", "family"), [(alpa, i) for i in range(5)] + [(products, i) for i in range(3)])
def test_a_family_of_constraints_that_is_missing_is_noticed(tmp_path, formulation, family):
    def same(seed):
        graph = draw(seed)
        report = report_of(tmp_path, graph)
        linear = formulation(report)
        highs.search(replace(linear, rows=linear.rows[:family] + linear.rows[family + 1 :]), report)
        truth = best(graph)
        return report.known.get("bound" if truth else "cost") == (truth and truth[0])

    assert not all(same(seed) for seed in range(SEEDS))


def test_memory_row_by_row_is_what_a_plan_uses_and_its_levels_are_too(tmp_path):
    for seed in range(SEEDS):
        tables = compile_graph(draw(seed))
        width, rows = len(tables.unary), tables.memory.rows
        if not rows:
            continue
        full, stepwise = every_row(tables, width), levels(tables, width, width + rows)
        for choices in plans(draw(seed))[:50]:
            x = np.zeros(width)
            x[tables.starts[:-1] + choices] = 1
            used = tables.memory.used(choices)
            assert (full.matrix @ x == used).all()
            assert (stepwise.matrix @ np.concatenate([x, used]) == 0).all()
            assert (stepwise.matrix @ np.concatenate([x, used + 1]) != 0).any()


def test_values_are_read_from_columns_the_first_of_equals():
    tables = compile_graph(draw(3))
    columns = np.zeros(len(tables.unary) + 5)
    assert (chosen(tables, columns) == 0).all()
    columns[tables.starts[1:] - 1] = 0.6
    assert (chosen(tables, columns) == tables.sizes - 1).all()


def test_a_plan_that_does_not_fit_is_no_incumbent_and_only_better_ones_replace_it(tmp_path):
    graph = draw(next(seed for seed in range(100) if best(draw(seed)) is not None))
    report = report_of(tmp_path, graph)
    for choices in [*plans(graph), best(graph)[1]]:
        report.incumbent(choices)
    assert report.known["cost"] == best(graph)[0]
    report.bound(-7)
    report.bound(-9)
    assert json.loads(report.path.read_text())["bound"] == -7


def test_a_model_that_takes_the_whole_limit_is_not_built(tmp_path):
    with pytest.raises(NotBuilt):
        SEARCHES["xla, cp-sat"](report_of(tmp_path, draw(5), limit_s=0.0))
