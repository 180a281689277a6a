"""Partial sums by schedules, as commands print them."""

from __future__ import annotations

import json

from scheduled_networks import ARRAYS, scheduled

ARRAY = {**ARRAYS[2], "accelerator": {"model": "as-evaluated", "rate": 50, "memory": {"bandwidth": 100}}}


def test_show_says_by_which_algorithm(run, tmp_path):
    instance = scheduled(ARRAY, {"algorithm": "multitree"})
    (tmp_path / "one.yaml").write_text(instance.to_yaml(), encoding="utf-8")
    run("solve", tmp_path / "one.yaml", "-q", "-o", tmp_path / "plan.json")
    said = run("show", tmp_path / "one.yaml", "--plan", tmp_path / "plan.json").out
    assert "partial sums of" in said
    assert "for partial sums by schedules; links by level for the rest, boundaries:" in said
    sums = json.loads(run("show", tmp_path / "one.yaml", "--plan", tmp_path / "plan.json", "--json").out)["sums"]
    assert {one["algorithm"] for one in sums} == {"multitree"}
    assert (
        "every schedule of partial sums send by send"
        in run("verify", tmp_path / "one.yaml", tmp_path / "plan.json").out
    )
