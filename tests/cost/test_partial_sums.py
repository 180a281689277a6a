"""What partial sums are of: of mp what stands before the pool under leaf-exact, of op an error that somebody needs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import document, instance_of, linear_chain, problem_of

from hypar_opt.instance import load
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.report.pages.overview import facts
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification.certificate.header import problem_document
from tests.evaluation.communication.real_convolutions import forward

ALL = ["dp", "mp", "op"]
VGG_A = "5862418b009edf87"
"""Its hash began so before there was the field."""
POOLED = [
    {"name": "conv", "conv": {"filters": 4, "kernel": 3, "pad": 1}},
    {"name": "act", "activation": {}},
    {"name": "pool", "pool": {"kernel": 2}},
    {"name": "fc", "linear": {"features": 3}},
]


def own_bytes(problem, name, word):
    """What a layer's own sums come to where every layer has its word; by the boxes, as the costs have it."""
    plan = {layer.name: word for layer in problem.work.layers}
    position = list(plan).index(name)
    found = sum(problem.bytes_of(plan).intra[position])
    compiled = problem.graph.unary_costs[position].value(problem.choices(plan)[position])
    assert compiled == found * problem.graph.objective.denominator
    return found


@pytest.mark.parametrize(
    ("accounting", "elements"), [("published", 4 * 4), ("receiver", 4 * 4), ("leaf-exact", 4 * 16)]
)
def test_in_front_of_a_pool_mp_sums_what_the_layer_writes(accounting, elements):
    problem = problem_of(document(POOLED, [2, 4, 4], batch=2, accounting=accounting, choices=ALL))
    assert own_bytes(problem, "conv", "m") == 2 * 4 * 2 * elements
    assert own_bytes(problem, "conv", "d") == 2 * 4 * 4 * 2 * 9
    # E[l] is summed where the layer reads it, behind the pool before it
    assert own_bytes(problem, "fc", "o") == 2 * 4 * 2 * 16
    assert own_bytes(problem, "fc", "m") == 2 * 4 * 2 * 3


def test_the_second_convolution_of_lenet_c():
    """1,638,400 bytes stand behind the 2 x 2 pool, four times as many before it; or they are the boundary's."""
    plan = {"conv1": "dddd", "conv2": "mddd", "fc1": "dddd", "fc2": "dddd"}
    found = {name: NetworkProblem(load("lenet-c", accounting=name)).bytes_of(plan).intra[1][0] for name in ACCOUNTINGS}
    assert found == dict.fromkeys(ACCOUNTINGS, 1_638_400) | {"leaf-exact": 6_553_600, "collective": 0}


def test_pooled_halves_do_not_add_up():
    """Why: the activation and the pool of a sum are not the sum of theirs."""
    rng = np.random.default_rng(0)
    x, w = rng.integers(-3, 4, (2, 4, 4, 4)), rng.integers(-3, 4, (3, 4, 3, 3))
    halves = [forward(x[:, part], w[:, part], 1) for part in (slice(0, 2), slice(2, 4))]
    assert (sum(halves) == forward(x, w, 1)).all()
    assert (_behind(sum(halves)) != sum(map(_behind, halves))).any()
    assert _behind(sum(halves)).size * 4 == sum(halves).size


def _behind(y):
    return np.maximum(y, 0).reshape(*y.shape[:2], 2, 2, 2, 2).max(axis=(3, 5))


def test_of_a_pool_that_makes_the_map_larger_the_written_one_counts_too():
    layers = [POOLED[0], {"name": "pool", "pool": {"kernel": 2, "stride": 1, "pad": 1}}, POOLED[3]]
    found = [
        own_bytes(problem_of(document(layers, [2, 4, 4], batch=1, accounting=name)), "conv", "m")
        for name in ("published", "leaf-exact")
    ]
    assert found == [2 * 4 * 4 * 25, 2 * 4 * 4 * 16]


