"""The programme over counts beside all plans, joint-dp and the evaluator; Altsplit's figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from helpers import document, each, linear_chain

from hypar_opt import load, solve
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.instance import Instance
from hypar_opt.studies.altsplit import (
    ChainSetting,
    compared,
    divides,
    least_of_chain,
    levels,
    optimum,
    perceptron,
    turns,
)
from hypar_opt.util.errors import InputError

ALL = {"choices": ["dp", "mp", "op"], "accounting": "leaf-exact"}


def chain(widths, batch, height, **cost):
    return Instance.from_dict(
        document(linear_chain(*widths[1:]), widths[:1], batch=batch, levels=height, **ALL, **cost)
    )


def least(instance, **how):
    setting = ChainSetting(instance.batch, instance.levels, instance.bytes_per_element, instance.input_error)
    allowed = {"allowed": divides(setting)} if how.get("even") else {}
    return least_of_chain(Evaluator(instance).work, setting, **allowed)


@each("seed", range(8), quick=1)
def test_no_plan_of_all_is_less(seed):
    rng = Random(seed)
    instance = chain([rng.choice((1, 3, 8, 20)) for _ in range(4)], rng.choice((1, 4, 6)), 2, input_error=seed % 2 == 0)
    evaluator, names = Evaluator(instance), [f"fc{i}" for i in (1, 2, 3)]
    words = ["".join(word) for word in product("dmo", repeat=2)]
    fewest = min(evaluator.bytes_of(dict(zip(names, plan, strict=True))).total for plan in product(words, repeat=3))
    found = least(instance)
    assert found.bytes_ == fewest == evaluator.bytes_of(found.strategies).total


@each("seed", range(30), quick=1)
def test_joint_dp_has_the_same_bytes(seed):
    rng = Random(seed)
    widths = [rng.choice((6, 16, 48, 320, 1000)) for _ in range(rng.choice((2, 4, 5)))]
    instance = chain(widths, rng.choice((8, 100, 512)), 3 + seed % 2, splits=("any", "divisible")[seed % 3 == 0])
    plan = solve(instance, "joint-dp")
    if plan.strategies is None:
        with pytest.raises(InputError, match="no word of"):
            least(instance, even=True)
    else:
        assert least(instance, even=instance.splits == "divisible").bytes_ == plan.objective


@each("seed", range(200), quick=20)
def test_pairs_of_letters_read_what_the_evaluator_counts(seed):
    rng, instance = Random(seed), chain((8, 5, 3), 6, 4)
    before, behind = ("".join(rng.choices("dmo", k=4)) for _ in range(2))
    row = [
        tuple(sum(pair == (one, other) for pair in zip(before, behind, strict=True)) for other in levels.LETTERS)
        for one in levels.LETTERS
    ]
    moved = Evaluator(instance).bytes_of({"fc1": before, "fc2": behind})
    assert levels.passage(tuple(row)).share * 4 * 6 * 5 == sum(map(sum, moved.inter))


def test_there_is_a_way_between_any_two_counts():
    found = levels.passages(4)
    assert len(found) == len(list(levels.counts(4))) ** 2 == 15**2
    assert found[(0, 0, 4), (0, 4, 0)].share == 0  # outputs, then inputs: nothing is passed
    assert found[(4, 0, 0), (4, 0, 0)].share == 0


@pytest.mark.parametrize(
    ("hidden", "height", "bytes_"),
    [
        (3, 6, (19_372_179_456, 9_052_839_936, 14_022_838_272, 2_583_357_440)),
        pytest.param(5, 6, (31_758_483_456, 17_310_375_936, 24_213_686_272, 4_418_365_440), marks=pytest.mark.slow),
        (3, 1, (307_494_912, 143_695_872, 307_494_912, 143_695_872)),
    ],
)
def test_altsplit_s_figures(hidden, height, bytes_):
    found = compared(perceptron(hidden, 16_000, 512, height))
    assert tuple(one.bytes_ for one in found[:4]) == bytes_
    assert [one.name for one in found] == ["baseline", "altsplit", "grid", "optimum", "even optimum"]
    assert found[4].is_even and found[4].bytes_ >= found[3].bytes_


def test_baseline_and_altsplit_by_hand():
    """(P - 1) B maps: every all-gather counts once and every all-reduce twice, among 8 processes."""
    baseline, altsplit, *_ = compared(perceptron(3, 16_000, 512, 3))
    unit = 7 * 512 * 4
    assert baseline.bytes_ == unit * (3 * 16_000 + 2 * (3072 + 3 * 16_000))
    assert altsplit.bytes_ == unit * 2 * (16_000 + 10 + 3072 + 16_000)
    assert (baseline.collectives, altsplit.collectives) == (7, 4)


def test_without_the_error_of_the_input_altsplit_has_half_of_the_collectives():
    for hidden, (own, other) in ((3, (3, 6)), (5, (5, 10))):
        baseline, altsplit, *_ = compared(perceptron(hidden, 16_000, 512, 2, input_error=False))
        assert (altsplit.collectives, baseline.collectives) == (own, other)


def test_where_errors_are_reduced_to_parts_altsplit_moves_as_much_between_hidden_layers():
    """2 B d (P - 1) a boundary that gathers, and as much where sums are of what the layer in front writes."""
    one = perceptron(5, 16_000, 512, 6)
    baseline, altsplit = (one.bytes_of(turns(one, letters), "collective").total for letters in ("o", "om"))
    assert baseline == 63 * 512 * 4 * 2 * 5 * 16_000
    assert altsplit == 63 * 512 * 4 * 2 * (4 * 16_000 + 10)
    assert one.bytes_of(turns(one, "o") | {"out": "mmmmmm"}, "collective").total == altsplit


@pytest.mark.parametrize("hidden", [3, 5])
def test_the_shipped_instances_are_these(hidden):
    shipped, own = load(f"altsplit-{hidden}", levels=2), perceptron(hidden, 16_000, 512, 2)
    assert shipped.network.document == own.instance.network.document
    assert solve(shipped, "joint-dp").objective == optimum(own).bytes_


def test_a_programme_that_misses_a_half_is_found_out(monkeypatch):
    levels.passages.cache_clear()
    monkeypatch.setattr(levels, "_HALVINGS", (((1, 1), (1, 1)),) * 9)
    try:
        with pytest.raises(ArithmeticError, match=r"altsplit-3: .* bytes by counts, .* recounted"):
            optimum(perceptron(3, 16_000, 512, 4))
    finally:
        levels.passages.cache_clear()


def test_what_is_no_chain_of_linear_layers_is_refused():
    convolution = {"input": [3, 8, 8], "layers": [{"name": "conv", "conv": {"filters": 4, "kernel": 3}}]}
    instance = Instance(convolution, {"topology": "h-tree", "levels": 2}, 8)
    with pytest.raises(InputError, match="expected linear layers, one behind the other"):
        least(instance)
    with pytest.raises(InputError, match="no word of 2 letters is allowed for layer 'fc1'"):
        least(chain((3, 5), 1, 2), even=True)


def test_the_page_s_table_is_what_the_report_says():
    root = Path(__file__).parents[3]
    page = (root / "docs" / "altsplit.md").read_text(encoding="utf-8")
    report = (root / "reports" / "altsplit" / "altsplit.csv").read_text(encoding="utf-8")
    rows = [line.split(",") for line in report.splitlines()]
    named = {name: place for place, name in enumerate(rows[0])}
    said = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith(("| 3 |", "| 5 |"))]
    assert len(said) == 6
    for hidden, processes, *cells in said:
        for plan, cell in zip(("baseline", "altsplit", "grid", "optimum"), cells, strict=False):
            asked = {"hidden": hidden, "width": "16000", "batch": "512", "processes": processes, "plan": plan}
            asked["processes"] = processes.replace(",", "")
            (row,) = (row for row in rows if all(row[named[name]] == value for name, value in asked.items()))
            assert f"{float(Fraction(row[named['bytes']])) / 1e9:.4g}" == cell
