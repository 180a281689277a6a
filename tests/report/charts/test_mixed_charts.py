"""Pictures of plans for several kinds: cells cut at the share, bars that end with the step, curves through the plan."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from mixed_plans import named

from hypar_opt import solve
from hypar_opt.evaluation.mixed import quadratics
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.report.charts.mixed_array import array_figure, groups_of
from hypar_opt.report.charts.mixed_boxes import box_steps
from hypar_opt.report.charts.mixed_colours import class_colours, kind_colours
from hypar_opt.report.charts.mixed_grid import cells_of, mixed_figure
from hypar_opt.report.charts.mixed_shares import crossings, mixed_shares_figure, step_seconds
from hypar_opt.report.charts.mixed_time import mixed_time_figure, pieces_of
from hypar_opt.report.charts.registry import figures
from hypar_opt.report.content.mixed_plan import NamedMixedPlan
from hypar_opt.util.errors import Refusal

SHARE = Fraction(3, 4)


def plan_at(words=("do", "nm"), **options):
    return named(dict(zip(("fc1", "fc2"), words, strict=True)), (SHARE,), **({"shares": {"parts": 4}} | options))


def test_cells_are_cut_at_the_share_and_the_idle_half_is_pale():
    cells = {(one["l"], one["h"], one["who"]): one for one in cells_of(plan_at())}
    fast, slow = (cells["fc1", 1, who] for who in ("fast x 2", "slow x 2"))
    assert (fast["gets"], slow["gets"]) == ("3/4", "1/4")
    assert (fast["X"] - fast["x"]) / (slow["X"] - slow["x"]) == pytest.approx(3, rel=0.1)  # a gap is left between them
    assert cells["fc2", 1, "slow x 2"]["idle"]
    assert not cells["fc2", 1, "fast x 2"]["idle"]
    assert [key for key in cells if key[1] == 2] == [("fc1", 2, "each half"), ("fc2", 2, "each half")]  # not cut


def test_cells_are_cut_at_the_shares_that_layers_have_of_their_own():
    plan = named({"fc1": "do", "fc2": "mm"}, (), own=(Fraction(3, 4), Fraction(1, 4)), shares={"grid": 4})
    gets = {(one["l"], one["who"]): one["gets"] for one in cells_of(plan) if one["h"] == 1}
    assert gets == {("fc1", "fast x 2"): "3/4", ("fc1", "slow x 2"): "1/4",
                    ("fc2", "fast x 2"): "1/4", ("fc2", "slow x 2"): "3/4"}  # fmt: skip
    assert "fast x 2 gets 1/4 = 25 % to 3/4 = 75 %, layer by layer" in mixed_figure(plan).alternative
    with pytest.raises(Refusal, match="shares of its own"):
        mixed_shares_figure(plan)


@pytest.mark.parametrize("barrier", sorted(BARRIERS))
def test_pieces_of_every_class_fill_the_step(barrier):
    step = plan_at(barrier=barrier).step
    ends = {}
    for piece in pieces_of(step):
        assert piece["begin"] == pytest.approx(ends.get(piece["class"], 0.0))
        ends[piece["class"]] = piece["end"]
    assert set(ends.values()) == {float(step.time)}
    waited = sum(one["end"] - one["begin"] for one in pieces_of(step) if one["doing"] == "waiting")
    assert waited == pytest.approx(float(sum(map(step.waiting, range(len(step.classes))))))


def test_stairs_of_boxes_reach_from_end_to_end_and_are_nowhere_below_the_plan():
    problem = plan_at(batch=16, shares={"parts": 16}).problem
    plan = solve(problem)
    found = sorted(box_steps(plan, 1e9), key=lambda one: one["share"])
    assert found[0]["share"] == pytest.approx(1 / 32) and found[-1]["end"] == pytest.approx(31 / 32)
    assert all(one["end"] == pytest.approx(other["share"]) for one, other in pairwise(found))
    assert min(one["seconds"] for one in found) >= float(plan.costs["time"])
    assert "grey stairs" in str(mixed_shares_figure(NamedMixedPlan("best", problem, plan)).spec)


def test_a_curve_goes_through_the_plan_and_breaks_where_another_class_is_waited_for():
    plan = plan_at(("dd", "dd"), batch=2**16)
    step = plan.step
    of = quadratics(step.work, step.strategies, step.shares, step.setting, "root")
    assert step_seconds(of, SHARE) == pytest.approx(float(step.time))
    assert len(crossings(of)) == 1
    (there,) = crossings(of)
    fast, slow = of[0]
    assert float(fast.at(Fraction(there))) == pytest.approx(float(slow.at(Fraction(there))))
    before, behind = (step_seconds(of, there + nudge) for nudge in (-0.1, 0.1))
    assert step_seconds(of, there) < max(before, behind)


def test_widths_of_groups_are_accelerators_or_what_a_plan_gives_them():
    plan = plan_at()
    array = plan.problem.array
    halves = [one for one in groups_of(array, {}) if one["row"] == "level 1"]
    assert [one["end"] for one in halves] == [0.5, 1.0]
    leaves = [one for one in groups_of(array, plan.plan.shares) if one["row"] == "level 2"]
    assert [Fraction(one["part"]) for one in leaves] == [SHARE / 2, SHARE / 2, (1 - SHARE) / 2, (1 - SHARE) / 2]
    assert [one["colour"] for one in leaves] == ["fast", "fast", "slow", "slow"]
    assert kind_colours(array)["fast"] == class_colours(array)["fast x 2"]


def test_all_can_be_drawn_and_say_what_they_show():
    plan = plan_at()
    drawn = [mixed_figure(plan), mixed_time_figure(plan), mixed_shares_figure(plan)]
    drawn.append(array_figure("tiny", plan.problem.array))
    assert all(one.spec["description"] == one.alternative for one in drawn)
    assert all(one.table.rows for one in drawn)
    assert "fast x 2 gets 3/4" in drawn[0].alternative
    ours = {name for name, one in figures().items() if "mixed" in one.of}
    assert ours == {"mixed", "mixed-time", "mixed-shares", "kinds", "mixed-links", "anytime"}


def test_links_are_drawn_where_something_is_said_of_them():
    kind = figures()["mixed-links"]
    plain, linked = plan_at(), plan_at(objective={"hop-bytes": 1}, shares=["3/4", "1/4"])
    assert (kind.accepts(plain), kind.accepts(linked)) == (False, True)
    figure = kind.draw(linked)
    assert figure.spec["description"] == figure.alternative
    assert "The fullest link" in figure.alternative
