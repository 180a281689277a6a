"""Time that solve tells counts from the command's start, as its limit does."""

from __future__ import annotations

import json
import time

import pytest

from hypar_opt.costgraph.presolve import presolve
from hypar_opt.solver import reduced_task


def test_a_log_counts_from_the_commands_start(run, tmp_path):
    used = time.process_time()
    ran = run("solve", "five-operators", "-f", "cp-sat", "--log", tmp_path / "log", "--json-lines")
    assert ran.code == 0
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert lines[0]["text"] == "presolve"
    assert all(line["time_s"] >= used for line in lines)
    shown = [json.loads(line) for line in ran.out.splitlines()[:-1]]
    assert [line["time_s"] for line in shown] == [line["time_s"] for line in lines]


@pytest.mark.parametrize("limit", ["1e-9", "1000"])
def test_the_limit_of_the_command_ends_presolve(run, tmp_path, monkeypatch, limit):
    said = []

    def presolved(tables, over, begun):
        said.append(over())
        return presolve(tables, over=over, begun=begun)

    monkeypatch.setattr(reduced_task, "presolve", presolved)
    ran = run("solve", "five-operators", "--time-limit", limit, "--json", "-o", tmp_path / "plan.json")
    assert said == [limit == "1e-9"]
    assert ran.code == (3 if said[0] else 0)
    assert (tmp_path / "plan.json").exists() is not said[0]