def test_the_certificates_header_has_the_elements_of_the_sums():
    whole = document(POOLED, [2, 4, 4], batch=2, accounting="leaf-exact", choices=ALL, input_error=False)
    conv, fc = problem_document(problem_of(whole))["layers"]
    assert (conv["feature_in"], conv["feature_out"]) == (0, 4 * 16)
    assert (fc["feature_in"], fc["feature_out"]) == (16, 3)
    paper = problem_document(problem_of(whole, accounting="published", input_error=True))["layers"][0]
    assert (paper["feature_in"], paper["feature_out"]) == (32, 16)


BRANCHED = [
    {"name": "pool", "pool": {"kernel": 2}, "inputs": ["input"]},
    {"name": "left", "conv": {"filters": 2, "kernel": 1}, "inputs": ["pool"]},
    {"name": "act", "activation": {}, "inputs": ["pool"]},
    {"name": "right", "conv": {"filters": 2, "kernel": 1}, "inputs": ["act"]},
    {"name": "both", "add": {}, "inputs": ["left", "right"]},
    {"name": "fc", "linear": {"features": 3}, "inputs": ["both"]},
]


@pytest.mark.parametrize("accounting", ["published", "receiver", "leaf-exact"])
def test_the_error_of_the_input_is_left_out_wherever_it_is_read(accounting):
    whole = document(BRANCHED, [2, 4, 4], batch=2, accounting=accounting, choices=ALL)
    with_error, without = problem_of(whole), problem_of(whole, input_error=False)
    assert [layer.reads_input for layer in with_error.work.layers] == [True, True, False, False]
    for name in ("left", "right"):
        assert (own_bytes_of(with_error, name), own_bytes_of(without, name)) == (2 * 4 * 2 * 8, 0)
    assert own_bytes_of(with_error, "fc") == own_bytes_of(without, "fc") == 2 * 4 * 2 * 8
    plan = {"left": "m", "right": "d", "both": "m", "fc": "o"}
    assert with_error.bytes_of(plan).total == without.bytes_of(plan).total


def own_bytes_of(problem, name):
    """Of output parallelism; the join has none."""
    plan = {layer.name: "d" if layer.is_join else "o" for layer in problem.work.layers}
    position = list(plan).index(name)
    assert problem.graph.value(problem.choices(plan)) == problem.bytes_of(plan).total * problem.model.parts
    return sum(problem.bytes_of(plan).intra[position])


def test_what_training_does_not_need_makes_another_plan_optimal():
    """1,024 -> 8 features: o sums 1,024 errors a sample, m 8 features, and without those errors o costs nothing."""
    whole = document(linear_chain(8), [1024], batch=64, choices=["dp", "op"])
    plans = [solve(instance_of(whole, input_error=one), "joint-dp") for one in (None, True, False)]
    assert [(plan.strategies["fc1"], plan.communication_bytes) for plan in plans] == [
        ("d", 2 * 4 * 8 * 1024), ("d", 2 * 4 * 8 * 1024), ("o", 0),
    ]  # fmt: skip
    assert [dict(plan.overrides) for plan in plans] == [{}, {"input_error": True}, {"input_error": False}]


@pytest.mark.parametrize("name", ["sfc", "alexnet", "vgg-a", "resnet-18"])
def test_with_dp_and_mp_alone_it_changes_no_bytes(name):
    totals = {solve(load(name, input_error=one), "joint-dp").communication_bytes for one in (True, False)}
    assert len(totals) == 1


@pytest.mark.parametrize("input_error", [True, False])
def test_a_report_says_that_it_is_left_out(input_error):
    problem = NetworkProblem(load("sfc", input_error=input_error))
    said = dict(facts(SimpleNamespace(instance=problem.instance, problem=problem)))
    assert said.get("Left out") == (None if input_error else "the error of the network's input")


def machine(model):
    return {
        "topology": "h-tree", "levels": 1, "placement": "identity", "link": {"bandwidth": 10, "energy": 1},
        "accelerator": {
            "model": model, "rate": 100, "grid": [2, 3], "buffer": 64, "utilisation": 1,
            "energy": {"add": 1, "multiply": 2, "sram": 3, "dram": 10},
        },
    }  # fmt: skip


