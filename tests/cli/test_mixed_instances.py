"""Instances of several kinds of accelerators on the command line: what is refused, listed and shown."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("mixed-alexnet --shares 7/10,4/10", "--shares: expected two shares that sum to 1, got 0.7 and 0.4"),
        ("mixed-alexnet --shares 1,0", "--shares: expected shares above 0, got '0'"),
        ("mixed-alexnet --shares rot=.5,.5", "--shares: expected a split, a group whose halves are unlike, got 'rot'"),
        ("mixed-alexnet --shares parts=1000", "--shares: expected at most 512 parts, the batch: a grid finer than"),
        ("mixed-alexnet --batch 4", "--batch: expected at most 4 parts, the batch"),
        ("mixed-alexnet --objective communication", "--objective: expected shares that are given, or the objective"),
        ("mixed-alexnet --objective comm-time", "--objective: expected time alone, or a weighted sum of"),
        ("mixed-alexnet --objective energy", "--objective accelerators[0].accelerator.energy: missing, and"),
        ("mixed-alexnet --at-most communication=3", "--at-most: expected shares that are given beside bounds, as the"),
        ("mixed-alexnet --at-most comm-time=3", "--at-most: expected bounds on time, communication, "),
        ("mixed-alexnet --splits divisible", "--splits: expected splits of any size, or shares that are given"),
        ("mixed-alexnet --as-released", "--as-released: expected false"),
        ("mixed-alexnet --levels 3", "--levels accelerators: expected 8 accelerators, one for every leaf of 3 levels"),
        ("mixed-alexnet --array ring-16", "--array: expected equal shares, for the array's accelerators are all alike"),
        ("mixed-vgg-19 --choices dp,none --fix fc1=.n......", "--fix fc1: expected no n at level 2"),
        ("lenet-c --shares exact", "--shares: expected equal shares, for the array's accelerators are all alike"),
        ("lenet-c --barrier layer", "--barrier: expected the barrier step"),
        ("lenet-c --choices dp,none", "--choices: expected the choices dp, mp, op or replicate, got none"),
        ("gpt2-block --shares exact", "--shares: replaces a field of an instance of layers that are split in halves"),
    ],
)
def test_what_kinds_do_not_go_with_is_bad_input(run, tmp_path, given, error):
    ran = run("solve", *given.split(), "-o", tmp_path / "plan.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {error}")
    assert list(tmp_path.iterdir()) == []


def test_a_list_of_kinds_in_short(run):
    given = "{topology: h-tree, levels: 1, accelerators: [{kind: a, count: 3, bandwidth: 1, accelerator: {rate: 1}}]}"
    ran = run("solve", "lenet-c", "--array", given)
    assert ran.code == 2
    assert "--array accelerators[0].accelerator.model: missing" in ran.err


def test_kinds_and_splits_are_shown(run):
    out = run("show", "mixed-three-kinds").out
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert "tpu-v3 2 420 TOPS 100 % 128 GB 2 GB/s" in rows
    assert "root 1 1 tpu-v2 x 1 and tpu-v3 x 1 tpu-v3 x 1 and tpu-v4 x 1 second" in rows


def test_arrays_of_kinds_are_listed_with_these(run):
    rows = {row["name"]: row for row in json.loads(run("list", "arrays", "--json").out)}
    assert rows["tpu-v2-v3-256"]["each"] == "tpu-v3 x 128 and tpu-v2 x 128"


def test_an_instance_with_shares_is_printed_as_one_file(run, tmp_path):
    path = tmp_path / "mine.yaml"
    assert run("instance", "mixed-alexnet", "--shares", "7/10,3/10", "--barrier", "layer", "-o", path).code == 0
    assert "shares: [0.7, 0.3], barrier: layer}" in path.read_text(encoding="utf-8")
    assert run("instance", path, "--json").code == 0
