"""Loops say nothing of slices: an assignment to one alone takes seconds to compile, which a new machine waits for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LOOPS = (
    "formulations/lagrangian/passing.py",
    "formulations/neighbourhood_search/descent.py",
    "formulations/neighbourhood_search/trees.py",
)


def to_slices(text):
    """Return the lines of assignments to slices in compiled functions."""
    compiled = [
        one
        for one in ast.parse(text).body
        if isinstance(one, ast.FunctionDef) and any("njit" in ast.unparse(by) for by in one.decorator_list)
    ]
    assert compiled
    found = []
    for node in (node for one in compiled for node in ast.walk(one)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(part, ast.Slice) for target in targets if target for part in ast.walk(target)):
            found.append(node.lineno)
    return found


@pytest.mark.parametrize("name", LOOPS)
def test_nothing_is_assigned_to_slices(name):
    assert to_slices((ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("line", ["own[:2] = 0", "own[1:] += own[1:]"])
def test_an_assignment_to_a_slice_is_found(line):
    assert to_slices(f"@njit(cache=True)\ndef f(own):\n    {line}\n") == [3]
