"""Strategy graphs as files: the worked example of the contest's evaluator, and the public instances where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[4] / "shared" / "iopddl"


def example(**changes):
    """Return the five nodes of the evaluator's tests (google/iopddl, iopddl_test.cc), fields of `problem` replaced."""
    problem = {
        "name": "example",
        "nodes": {
            "intervals": [[30, 70], [40, 70], [50, 120], [110, 140], [110, 150]],
            "costs": [[15], [55, 65], [25, 45, 35], [85, 75], [95]],
            "usages": [[10], [25, 25], [15, 20, 15], [10, 10], [15]],
        },
        "edges": {
            "nodes": [[0, 1], [0, 2], [1, 3], [2, 4], [3, 4]],
            "costs": [[30, 40], [50, 10, 40], [90, 10, 20, 80], [60, 20, 30], [70, 60]],
        },
        "usage_limit": 50,
    }
    return {"problem": problem | changes}


def written(path: Path, document) -> Path:
    path.write_text(json.dumps(document))
    return path


def shared(name: str) -> Path:
    """Return the file of a public instance; where there is none the test is skipped, or fails if it must not be."""
    path = SHARED / f"asplos-2025-iopddl-{name}.json.gz"
    if not path.exists():
        reason = f"needs {path.name} of github.com/google/iopddl in {SHARED}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path
