"""A file given where another is needed, as a user does it: what it is, what takes it, exit code 2."""

from __future__ import annotations

import pytest

from hypar_opt.instance.shipped import shipped_arrays, shipped_graphs


@pytest.fixture
def files(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("solve", "sfc", "-o", "plan.json", "--certificate", "plan.cert", "-q").code == 0
    for name, path in (("array.yaml", shipped_arrays()["ring-16"]), ("graph.json", shipped_graphs()["lenet-c-h2"])):
        (tmp_path / name).write_bytes(path.read_bytes())
    return tmp_path


CALLS = {
    "solve plan.json": "plan.json: schema: is a plan of 'sfc', expected an instance; "
    "hypar-opt verify INSTANCE plan.json takes it",
    "verify array.yaml plan.json": "array.yaml: is an array, expected an instance; "
    "hypar-opt solve INSTANCE --array array.yaml takes it",
    "verify sfc array.yaml": "array.yaml: is an array, expected a plan; "
    "hypar-opt solve INSTANCE --array array.yaml takes it",
    "solve sfc --array plan.json": "plan.json: schema: is a plan of 'sfc', expected an array; "
    "hypar-opt verify INSTANCE plan.json takes it",
    "solve plan.cert": "plan.cert: is a certificate, expected YAML or JSON; "
    "hypar-opt check-certificate plan.cert takes it",
    "check-certificate plan.json": "plan.json: schema: is a plan of 'sfc', expected a certificate; "
    "hypar-opt verify INSTANCE plan.json takes it",
    "check-certificate graph.json": "graph.json: is a strategy graph, expected a certificate; "
    "only solve, compare, verify and import take it",
    "audit plan.json": "plan.json: schema: is a plan of 'sfc', expected a file of claims; "
    "hypar-opt verify INSTANCE plan.json takes it",
}


def test_files_of_other_kinds(run, files):
    for words, message in CALLS.items():
        ran = run(*words.split())
        assert (ran.code, ran.out, ran.err) == (2, "", f"error: {message}\n"), words


def test_what_is_no_file_of_ours_or_damaged_is_no_certificate(run, files):
    whole = (files / "plan.cert").read_bytes()
    (files / "damaged.cert").write_bytes(whole[:200] + b"\0" * 50 + whole[250:])
    (files / "text").write_text("hello", encoding="utf-8")
    for name in ("damaged.cert", "text"):
        ran = run("check-certificate", name)
        assert ran.code == 2 and ran.err.startswith(f"error: {name}: not a certificate, or damaged: ")
