"""What pipelines of which something is wrong, or that are too much, are told: exit code 2, and nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

BAD = Path(__file__).parents[1] / "data" / "pipelines"
TOLD = {
    "circle": "operators need each other in a circle",
    "backward-nowhere": "nothing says where the backward operator 'b' comes",
    "seconds-negative": "expected a number of at least 0, got -1",
    "seconds-nan": ".nan is not a finite number",
    "no-device": "no device may have it",
    "stages-many": "expected at most 2 stages, one for each operator, got 3",
}


def wide(path, **fields):
    """Write a pipeline of 20 operators that need nothing of each other, a million down-sets and more."""
    operators = [{"name": f"o{i}", "seconds": 1 + i % 3, "memory": 1} for i in range(20)]
    devices = [{"kind": "gpu", "count": 2, **fields}]
    document = {"schema": "hypar-opt/pipeline/1", "name": "wide", "devices": devices, "operators": operators}
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("name", TOLD)
def test_bad_files(run, tmp_path, name):
    ran = run("solve", BAD / f"{name}.yaml", "-o", tmp_path / "plan.json")
    assert (ran.code, TOLD[name] in " ".join(ran.err.split())) == (2, True), ran.err
    assert not any(tmp_path.iterdir())


def test_more_down_sets_than_fit(run, tmp_path):
    file, output = wide(tmp_path / "wide.json"), tmp_path / "plan.json"
    ran = run("solve", file, "-f", "pipeline-dp", "--memory-limit", "0.001", "-o", output)
    assert ran.code == 2
    assert "down-sets, beyond the memory limit; try a higher --memory-limit, pipeline" in " ".join(ran.err.split())
    assert not output.exists()


def test_a_claim_that_nothing_fits_is_judged_by_who_has_room_for_it(run, tmp_path):
    file, output = wide(tmp_path / "wide.json", memory=9), tmp_path / "plan.json"
    solved = run("solve", file, "-f", "pipeline-cp-sat", "-o", output)
    assert "operators keep 20 bytes, and all devices together have 18" in solved.out
    ran = run("verify", file, output, "--memory-limit", "0.001")
    assert "pipeline-milp" in ran.out, (ran.out, ran.err)


def test_a_limit_writes_the_best_plan_so_far(run, tmp_path):
    file, output = wide(tmp_path / "wide.json"), tmp_path / "plan.json"
    run("solve", file, "-f", "pipeline-dp", "--time-limit", "0.000001", "-o", output)
    plan = json.loads(output.read_text())
    assert (plan["status"], len(plan["plan"])) == ("FEASIBLE", 20)