@pytest.mark.parametrize("model", ["as-evaluated", "row-stationary"])
def test_an_input_error_that_is_left_out_is_not_computed(model):
    """The backward phase of the layers that read the input, and of no others; the rest stays as it is."""
    whole = document(POOLED, [2, 4, 4], batch=2, choices=ALL) | {"array": machine(model)}
    with_error, without = problem_of(whole), problem_of(whole, input_error=False)
    for words in product("dmo", repeat=2):
        plan = dict(zip(("conv", "fc"), words, strict=True))
        steps = [one.step(one.bytes_of(plan), one.sites) for one in (with_error, without)]
        before, after = ({(one.layer, one.phase): one for one in step.stages} for step in steps)
        skipped = after.pop(("conv", "backward"))
        assert (skipped.seconds, skipped.multiplies, skipped.sram, skipped.dram) == (0, 0, 0, 0)
        assert before.pop(("conv", "backward")).seconds > 0
        assert after == before
        for name in ("compute-time", "multiply-energy", "add-energy", "sram-energy", "dram-energy", "time"):
            graph = without.weighing({name: Fraction(1)})
            value = Fraction(graph.value(without.choices(plan)), graph.objective.denominator)
            assert value == steps[1].costs[name], name


def test_in_groups_every_slice_is_of_whole_groups():
    """4 groups of 2 -> 3 channels, 3 x 3 maps, batch 2: half the groups have half of everything."""
    layers = [{"name": "conv", "conv": {"filters": 12, "kernel": 3, "pad": 1, "groups": 4}}]
    whole = document(layers, [8, 3, 3], batch=2) | {"array": machine("as-evaluated")}
    problem = problem_of(whole)
    d, m = (problem.step(problem.bytes_of({"conv": word}), problem.sites).stages[0] for word in "dm")
    macs = 2 * 12 * 2 * 9 * 9
    assert d.multiplies == m.multiplies == macs // 2
    weight, read, written = 12 * 2 * 9, 2 * 8 * 9, 2 * 12 * 9
    assert (d.dram, m.dram) == (weight + read / 2 + written / 2, weight / 2 + read / 2 + written / 2)
    assert problem.resident({"conv": "m"}) == {"conv": 4 * (2 * weight + read) / 2}
    assert problem.resident({"conv": "d"}) == {"conv": 4 * (2 * weight + read / 2)}


def test_hashes_of_instances_without_the_field_stay():
    """As they were before there was one; with it they differ, and the default is no field."""
    whole = document(linear_chain(4, 2), [4])
    hashes = [instance_of(document(linear_chain(4, 2), [4], **more)).sha256 for more in ({}, {"input_error": True})]
    assert hashes == [instance_of(whole).sha256] * 2
    assert load("vgg-a").sha256.startswith(VGG_A)
    assert instance_of(document(linear_chain(4, 2), [4], input_error=False)).sha256 not in hashes


@pytest.mark.parametrize("value", ["no", 0, None, []])
def test_it_is_true_or_false(value):
    with pytest.raises(InputError, match="expected true or false") as raised:
        instance_of(document(linear_chain(4), [4], input_error=value))
    assert raised.value.field == "cost.input_error"


def documented():
    """The rows of docs/model.md: network, bytes with the error and the first layer's word, and the same without."""
    text = (Path(__file__).parents[2] / "docs" / "model.md").read_text(encoding="utf-8")
    table = text.partition("## The error of the input")[2].partition("## ")[0]
    rows = [
        [cell.strip(" `") for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| `")
    ]
    return [(name, *cells) for name, *cells in rows]


@pytest.mark.parametrize("row", documented(), ids=lambda row: row[0])
def test_what_the_documentation_says_of_it(row):
    name, *cells, less = row
    found = []
    for input_error in (True, False):
        instance = load(name, input_error=input_error)
        cost = instance.spec.cost.model_copy(update={"choices": ("dp", "mp", "op")})
        plan = solve(instance.changed(cost=cost), "joint-dp")
        assert plan.status == "OPTIMAL"
        found += [plan.communication_bytes, next(iter(plan.strategies.values()))]
    assert cells == [f"{one:,}" if isinstance(one, int) else one for one in found]
    assert less == f"{100 * (1 - found[2] / found[0]):.1f} %"


def test_it_says_something():
    assert len(documented()) == 4
