"""The charts of what plans cost."""

from dataclasses import replace
from fractions import Fraction

import pytest
from chart_data import drawn, rest_of
from machines_drawn import BARE, LINKS_ONLY, MACHINE, NAMES, plans_on

from hypar_opt.instance.objective.components import ENERGY, TIME, TOTALS
from hypar_opt.report.charts.costs import costs_figure
from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.stages import stages_figure
from hypar_opt.util.errors import Refusal

HOSTILE = "</script><b>\"'\\ ü"


def test_bars_are_the_exact_parts_of_both_totals():
    plans = plans_on(MACHINE)
    rows = drawn(costs_figure(plans), "part")
    for one in plans:
        for total in (TIME, ENERGY):
            own = [row for row in rows if row["plan"] == one.name and row["part"] in TOTALS[total]]
            assert [row["part"] for row in own] == list(TOTALS[total])
            exact = [Fraction(row["exact"].split()[0]) for row in own]
            assert exact == [one.step.costs[part] for part in TOTALS[total]]
            assert sum(exact) == one.step.costs[total]
            assert [row["value"] for row in own] == [float(value) for value in exact]
            assert own[-1]["end"] == float(sum(exact))


def test_the_table_has_the_totals_and_marks_the_least():
    plans = plans_on(MACHINE)
    table = costs_figure(plans).table
    for name in (TIME, ENERGY):
        values = [row[name].value for row in table.rows]
        assert values == [one.step.costs[name] for one in plans]
        assert [row[name].best for row in table.rows] == [value == min(values) for value in values]
    assert not any(row["comm-time"].best for row in table.rows)


def test_the_model_and_its_constant_are_named():
    figure = costs_figure(plans_on(MACHINE))
    assert figure.title == "Time and energy of a training step by parts, accelerators modelled as-evaluated"
    assert figure.table.notes == (
        "Nothing is overlapped: computing, then communicating.",
        "Accelerators are modelled as-evaluated.",
        "They reach 50 % of their peak, a constant of the array.",
    )
    assert all(note in figure.alternative for note in figure.table.notes)


def test_an_array_of_which_only_links_are_known():
    figure = costs_figure(plans_on(LINKS_ONLY))
    assert {row["part"] for row in drawn(figure, "part")} == {"comm-time", "comm-energy"}
    assert figure.title == "Time and energy of a training step by parts, accelerators not known"
    assert figure.table.notes[1] == "The array does not say what accelerators can do: their parts are missing."
    assert [column.key for column in figure.table.columns] == ["plan", "comm-time", "comm-energy"]


def test_an_array_of_which_nothing_is_known():
    with pytest.raises(Refusal, match=r"^nothing is known of the time or the energy of these plans$"):
        costs_figure(plans_on(BARE))


def test_every_mark_has_its_sum_at_its_end():
    svg = printed_svg(costs_figure(plans_on(LINKS_ONLY, names=["data-parallel"])), "column")
    (plan,) = plans_on(LINKS_ONLY, names=["data-parallel"])
    seconds = plan.problem.costs(plan.breakdown, plan.placed)["comm-time"]
    assert f">{float(seconds):.4g} s</text>" in svg


def test_hostile_names_stay_data():
    one = plans_on(MACHINE, names=["joint-dp"])[0]
    figure = costs_figure([replace(one, name=HOSTILE)])
    assert drawn(figure, "part")[0]["plan"] == HOSTILE
    assert "<b>" not in rest_of(figure)
    layers = [{"name": HOSTILE, "linear": {"features": 4}}]
    figure = stages_figure(plans_on(MACHINE, layers, ["joint-dp"])[0])
    assert drawn(figure, "phase")[0]["layer"] == HOSTILE
    assert "<b>" not in rest_of(figure)
    assert "&lt;b&gt;" in printed_svg(figure, "page")


def test_stages_are_those_of_the_step():
    one = plans_on(MACHINE, names=NAMES[-1:])[0]
    figure = stages_figure(one)
    rows = drawn(figure, "phase")
    known = [stage for stage in one.step.stages if stage.seconds]
    assert [(row["layer"], row["phase"]) for row in rows] == [(stage.layer, stage.phase) for stage in known]
    assert sum(Fraction(row["exact"].split()[0]) for row in rows) == one.step.compute_time
    assert sum(row["seconds"].value for row in figure.table.rows) == one.step.compute_time
    assert len(figure.table.rows) == len(one.step.stages)
    assert "modelled as-evaluated" in figure.title


def test_no_stages_without_accelerators():
    with pytest.raises(Refusal, match=r"^the array does not say what accelerators can do$"):
        stages_figure(plans_on(LINKS_ONLY)[0])
