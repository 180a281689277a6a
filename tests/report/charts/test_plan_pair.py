"""Two plans side by side: what differs and what it costs."""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from chart_data import drawn, rest_of
from plans_drawn import chain, drawn_words, number, planned, shipped

from hypar_opt import load, solve
from hypar_opt.report.charts.plan_pair import pair_figure
from hypar_opt.report.charts.plan_pair_data import Plans, difference
from hypar_opt.report.content import NamedPlan
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.util.errors import Refusal

HOSTILE = "</script><b>\"'\\ ü datum.x"


@pytest.fixture(scope="module")
def plans():
    """Three plans of a chain: 8 -> 8 -> 4 features, two levels, four samples."""
    problem = chain(8, 4)
    words = {"one": ["dd", "dd"], "hypar-dp": ["dd", "dm"], "three": ["mm", "dd"]}
    return [planned(problem, word, name) for name, word in words.items()]


def svg_of(figure, **chosen):
    """Return the picture with other plans chosen."""
    import vl_convert

    spec = json.loads(json.dumps(figure.spec))
    for param in spec["params"]:
        param["value"] = chosen.get(param["name"], param["value"])
    return vl_convert.vegalite_to_svg(spec)


def test_lists_are_the_breakdowns():
    problem = shipped("vgg-e", accounting="published")
    plans = [planned(problem, drawn_words(Random(seed), problem), f"plan {seed}") for seed in range(8)]
    figure = pair_figure(plans)
    rows = {datum["l"]: datum for datum in drawn(figure, "w")}
    inter = {edge.reader: number for number, edge in enumerate(problem.work.boundaries)}
    for row, layer in enumerate(problem.work.layers):
        datum = rows[layer.name]
        assert datum["w"] == [one.strategies[layer.name] for one in plans]
        assert datum["p"] == [sum(one.breakdown.intra[row]) for one in plans]
        expected = [sum(one.breakdown.inter[inter[row]]) if row in inter else 0 for one in plans]
        assert datum["q"] == expected
    assert len(json.dumps(figure.spec, separators=(",", ":"))) < 30_000


def test_what_is_optimised_is_compared_where_it_is_not_bytes(plans):
    assert "o" not in drawn(pair_figure(plans), "n")[0]
    problem = NetworkProblem(load("sfc", array="torus-16", placement="free", objective="hop-bytes"))
    placed = [NamedPlan(name, problem, solve(problem, name)) for name in ("placement-cp-sat", "identity")]
    figure = pair_figure(placed)
    (said,) = drawn(figure, "n")
    assert said["o"] == ["773.1 MB x hops", "1.076 GB x hops"]
    assert said["m"][0][1] == "the same bytes; hop-bytes: +39.2 %"
    assert "exchanges the same bytes; hop-bytes: +39.2 %" in figure.alternative
    assert ">1.076 GB x hops</text>" in svg_of(figure)


def test_the_table_has_every_layer_of_every_plan(plans):
    figure = pair_figure(plans)
    rows = [{key: entry.value for key, entry in row.items()} for row in figure.table.rows]
    assert [(row["layer"], row["plan"]) for row in rows] == [
        (layer, one.name) for layer in ("fc1", "fc2") for one in plans
    ]
    for one in plans:
        assert sum(row["total"] for row in rows if row["plan"] == one.name) == one.breakdown.total
    for datum in drawn(figure, "w"):
        own = [row for row in rows if row["layer"] == datum["l"]]
        assert [row["intra"] for row in own] == datum["p"]
        assert [row["inter"] for row in own] == datum["q"]
        assert [row["strategy"] for row in own] == datum["w"]


def test_at_first_the_best_and_the_greedy_one(plans):
    one, greedy, best = plans
    # by hand: 1536 + 768 of dW; 1536 + 384 and a boundary of 128; 768 of F[l+1], 768 and a boundary of 256
    assert [plan.breakdown.total for plan in plans] == [2304, 2048, 1792]
    assert Plans((one, greedy, best)).default() == (2, 1)
    assert Plans((best, one)).default() == (0, 1)
    assert Plans((greedy, one)).default() == (0, 1)
    unknown = replace(best, plan=replace(best.plan, objective=None), name="unknown")
    assert Plans((unknown, one)).default() == (1, 0)


