"""A network as it is understood, against published counts, the cost model's and a count of its own."""

from __future__ import annotations

import io
from math import prod

import pytest
from bank.random_networks import random_document
from helpers import each, instance_of, problem_of
from rich.console import Console

from hypar_opt.instance import load
from hypar_opt.report.network import layer_facts, network_document, show_network

PUBLISHED = {"vgg-a": 133, "vgg-b": 133, "vgg-c": 134, "vgg-d": 138, "vgg-e": 144}
"""Simonyan and Zisserman 2015, Table 2: millions of parameters."""
EXACT = {"alexnet-full": 60_965_224, "vgg-d": 138_357_544, "vgg-e": 143_667_240}
"""With biases: Krizhevsky's network in two columns, and what the VGG models of 16 and 19 layers are known to have."""


def biases(layers):
    return sum(one.output_shape[0] for one in layers if one.kind in ("conv", "linear"))


@pytest.mark.parametrize("name", EXACT)
def test_parameters_are_the_published_ones(name):
    layers = layer_facts(load(name))
    assert sum(one.parameters for one in layers) + biases(layers) == EXACT[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_are_the_published_ones_in_millions(name):
    layers = layer_facts(load(name))
    assert round((sum(one.parameters for one in layers) + biases(layers)) / 10**6) == PUBLISHED[name]


@each("seed", range(40))
def test_numbers_are_the_cost_models_and_those_of_a_count_by_shapes(seed):
    instance = instance_of(random_document(seed))
    layers, work = layer_facts(instance), problem_of(random_document(seed)).work.layers
    decided = [one for one in layers if one.decided]
    assert [(one.name, one.parameters, one.macs) for one in decided] == [(x.name, x.weight, x.macs) for x in work]
    assert [one.groups or 1 for one in decided] == [x.groups for x in work]
    for one in layers:
        assert one.output_bytes == prod(one.output_shape) * instance.bytes_per_element
        assert one.weight_bytes == one.parameters * instance.bytes_per_element
        taps = 0
        if one.kind == "conv":
            taps = prod(one.kernel) * one.input_shapes[0][0] // one.groups
        if one.kind == "linear":
            taps = prod(one.input_shapes[0])
        assert one.parameters == one.output_shape[0] * taps
        assert one.macs == prod(one.output_shape) * taps
        assert one.decided is (one.kind in ("conv", "linear", "add", "concat"))


def test_sums_are_of_a_sample_and_of_the_batch():
    instance = load("lenet-c")
    said = network_document(instance)
    totals = said["totals"]
    assert totals["macs"] == sum(one["macs"] for one in said["layers"])
    assert totals["batch_macs"] == instance.batch * totals["macs"]
    assert totals["batch_output_bytes"] == instance.batch * totals["output_bytes"]
    assert (said["batch"], said["instance_sha256"]) == (instance.batch, instance.sha256)


def printed(name, width, **overrides):
    console = Console(width=width, file=io.StringIO(), highlight=False)
    show_network(console, load(name, **overrides))
    return console.file.getvalue()


@pytest.mark.parametrize("width", [30, 60, 80, 100, 120, 160, 200])
def test_nothing_is_cut_however_narrow_the_terminal_is(width):
    text = printed("alexnet-full", width, fix={"conv*": "d..."})
    assert "…" not in text
    assert all(len(line.rstrip()) <= width for line in text.splitlines())
    assert ("too narrow for" in text) is (width < 160)
    rows = [line.split() for line in text.splitlines()]
    assert [row[0] for row in rows if row and row[0] in ("conv1", "pool1", "fc3")] == ["conv1", "pool1", "fc3"]


def test_headings_have_units_and_rare_columns_are_left_out():
    text = printed("alexnet-full", 200)
    assert all(unit in text for unit in ("(c x h x w)", "(M/sample)", "(MB)", "(kB/sample)"))
    assert "groups" in text
    assert "given" not in text
    assert "groups" not in printed("vgg-a", 200)
    assert " dm.." in printed("lenet-c", 200, fix={"fc1": "dm.."})
