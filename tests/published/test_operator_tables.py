"""The pages of reports/operators: what stands there is what is recomputed, and why."""

from __future__ import annotations

from random import Random

import pytest

from hypar_opt.evaluation.operators import movements, operator_plan, total
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.blocks import GPT_2, LLAMA_3, SMALL
from hypar_opt.studies.operators.restriction import restricted
from reports.operators import formulae, megatron, networks
from reports.operators.__main__ import FOLDER
from reports.operators.page import times
from tests.evaluation.operators.test_chains import LETTERS, formula
from tests.helpers import each


def lines(name):
    """Return a page's rows of tables, as lists of cells."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]


def stands(name, row):
    assert list(map(str, row.values())) in lines(name), row


@each("network", ["sfc", "lenet-c"])
def test_the_networks_rows(network):
    row = networks.row(network, full=False)
    assert list(row.values()) in [[one[0], int(one[1]), *one[2:5]] for one in lines("networks") if one[1].isdigit()]
    stands("networks", networks.halves(network))


@pytest.mark.slow
@each("case", [*((network, 256) for network in networks.NETWORKS), *networks.SMALL_BATCHES])
def test_all_of_the_networks_rows(case):
    stands("networks", networks.row(*case))


def test_the_figures_of_sfc():
    sfc = load("sfc", axes=networks.AXES, splits="any")
    assert networks.least(restricted(sfc, ["batch"])) == 16_886_661_120
    assert networks.least(restricted(sfc, ["batch", "in"])) == 680_833_024


@each("seed", range(30))
def test_a_plan_of_sfc_costs_what_the_formula_of_chains_says(seed):
    random = Random(seed)
    sfc = load("sfc", axes=networks.AXES, splits="any")
    words = ["".join(random.choices("dmo", k=4)) for _ in range(4)]
    chosen = {f"fc{layer}": " ".join(LETTERS[one] for one in word) for layer, word in enumerate(words, start=1)}
    plan = operator_plan(sfc.graph, sfc.partition, chosen)
    assert total(movements(sfc.graph, sfc.partition, plan)) == formula(256, (784, 8192, 8192, 8192, 10), words)


@pytest.mark.parametrize(("network", "features", "levels"), [("lenet-c", 50 * 4 * 4, 3), ("alexnet", 128 * 6 * 6, 4)])
def test_what_as_evaluated_charges_more_are_exchanges_that_can_be_fused(network, features, levels):
    """Of the map in front of the first linear layer: z - 2 (1 - 2^-z) of it where z levels go from dp to mp."""
    evaluated = solve(load(network, accounting="as-evaluated", choices="dp,mp"), "joint-dp").communication_bytes
    collective = networks.least(restricted(load(network, axes=networks.AXES, splits="any"), ["batch", "in"]))
    assert evaluated - collective == 4 * 256 * features * (levels - 2 * (1 - 1 / 2**levels))


@pytest.mark.slow
def test_a_single_sample_is_split_along_rows_and_columns():
    plan = solve(load("vgg-a", axes=networks.AXES, batch=1, splits="any"), "joint-dp")
    assert plan.strategies["conv1_1"].split() == ["height", "height", "width", "width"]


@each("case", [(SMALL, {"gpu": 4}, 8), (GPT_2, {"gpu": 4}, 2), (LLAMA_3, {"node": 8, "gpu": 8}, 8)])
def test_megatrons_rows(case):
    stands("megatron", megatron.comparison(*case))


@each("case", [(GPT_2, 4), (megatron.WIDE, 64)])
def test_up_to_where_megatrons_plan_is_optimal(case):
    row = megatron.bound(*case)
    assert row["Megatron / least"] == "1"
    stands("megatron", row)


@pytest.mark.slow
def test_the_page_of_megatron_is_written_as_it_stands():
    assert megatron.written() == (FOLDER / "megatron.md").read_text(encoding="utf-8")


def test_the_page_of_formulae_is_written_as_it_stands():
    assert formulae.written() == (FOLDER / "formulae.md").read_text(encoding="utf-8")


def test_a_ratio_close_to_one_is_not_one():
    assert (times(10, 10), times(12, 10), times(100_004, 100_000)) == ("1", "1.200", "1.00004")


@each(
    "case",
    [
        (GPT_2, {"gpu": 4}, 4),
        *((LLAMA_3, {"gpu": 8}, batch) for batch in (2, 4, 32)),
        (LLAMA_3, {"node": 8, "gpu": 8}, 32),
    ],
)
def test_the_text_has_the_ratios_of_the_table(case):
    text = (FOLDER.parents[1] / "docs" / "operator-findings.md").read_text(encoding="utf-8")
    assert megatron.comparison(*case)["Megatron / least"] in text
