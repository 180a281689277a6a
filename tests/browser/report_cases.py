"""A small report, made once for all tests that look at it, and one of names that want to be more than names."""

from __future__ import annotations

import json
from pathlib import Path

from hypar_opt.cli.invoke import invoke

ARRAY = ("--array", "hypar-row-stationary-16", "--accounting", "as-evaluated")
CLAIMS = """
schema: hypar-opt/claims/1
title: A test's claims
source: nobody
claims:
  - id: true-of-sfc
    source: Figure 5
    text: HyPar's plan for SFC
    instance: sfc
    overrides: {accounting: as-evaluated}
    plan: {formulation: hypar-dp, strategies: {fc1: mmdm, fc2: mmmm, fc3: mmmm, fc4: mmmm}, others: dddd}
  - id: false-of-sfc
    source: Figure 5
    text: a plan that it is not
    instance: sfc
    overrides: {accounting: as-evaluated}
    finding: "made up for this test"
    plan: {formulation: hypar-dp, strategies: {fc1: dddd, fc2: mmmm, fc3: mmmm, fc4: mmmm}, others: dddd}
"""
HOSTILE = (
    "</script><script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "{{ 7 * 7 }}{% raw %}",
    "javascript:document.title='taken'",
)
"""Names of an instance's layers; the first is the instance's too."""


def small_report(folder: Path) -> Path:
    """Write a report of two instances and two claims; return its folder."""
    claims = folder / "claims.yaml"
    claims.write_text(CLAIMS, encoding="utf-8")
    words = ("report", "lenet-c", "sfc", *ARRAY, "-f", "hypar-dp,joint-dp,brute-force,data-parallel")
    assert invoke([*words, "--claims", str(claims), "-o", str(folder / "report"), "-q"]) == 0
    return folder / "report"


def hostile_report(folder: Path) -> Path:
    """Write a report of an instance whose names are markup, expressions and addresses; return its folder."""
    layers = [{"name": name, "linear": {"features": 64}} for name in HOSTILE]
    instance = {
        "schema": "hypar-opt/instance/1",
        "name": HOSTILE[0],
        "batch": 64,
        "network": {"input": [64], "layers": layers},
        "array": {"topology": "h-tree", "levels": 2},
        "cost": {"accounting": "published", "choices": ["dp", "mp"], "bytes_per_element": 4, "splits": "any"},
    }
    path = folder / "hostile.json"
    path.write_text(json.dumps(instance), encoding="utf-8")
    words = ("report", str(path), "--array", "hypar-row-stationary-16", "-f", "hypar-dp,joint-dp,data-parallel")
    assert invoke([*words, "--title", HOSTILE[1], "-o", str(folder / "report"), "-q"]) == 0
    return folder / "report"
