"""HyPar's Figures 6, 7 and 9 to 13, and how far each is reproduced."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from hypar_opt.instance.overrides import array_text
from reports.evaluation import figure_6, figure_7, figure_9, figure_11, figure_12, figure_13
from reports.evaluation.facts import (
    DATAFLOW,
    HYPAR,
    NETWORKS,
    PRINTED,
    READING,
    claim,
    costs_of,
    deviation,
    geometric_mean,
    number,
)

PER_CENT = Fraction(1, 100)


@pytest.mark.parametrize("network", NETWORKS)
def test_hypars_gains_of_figure_6(network):
    assert abs(deviation(figure_6.hypar(network), PRINTED["figure_6"]["hypar"][network])) < PER_CENT / 2


def test_the_geometric_mean_of_figure_6_to_the_printed_digit():
    assert round(geometric_mean([figure_6.hypar(network) for network in NETWORKS]), 2) == Fraction("3.39")


@pytest.mark.parametrize("network", NETWORKS)
def test_model_parallel_gains_of_figure_6_with_the_bytes_of_figure_8(network):
    printed = PRINTED["figure_6"]["model parallelism"][network]
    assert abs(deviation(figure_6.with_printed_bytes(network), printed)) < PER_CENT / 2
    bytes_printed = number(PRINTED["figure_8"]["model parallelism"][network])
    assert abs(figure_6.implied_bytes(network) / 10**9 / bytes_printed - 1) < PER_CENT / 2


@pytest.mark.parametrize("network", NETWORKS)
def test_model_parallel_gains_do_not_follow_from_mp_everywhere(network):
    printed = PRINTED["figure_6"]["model parallelism"][network]
    assert abs(deviation(figure_6.model_parallel(network), printed)) > 4 * PER_CENT


def test_a_byte_takes_what_was_fitted():
    assert {figure_6.seconds_a_byte(network) for network in NETWORKS} == {Fraction(1, 250_000_000)}


@pytest.mark.parametrize("network", NETWORKS)
def test_hypars_gains_of_figure_7(network):
    assert abs(deviation(figure_7.hypar(network), PRINTED["figure_7"]["hypar"][network])) < 5 * PER_CENT / 2


def test_the_geometric_mean_of_figure_7():
    mean = geometric_mean([figure_7.hypar(network) for network in NETWORKS])
    assert abs(deviation(mean, PRINTED["figure_7"]["hypar"]["gmean"])) < PER_CENT


@pytest.mark.parametrize("network", ["sfc", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e"])
def test_model_parallel_gains_of_figure_7_follow_for_these(network):
    printed = PRINTED["figure_7"]["model parallelism"][network]
    assert abs(deviation(figure_7.with_printed_bytes(network), printed)) < 2 * PER_CENT


@pytest.mark.parametrize("network", ["sconv", "lenet-c", "cifar-c", "alexnet"])
def test_model_parallel_gains_of_figure_7_do_not_follow_for_these(network):
    printed = PRINTED["figure_7"]["model parallelism"][network]
    assert deviation(figure_7.with_printed_bytes(network), printed) > 10 * PER_CENT


def test_where_the_two_models_of_energy_disagree():
    found = figure_7.rows()
    assert not [row["network"] for row in found[:-1] if figure_7.excess(row, "as-evaluated", "hypar")]
    wrong = [row["network"] for row in found[:-1] if figure_7.excess(row, "row-stationary", "hypar")]
    assert wrong == [name for name in NETWORKS if name not in ("sfc", "sconv")]
    assert figure_7.opposed(found) == []
    joules = figure_7.joules("vgg-a", DATAFLOW)
    assert round(float(joules["hypar"]), 1) == 97.0
    assert round(float(joules["best row-stationary"]), 1) == 84.3


def test_the_peak_of_figure_9_is_hypars_plan_alone():
    found, printed = figure_9.of_lenet(), PRINTED["figure_9"]
    assert (found.space.count, found.best) == (256, (found.space.base_index,))
    plan = found.space.strategies(found.winner)
    assert [figure_9.at_level(plan, level) for level in (1, 4)] == [printed["level 1"], printed["level 4"]]
    assert abs(deviation(found.gain("time", found.winner), printed["performance"])) < PER_CENT / 2
    assert found.fault == ""


def test_figure_10_ties_hypars_plan_with_the_printed_peak():
    found, printed = figure_9.of_vgg(), PRINTED["figure_10"]
    plans = [found.space.strategies(index) for index in found.best]
    best = [(figure_9.digits(one["conv5_2"]), figure_9.digits(one["fc1"])) for one in plans]
    assert best == [
        ("0001", "1111"),
        ("0010", "1111"),
        ("0100", "1111"),
        ("1000", "1111"),
    ]
    for name in ("hypar", "peak"):
        assert (printed[name]["conv5_2"], printed[name]["fc1"]) in best
    own = found.space.strategies(found.space.base_index)
    assert [figure_9.digits(own[layer]) for layer in figure_9.LAYERS] == [
        printed["hypar"][layer] for layer in figure_9.LAYERS
    ]
    assert found.winner == found.space.base_index
    assert abs(deviation(found.gain("time", found.winner), printed["hypar"]["performance"])) < PER_CENT / 2
    assert deviation(found.gain("time", found.winner), printed["peak"]["performance"]) < -PER_CENT


def test_what_would_give_the_printed_peak_of_figure_10():
    peak = PRINTED["figure_10"]["peak"]["performance"]
    spared = {guess.what: figure_9.spared("mddd", guess) for guess in figure_9.GUESSES}
    half_a_map = 8 * 512 * 14 * 14 * 256 // 4  # a quarter of conv5_2's input map, 4 bytes, both directions
    assert spared["in front of conv5_2, F only"] == spared["conv5_2's partial sums"] == half_a_map == 51_380_224
    assert spared["in front of conv5_2, F and E"] == 2 * half_a_map
    off = {guess.what: deviation(figure_9.without("mddd", guess), peak) for guess in figure_9.GUESSES}
    near = [what for what, by in off.items() if abs(by) < PER_CENT / 4]
    assert near == ["in front of conv5_2, F only", "conv5_2's partial sums"]
    assert figure_9.needed("mddd", "5.045") > half_a_map  # so that it is near, and not it


@pytest.mark.parametrize("levels", range(7))
@pytest.mark.parametrize("plan", ["hypar", "data parallelism"])
def test_figure_11_within_reading_error(plan, levels):
    one = figure_11.found(figure_11.PLANS[plan], levels)
    printed = PRINTED["figure_11"]
    moved = one.costs["communication"] / 10**9
    assert abs(deviation(one.gain("time"), printed["performance"][plan][levels])) < READING
    assert abs(deviation(moved, printed["communication"][plan][levels])) < READING
    assert moved == 0 or levels > 0


def test_on_32_and_64_accelerators_hypars_plan_of_vgg_e_is_not_the_best():
    for levels in range(7):
        best, own = figure_11.found("joint-dp", levels), figure_11.found(HYPAR, levels)
        assert best.plan.status == "OPTIMAL"
        assert (best.costs["time"] < own.costs["time"]) == (levels >= 5)


def test_figure_12_is_the_h_tree_with_half_its_bandwidth():
    for network in NETWORKS:
        own, tree = costs_of(network, HYPAR, figure_12.half()), costs_of(network, HYPAR)
        assert (own["comm-time"], own["compute-time"]) == (2 * tree["comm-time"], tree["compute-time"])
    for row in figure_12.rows():
        if row["torus, printed"] is not None:
            assert abs(deviation(row["half the bandwidth"], row["torus, printed"])) < READING


@pytest.mark.slow
def test_numbers_are_known_as_well_as_the_audit_has_them():
    within = {
        claim(f"fig12-torus-{name}")["performance_gain"]["within"] for name in PRINTED["figure_12"] if name != "gmean"
    }
    assert within == {f"{float(100 * READING):.0f} %"}


def test_a_routed_torus_that_figure_12_may_show():
    """One level's bandwidth over 32 links, counterparts one hop apart: the array of the audit's claims."""
    own = figure_12.on("torus", figure_12.bandwidth("torus", figure_12.LEVEL), placement=figure_12.one_hop())
    assert figure_12.bandwidth("torus", figure_12.LEVEL) * 32 == 250_000_000
    assert json.loads(array_text(own)) == json.loads(array_text(claim("fig12-torus-sconv")["overrides"]["array"]))
    routed = figure_12.torus(figure_12.LEVEL, figure_12.one_hop())
    assert set(figure_12.slower(routed).values()) == {2}
    for row in figure_12.rows():
        if row["network"] != "gmean":
            assert row[figure_12.LEVEL] == row["half the bandwidth"]
        if row["torus, printed"] is not None:
            assert abs(deviation(row[figure_12.LEVEL], row["torus, printed"])) < READING


def test_on_that_placement_every_counterpart_is_one_hop_away():
    site = {leaf: divmod(int(name.removeprefix("a")), 4) for leaf, name in enumerate(figure_12.one_hop())}
    assert len(set(site.values())) == 16
    for leaf in range(16):
        for bit in (8, 4, 2, 1):
            apart = [(a - b) % 4 for a, b in zip(site[leaf], site[leaf ^ bit], strict=True)]
            assert sorted(min(one, 4 - one) for one in apart) == [0, 1]


def test_a_shuffled_torus_takes_exactly_twice_as_long_as_well():
    array = claim("fig12-link-shuffled")["slower"]["array"]
    assert tuple(array["placement"]) == figure_12.shuffled()
    assert set(figure_12.slower(figure_12.torus(figure_12.LEAF, figure_12.shuffled())).values()) == {2}


def test_with_groups_side_by_side_a_torus_is_not_what_figure_12_shows():
    assert figure_12.bandwidth("torus", figure_12.LEAF) == 15_625_000
    assert figure_12.bandwidth("torus", figure_12.TOTAL) == 31_250_000
    for row in figure_12.rows()[:-1]:
        for rule in (figure_12.LEAF, figure_12.TOTAL):
            assert row[rule] > row["half the bandwidth"] * Fraction(11, 10)


@pytest.mark.parametrize("levels", figure_13.LEVELS)
def test_fc3_of_figure_13(levels):
    time, energy = figure_13.gains("fc3", levels)
    assert abs(deviation(time, PRINTED["figure_13"]["fc3"][levels][0])) < 2 * PER_CENT
    assert abs(deviation(energy, PRINTED["figure_13"]["fc3"][levels][1])) < PER_CENT


def test_conv5_of_figure_13_as_far_as_it_goes():
    assert min(figure_13.MAPS, key=figure_13.worst) == figure_13.NEAREST == 13
    assert 2 * PER_CENT < figure_13.worst(13) < 3 * PER_CENT
    assert figure_13.worst(13, 1) < PER_CENT
    for size in (7, 14):
        assert figure_13.worst(size) > 9 * PER_CENT
    assert all(figure_13.worst(name) > 15 * PER_CENT for name in figure_13.OTHERS)
