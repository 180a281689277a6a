"""Names that the output's encoding cannot spell: every command says them all the same, and files are UTF-8."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest

from hypar_opt.cli.group import SUMMARIES
from hypar_opt.cli.invoke import invoke

COMMANDS = [
    "solve ☃.yaml -o план.json --certificate план.cert --log план.log",
    "solve ☃.yaml -q",
    "compare ☃.yaml -f hypar-dp,joint-dp -o ж --array hypar-16",
    "compare-arrays ☃.yaml --arrays h-tree-16,torus-16 -o ж -q",
    "verify ☃.yaml план.json",
    "count ☃.yaml план.json --in jax",
    "count-conversions ☃ -o ж.json",
    "diff план.json план.json ☃.yaml",
    "instance ☃.yaml",
    "check-certificate план.cert",
    "audit ☃.claims.yaml -o ж",
    "report ☃.yaml --array hypar-row-stationary-16 -f joint-dp -o отчёт",
    "campaign one-level --count 2 --no-shrink --workers 1 -o ж --store ж.sqlite",
    "campaign report ж.sqlite -o ж",
    "pareto ☃.yaml --array hypar-16 -o фронт.json",
    "solve ☃.yaml --array hypar-16 -o время.json",
    "show ☃.yaml --plan время.json",
    "explore ☃.yaml --array hypar-16 --levels-free 1 -o ж",
    "simulate ☃.yaml время.json",
    "replay ☃.csv ☃.yaml --threshold 0 --interval 1",
    "task-graph plan ☃.yaml время.json -o задачи.yaml",
    "task-graph cg --variant pcg -o ж.yaml",
    "export ☃.yaml -o граф.json",
    "solve ☃.pipeline.yaml -o труба.json",
    "schedule ☃.pipeline.yaml труба.json --microbatches 2",
    "import iopddl граф.json",
    "list instances",
    "schema",
    "completion bash",
    "help list",
    "serve --port ☃",
    "solve нет-☃.yaml",
    "нет",
]
"""A line each; every name in them stands in a file or is one."""
INSTANCE = """\
schema: hypar-opt/instance/1
name: "naïve ☃ 模型"
batch: 16
network: {input: [16], layers: [{name: "лайер", linear: {features: 16}}, {name: "b😀", linear: {features: 16}}]}
array: {topology: h-tree, levels: 4}
"""
CLAIMS = """\
schema: hypar-opt/claims/1
title: "утверждения ☃"
source: "☃"
claims: []
"""
PIPELINE = """\
schema: hypar-opt/pipeline/1
name: "труба ☃"
devices: [{kind: "устройство ☃", count: 2}]
operators:
  - {name: "слой ☃", seconds: 1, backward: 2}
  - {name: "b😀", seconds: 1, backward: 2, reads: ["слой ☃"]}
"""
SCRIPT = """
import sys
from hypar_opt.cli.invoke import invoke
for number, line in enumerate(sys.argv[1:]):
    print(f"= {number}: {invoke(line.split())}", flush=True)
    print(f"= {number}", file=sys.stderr, flush=True)
"""


@pytest.mark.slow
def test_every_command_says_every_name(tmp_path):
    (tmp_path / "☃.yaml").write_text(INSTANCE, encoding="utf-8")
    (tmp_path / "☃.claims.yaml").write_text(CLAIMS, encoding="utf-8")
    (tmp_path / "☃.pipeline.yaml").write_text(PIPELINE, encoding="utf-8")
    assert {line.split()[0] for line in COMMANDS} >= set(SUMMARIES)
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, *COMMANDS],
        cwd=tmp_path, env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0"}, capture_output=True, check=False,
    )  # fmt: skip
    said = ended.stdout.decode() + ended.stderr.decode()
    assert ended.returncode == 0
    codes = {int(number): int(code) for number, code in _marked(ended.stdout.decode())}
    refused = ("audit ", "count-conversions ", "replay ", "serve ", "solve нет", "нет")
    for number, line in enumerate(COMMANDS):
        assert codes[number] == (2 if line.startswith(refused) else 0), line
    assert "Traceback" not in said
    assert "naïve ☃ 模型: OPTIMAL" in said
    for file in (path for path in tmp_path.rglob("*") if path.is_file() and path.suffix in TEXTS):
        text = file.read_text(encoding="utf-8")
        assert r"\u2603" not in text or file.suffix not in TABLES, f"{file} has names as escapes"


TEXTS = (".md", ".csv", ".tex", ".json", ".html", ".log")
"""How the names of written texts end."""
TABLES = (".md", ".csv", ".tex")
"""Of those, which say names as they are: JSON may spell them with escapes."""


def _marked(text):
    return [line[2:].split(": ") for line in text.splitlines() if line.startswith("= ")]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [("ascii", "naïve ☃".encode()), ("latin-1", b"na\xefve \\u2603"), ("utf-8", "naïve ☃".encode())],
)
def test_a_stream_takes_every_name(encoding, said, monkeypatch):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, TextIOWrapper(BytesIO(), encoding=encoding, errors="strict"))
    assert invoke(["naïve ☃"]) == 2
    sys.stderr.flush()
    assert said in sys.stderr.buffer.getvalue()
