"""Plan files for tests: what joint-dp and data parallelism find for small instances, written as files."""

from __future__ import annotations

import json

from hypar_opt import load, solve
from hypar_opt.solver.plan import write_plan


def plan_file(folder, name="lenet-c", formulation="hypar-dp", file=None, **overrides):
    """Write a plan file; return its path."""
    path = folder / (file or f"{formulation}.json")
    write_plan(solve(load(name, **overrides), formulation), path)
    return path


def changed(path, **fields):
    """Change fields of a plan file."""
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))
    return path
