"""Plans beside data parallelism, and what other strategies of a layer cost: the numbers that are drawn."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from chart_data import drawn
from machines_drawn import MACHINE, plans_on

from hypar_opt import load
from hypar_opt.report.charts.baseline import baseline_figure
from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.regrets import NONE, regrets_figure
from hypar_opt.report.content import gather
from hypar_opt.report.content.baseline import BesideBaseline
from hypar_opt.studies.sensitivity import explain


def test_gains_are_over_data_parallelism_by_every_component():
    base, _, best = plans_on(MACHINE)
    figure = baseline_figure(BesideBaseline(base, (best,)))
    costs, others = (one.problem.costs(one.breakdown, one.placed) for one in (best, base))
    rows = {row["component"]: row for row in drawn(figure, "component") if row["plan"] == "joint-dp"}
    assert set(rows) == set(costs) > {"communication", "hop-bytes", "time", "energy"}
    for name, row in rows.items():
        assert row["gain"] == (float(Fraction(others[name]) / costs[name]) if costs[name] else None)
    table = {row["plan"].value: row for row in figure.table.rows}
    assert table["joint-dp"]["time"].value == costs["time"]
    assert table["data-parallel"]["time gain"].value == 1
    assert "; the objective" not in figure.alternative
    assert printed_svg(figure, "column").startswith("<svg")


def test_a_baseline_that_is_one_of_the_plans_stands_once():
    base, _, best = plans_on(MACHINE)
    names = {row["plan"] for row in drawn(baseline_figure(BesideBaseline(base, (best, base))), "component")}
    assert names == {"joint-dp", "data-parallel"}


def test_where_it_stands_is_said():
    instance = load("lenet-c", array="ring-16", levels=2, objective="hop-bytes", placement="free")
    (subject,), _ = gather([instance], ["alternating"], sections=())
    base = replace(subject.baseline, plan=replace(subject.baseline.plan, placement=("a0", "a1", "a2", "a3")))
    figure = baseline_figure(BesideBaseline(base, subject.plans))
    assert figure.table.notes[1] == (
        "Data parallelism stands on the accelerators in order; its best placement was not searched for."
    )


@pytest.fixture(scope="module")
def lenet():
    ((subject,), _) = gather([load("lenet-c")], ["joint-dp"], sections=("regrets",))
    return subject


def test_regrets_are_those_of_explain(lenet):
    figure, found = regrets_figure(lenet.regrets), explain(lenet.problem, lenet.plans[0].plan).regrets
    assert {row["layer"]: row["regret"] for row in drawn(figure, "regret")} == {
        layer: float(one.cost) for layer, one in found.items()
    }
    assert [row["second"].value for row in figure.table.rows] == [one.second_best for one in found.values()]
    assert [row["regret"].value for row in figure.table.rows] == [one.cost for one in found.values()]
    assert printed_svg(figure, "column").startswith("<svg")


def test_what_regrets_say_of_the_plan(lenet):
    assert "Where it is 0 the layer can choose otherwise at the same cost." in regrets_figure(lenet.regrets).table.notes
    first, *rest = lenet.regrets.explanation.regrets
    regrets = lenet.regrets.explanation.regrets
    forced = {first: None, **{name: replace(regrets[name], cost=Fraction(1)) for name in rest}}
    unique = replace(lenet.regrets, explanation=replace(lenet.regrets.explanation, regrets=forced))
    figure = regrets_figure(unique)
    assert "Every other strategy of any layer costs more: the plan is the only one of its cost." in figure.table.notes
    assert drawn(figure, "regret")[0]["text"] == NONE
    better = {**forced, rest[0]: replace(regrets[rest[0]], cost=Fraction(-1))}
    worse = replace(lenet.regrets, explanation=replace(lenet.regrets.explanation, regrets=better))
    assert "there is a plan that costs less" in regrets_figure(worse).alternative


@pytest.mark.parametrize(
    ("objective", "expected"),
    [("product:time,energy", r"\+[\d.]+ J s"), ("lexicographic:time,energy", r"\+[\d.]+ ms time")],
)
def test_regrets_that_come_of_solving_again_say_so_and_are_written_as_on_the_terminal(objective, expected):
    instance = load("lenet-c", array="hypar-16", levels=2, objective=objective)
    ((subject,), _) = gather([instance], ["joint-dp"], sections=("regrets",))
    figure = regrets_figure(subject.regrets)
    assert re.fullmatch(expected, drawn(figure, "regret")[0]["text"])
    assert "By solving again without each layer's strategy (joint-dp)" in figure.alternative
    assert "min-marginals" not in figure.alternative