def test_a_plan_that_is_the_same_is_not_what_one_looks_at_first(plans):
    one, greedy, _ = plans
    again = replace(greedy, name="again")
    assert Plans((again, greedy, one)).default() == (0, 2)
    assert Plans((again, greedy)).default() == (0, 1)


def test_what_is_chosen_is_compared(plans):
    figure = pair_figure(plans)
    svg = svg_of(figure, first=0, second=2)
    assert 'aria-label="fc1, level 1: first d, second m"' in svg
    assert "-512 B (-22.22 %)" in svg
    # fc1: 512 + 1024 of dW before, 256 + 512 of F[l+1] now; fc2: the boundary before it, half of E at both levels
    assert 'aria-label="fc1, dd → mm: intra-layer −768 bytes, inter-layer +0"' in svg
    assert 'aria-label="fc2, dd → dd: intra-layer +0 bytes, inter-layer +256"' in svg
    same = svg_of(figure, first=1, second=1)
    assert "the same bytes" in same
    assert 'aria-label="fc2, level 2: first m, second m"' in same


def test_menus_show_names_and_choose_positions(plans):
    hostile = planned(plans[0].problem, ["mm", "mm"], HOSTILE)
    figure = pair_figure([*plans, hostile])
    params = {one["name"]: one for one in figure.spec["params"]}
    assert {name: (one["value"], one["bind"]["options"]) for name, one in params.items()} == {
        "first": (3, [0, 1, 2, 3]),
        "second": (1, [0, 1, 2, 3]),
    }
    names = ["one", "hypar-dp", "three", HOSTILE]
    assert [one["bind"]["labels"] for one in params.values()] == [names, names]
    rest = json.dumps({key: value for key, value in json.loads(rest_of(figure)).items() if key != "params"})
    assert json.dumps(HOSTILE)[1:-1] not in rest


def test_in_words(plans):
    assert pair_figure(plans).alternative == (
        "Grids of two plans, chosen from 3, and bars of what each layer exchanges more in the second. At first three "
        "and hypar-dp, which compared with it exchanges +256 B (+14.29 %). They choose differently in 2 of 2 layers: "
        "fc1 mm and dd; fc2 dd and dm."
    )


def test_one_plan_is_no_pair(plans):
    with pytest.raises(Refusal, match=r"^two plans are needed to be set side by side, got 1$"):
        pair_figure(plans[:1])


def test_without_levels_plans_do_not_differ():
    problem = chain(8, levels=0)
    with pytest.raises(Refusal, match=r"^one accelerator leaves nothing to choose, so that plans do not differ$"):
        pair_figure([planned(problem, [""], "a"), planned(problem, [""], "b")])


def test_numbers_that_a_browser_cannot_hold_are_text():
    problem = chain(8, 8, levels=24, batch=2**24)
    huge = [planned(problem, ["d" * 24, "m" * 24], "a"), planned(problem, ["m" * 24, "d" * 24], "b")]
    assert max(one.breakdown.total for one in huge) >= 2**53
    for datum in drawn(pair_figure(huge), "w"):
        assert all(isinstance(count, float) for count in datum["p"])
        row = [layer.name for layer in problem.work.layers].index(datum["l"])
        assert [number(text) for text in datum["P"]] == [sum(one.breakdown.intra[row]) for one in huge]
    svg = svg_of(pair_figure(huge))
    assert "about" in svg


def test_fractions_are_text_too():
    problem = chain(1, 1, 1, levels=6, batch=1, accounting="leaf-exact")
    plans = [planned(problem, ["dddddd", "mmmmmm", "dmdmdm"], "a"), planned(problem, ["dddddd"] * 3, "b")]
    assert any(isinstance(part, Fraction) for row in plans[0].breakdown.inter for part in row)
    assert not Plans(tuple(plans)).exact
    assert sum(number(datum["Q"][0]) for datum in drawn(pair_figure(plans), "Q")) == sum(
        map(sum, plans[0].breakdown.inter)
    )


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (100, 100, "the same bytes"),
        (1000, 3000, "+2,000 B (+200.00 %)"),
        (3000, 1000, "-2,000 B (-66.67 %)"),
        (0, 5, "+5 B"),
        (Fraction(1, 2), 1, "+0.5 B (+100.00 %)"),
    ],
)
def test_differences(first, second, said):
    assert difference(first, second) == said
