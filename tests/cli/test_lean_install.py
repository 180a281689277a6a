"""Commands where packages are missing: those that need none of them, and what the others say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hypar_opt.util.extras import EXTRAS

RUN = """
import contextlib, io, json, sys

modules, commands = json.loads(sys.argv[1])


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in modules:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)


sys.meta_path.insert(0, Missing())
from hypar_opt.cli.invoke import invoke

for command in commands:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = invoke(command.split())
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""
GRAPH = Path(__file__).parents[2] / "instances" / "strategy_graphs" / "five-operators.json"
LEAN = (
    "solve vgg-a -o vgg-a.json --certificate vgg-a.cert",
    "solve own.yaml --array hypar-16 -o own.json",
    "verify vgg-a vgg-a.json --certificate vgg-a.cert",
    "verify own.yaml own.json",
    "check-certificate vgg-a.cert",
    "compare own.yaml sfc -o tables",
    "compare-arrays own.yaml --levels 2 --time-limit 20 -o arrays",
    "pareto own.yaml --array hypar-row-stationary-16 -o front.json",
    "explore own.yaml --array hypar-16 --levels-free 1",
    "show torus-16",
    "show own.yaml --plan own.json",
    "export own.yaml -o graph.json",
    "export own.yaml own.json --to chakra -o traces",
    "audit hypar-hpca19 --only fig5-sfc",
    "list instances",
    "list formulations",
    "list strategy-graphs",
    "schema",
)
REFUSED = {
    "cluster": (
        "campaign one-level --count 2 --on dask",
        "compare own.yaml --on dask:2 -o tables",
        "compare-arrays own.yaml --on slurm",
        "serve state --on dask://localhost:8786",
    ),
    "graphs": ("solve five-operators", f"import iopddl {GRAPH}", "compare five-operators"),
    "jax": ("import jax models:small",),
    "onnx": ("import onnx model.onnx",),
    "torch": ("import torch models:small",),
    "report": (
        "report sfc -o pages",
        "show torus-16 -o torus.svg",
        "compare sfc --figures -o tables",
        "audit hypar-hpca19 --figures -o audit",
        "pareto own.yaml --array hypar-16 --plot front.svg",
        "explore own.yaml --array hypar-16 --levels-free 1 -o explored",
        "serve state",
    ),
    "parquet": ("campaign one-level --count 2 --store x.parquet", "campaign report ."),
    "simulate": ("simulate own.yaml own.json",),
    "web": ("serve state",),
}
"""What cannot be done without an extra."""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own.yaml").write_text(
        "schema: hypar-opt/instance/1\nname: own\nbatch: 64\n"
        "network: {input: [8], layers: [{name: fc1, linear: {features: 16}}, {name: fc2, linear: {features: 8}}]}\n"
        "array: {topology: h-tree, levels: 3}\n",
        encoding="utf-8",
    )
    return tmp_path


def run_without(modules, commands, folder):
    """Run commands, one after the other, in a process that does not find some packages."""
    asked = json.dumps([modules, commands])
    ran = subprocess.run(
        [sys.executable, "-c", RUN, asked], cwd=folder, capture_output=True, text=True, timeout=600, check=True
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.slow
def test_what_needs_no_extra_does_without_all_of_them(folder):
    modules = [module for extra in EXTRAS.values() for module in extra.modules]
    for command, (code, out, err) in zip(LEAN, run_without(modules, LEAN, folder), strict=True):
        assert (code, bool(out)) == (0, True), f"{command}: {err}"


@pytest.mark.slow
@pytest.mark.parametrize("extra", EXTRAS)
def test_what_needs_an_extra_says_at_once_how_to_install_it(extra, folder):
    module = EXTRAS[extra].modules[-1]
    said = f"error: {EXTRAS[extra].purpose} {module}, which is not installed: pip install 'hypar-opt[{extra}]'\n"
    for command, (code, out, err) in zip(REFUSED[extra], run_without([module], REFUSED[extra], folder), strict=True):
        assert (code, out, err) == (2, "", said), command
    assert {path.name for path in folder.iterdir()} == {"own.yaml"}


@pytest.mark.slow
def test_a_formulation_declines_whose_package_is_missing(folder):
    commands = ("solve sfc -f lagrangian", "compare sfc -f joint-dp,lagrangian --json")
    solved, compared = run_without(["numba"], commands, folder)
    said = "lagrangian declines: it needs numba, which is not installed: pip install 'hypar-opt[graphs]'"
    assert solved == [2, "", f"error: {said}\n"]
    rows = json.loads(compared[1])["rows"]
    assert compared[0] == 0
    assert {row["formulation"]: row["status"] for row in rows}["joint-dp"] == "OPTIMAL"
    assert said in compared[1]
