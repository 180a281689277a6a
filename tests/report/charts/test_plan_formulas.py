"""The formula of every number evaluates to the number that the boxes come to."""

from fractions import Fraction
from random import Random

import pytest
from chart_data import drawn
from helpers import document
from hypothesis import given
from hypothesis import strategies as st
from plans_drawn import TEN, chain, drawn_words, evaluated, number, planned, shipped

from hypar_opt.report.charts.plan_cells import PlanRows
from hypar_opt.report.charts.plan_formulas import BY_LEAVES, Amount
from hypar_opt.report.charts.plan_grid import plan_figure

RULES = ("published", "as-evaluated", "receiver")


def checked(named):
    """Assert that every formula of a plan holds, in numbers and as it is written; return how many there are."""
    rows, count = PlanRows(named), 0
    for cell in rows.cells:
        if not isinstance(cell.summed, str):
            assert cell.summed[1].value == cell.intra == evaluated(str(cell.summed[1]))
            count += 1
        for one in cell.crossings:
            assert evaluated(str(one.feature_from)) == one.feature
            assert evaluated(str(one.error_from)) == one.error
            count += 2
    return count


@pytest.mark.parametrize("accounting", RULES)
@pytest.mark.parametrize("name", TEN)
def test_of_the_ten_networks(name, accounting):
    problem = shipped(name, accounting=accounting)
    layers, levels = len(problem.work.layers), problem.instance.levels
    words = drawn_words(Random(name), problem)
    assert checked(planned(problem, words)) == levels * (layers + 2 * (layers - 1))


@pytest.mark.parametrize("accounting", RULES)
@pytest.mark.parametrize("name", ["resnet-18", "resnet-50"])
def test_of_graphs_with_joins(name, accounting):
    problem = shipped(name, accounting=accounting, levels=3)
    named = planned(problem, drawn_words(Random(name), problem))
    assert checked(named) > 3 * len(problem.work.layers)
    joins = [datum for datum in drawn(plan_figure(named), "s") if datum["s"].startswith("nothing")]
    assert joins
    assert {(datum["i"], datum["j"]) for datum in joins} == {("0", "")}


@given(st.data(), st.sampled_from(["published", "receiver"]), st.integers(1, 4))
def test_of_chains_with_all_three_choices(data, accounting, levels):
    problem = chain(16, 32, 16, levels=levels, batch=16, accounting=accounting, choices=["dp", "mp", "op"])
    letters = st.text("dmo", min_size=levels, max_size=levels)
    assert checked(planned(problem, data.draw(st.lists(letters, min_size=3, max_size=3))))


def test_under_leaf_exact_it_is_said_where_the_numbers_come_from():
    named = planned(chain(8, 8, accounting="leaf-exact"), ["dd", "mm"])
    first, second = PlanRows(named).cells[0], PlanRows(named).cells[2]
    assert first.summed[1].value == first.intra
    assert [(one.feature_from, one.error_from) for one in second.crossings] == [(BY_LEAVES, BY_LEAVES)]
    assert sum(cell.feature + cell.error for cell in PlanRows(named).cells) == sum(map(sum, named.breakdown.inter))


def test_by_hand():
    # 4 samples, 8 -> 8 -> 4 features, 4 bytes; at level 2 the groups of fc2 hold half the batch after d
    named = planned(chain(8, 4), ["dd", "dm"])
    cells = {(datum["l"], datum["h"]): datum for datum in drawn(plan_figure(named), "h")}
    last = cells["fc2", 2]
    assert last["s"] == "F[l+1]: 8 elements a group"
    assert (last["i"], last["j"]) == ("128", "2^1 × 2 × 4 B × 16 / 2^1")
    assert last["n"] == "fc1 d → m"
    assert (last["f"], last["g"]) == ("64", "2^1 × 2 × 4 B × 1/4 × 32 / 2^1")
    assert (last["e"], last["k"]) == (last["f"], last["g"])
    assert (cells["fc1", 2]["n"], cells["fc1", 2]["f"], cells["fc1", 2]["g"]) == ("none: reads the input", "0", "")
    assert cells["fc2", 1]["g"] == "0: has B, needs B"


def test_behind_mp_as_evaluated_charges_nothing_and_says_so():
    named = planned(chain(8, 4, levels=1, accounting="as-evaluated"), ["m", "d"])
    (datum,) = [datum for datum in drawn(plan_figure(named), "h") if datum["l"] == "fc2"]
    assert (datum["e"], datum["k"]) == ("0", "0: this accounting charges nothing behind mp")


def test_a_join_adds_up_what_it_reads():
    layers = [
        {"name": "a", "linear": {"features": 8}},
        {"name": "b", "linear": {"features": 8}},
        {"name": "both", "add": {}, "inputs": ["a", "b"]},
    ]
    from helpers import problem_of

    named = planned(problem_of(document(layers, [8], batch=4, levels=1)), ["d", "m", "d"])
    datum = drawn(plan_figure(named), "h")[-1]
    assert datum["n"] == "a d → d; b m → d"
    assert datum["k"] == "(0: has B, needs B) + (2^0 × 2 × 4 B × 1/2 × 32 / 2^0)"
    assert evaluated(datum["k"]) == number(datum["e"]) == 128


def test_the_check_can_fail():
    assert Amount(1, 4, 1, 32, 1).value == 64
    assert Amount(1, 4, 1, 32, 0).value != 64
    assert evaluated("2^1 × 2 × 4 B × 1/2 × 1,000 / 2^1") == Fraction(4000)
