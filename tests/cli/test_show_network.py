"""hypar-opt show --network."""

from __future__ import annotations

import json

import pytest


def test_every_layer_is_shown(run):
    ran = run("show", "lenet-c", "--network")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "lenet-c: 6 layers, 4 of them decided; 430,500 parameters, biases left out"
    assert [line.split()[0] for line in lines[5:]] == ["conv1", "pool1", "conv2", "pool2", "fc1", "fc2"]
    assert run("show", "lenet-c", "--network", "-q").out.splitlines() == lines[:3]


def test_json_has_everything(run):
    said = json.loads(run("show", "lenet-c", "--network", "--json").out)
    assert said["layers"][0] == {
        "name": "conv1", "kind": "conv", "inputs": ["input"], "decided": True, "given": None,
        "input_shapes": [[1, 28, 28]], "output_shape": [20, 24, 24], "kernel": [5, 5], "stride": [1, 1], "pad": [0, 0],
        "dilation": [1, 1], "groups": 1, "parameters": 500, "macs": 288000, "weight_bytes": 2000, "output_bytes": 46080,
    }  # fmt: skip
    assert said["totals"]["layers"] == 6


def test_it_is_without_a_plan(run):
    ran = run("show", "lenet-c", "--network", "--plan", "plan.json")
    assert ran.code == 2
    assert "--network shows layers; leave out --plan and --links" in ran.err


@pytest.mark.parametrize("name", ["lenet-c", "gpt2-block"])
def test_it_is_written_as_a_table(run, tmp_path, name):
    ran = run("show", name, "--network", "-o", tmp_path / "layers.csv")
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / "layers.csv").read_text().startswith("layer,kind,")
    wrong = run("show", name, "--network", "-o", tmp_path / "layers.png")
    assert (wrong.code, (tmp_path / "layers.png").exists()) == (2, False)
    assert "--output: expected a name that ends in .csv, .md, .tex or .json, got 'layers.png'" in wrong.err


def test_an_array_has_no_network(run):
    ran = run("show", "torus-16", "--network")
    assert ran.code == 2
    assert ran.err.endswith(
        "torus-16.yaml: expected an instance to show the network of, got an array, which has no network\n"
    )
