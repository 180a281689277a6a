"""What many tests need: instances from documents, and small networks."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypar_opt.formulation import found, load_formulation
from hypar_opt.instance import read_instance
from hypar_opt.problem import Problem


def document(layers, shape, *, batch=8, levels=1, fix=None, objective=None, **cost):
    """Return an instance as its file would have it; `cost` holds accounting, choices, splits, ..."""
    whole = {
        "schema": "hypar-opt/instance/1",
        "name": "of-a-test",
        "batch": batch,
        "network": {"input": list(shape), "layers": list(layers)},
        "array": {"topology": "h-tree", "levels": levels},
        "cost": cost,
    }
    return whole | ({"fix": fix} if fix else {}) | ({"objective": objective} if objective else {})


def instance_of(whole, **overrides):
    """Read a document the way a file is read."""
    from hypar_opt.instance import Overrides

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "instance.json"
        path.write_text(json.dumps(whole), encoding="utf-8")
        return read_instance(path, Overrides(**overrides))


def problem_of(whole, **overrides):
    """Compile a document."""
    return Problem(instance_of(whole, **overrides))


def linear_chain(*features):
    """Return linear layers fc1, fc2, ... of so many features."""
    return [{"name": f"fc{i}", "linear": {"features": n}} for i, n in enumerate(features, start=1)]


def _is_exact(name):
    able = load_formulation(name).capabilities
    return able.exact and able.decides == "strategies" and not able.needs_tables


def exact_names():
    """Return the installed formulations that claim to find the best strategies."""
    return [name for name in found() if _is_exact(name)]
