"""hypar-opt import of models: what is printed and written, and that nothing is where something is wrong."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

from hypar_opt import load
from tests.importers.onnx_models import integers, model, weight

with_onnx = pytest.mark.skipif(find_spec("onnx") is None, reason="ONNX files are read by the package onnx")


@pytest.fixture
def product(tmp_path):
    nodes = [("MatMul", ("x", "w"), ["z"]), ("CumSum", ("z", "i"))]
    weights = [weight("w", 12, 7), integers("i", 1)]
    return model(tmp_path / "product.onnx", nodes, {"x": ["n", 5, 12]}, weights=weights)


@with_onnx
@pytest.mark.parametrize("name", ["made.yaml", "made.json"])
def test_a_model_is_written_as_an_instance(run, product, tmp_path, name):
    ran = run("import", "onnx", product, "--batch", "8", "-o", tmp_path / name)
    assert ran.code == 0
    assert ran.out.splitlines()[0].startswith("product: 2 layers, 2 operators; 84 parameters")
    assert ran.out.rstrip().endswith(f"written: {tmp_path / name}")
    assert ran.err.startswith("warning: CumSum of n1 is known by its sizes only, and computed whole")
    made = load(tmp_path / name)
    assert (made.name, made.batch, made.graph.parameters) == ("product", 8, 84)
    assert run("solve", tmp_path / name, "--quiet").code == 0


@with_onnx
def test_a_model_for_machines(run, product):
    found = json.loads(run("import", "onnx", product, "--dim", "n=8", "--json").out)
    assert found["totals"]["parameters"] == 84
    assert found["instance"]["batch"] == 8
    assert [layer["kind"] for layer in found["layers"]] == ["linear", "opaque"]
    assert len(found["warnings"]) == 1
    assert run("import", "onnx", product, "--batch", "8", "--quiet").out == ""


@with_onnx
def test_nothing_is_written_where_something_is_wrong(run, product, tmp_path):
    place = tmp_path / "made.yaml"
    for arguments, said in (
        ((), "expected sizes of n, which the file leaves open; say --dim n=8"),
        (("--batch", "8", "--strict"), "--strict: CumSum of n1 is like no layer"),
        (("--dim", "m=8"), "--dim: no dimension without a size is called 'm'; there are n"),
    ):
        ran = run("import", "onnx", product, *arguments, "-o", place)
        assert ran.code == 2
        assert said in ran.err.replace("\n", " ")
        assert not place.exists()


@pytest.mark.parametrize("sizes", ["n", "=8", "n=0", "n=x", "n=1_0"])
def test_sizes_are_names_with_integers(run, sizes):
    assert run("import", "hf", "gpt2", "--dim", sizes).code == 2


def test_names_that_instances_do_not_have(run, tmp_path):
    ran = run("import", "hf", "bert", "-o", tmp_path / "made.onnx")
    assert ran.code == 2
    assert "--output: expected a name that ends in .yaml or .json, got 'made.onnx'" in ran.err


def test_what_is_read_is_not_overwritten(run, tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "bert"}')
    ran = run("import", "hf", path, "-o", path)
    assert ran.code == 2
    assert path.read_text() == '{"model_type": "bert"}'
    ran = run("import", "hf", tmp_path, "-o", path)
    assert ran.code == 2
    assert path.read_text() == '{"model_type": "bert"}'


def test_options_of_others_are_refused(run):
    ran = run("import", "hf", "bert", "--strict")
    assert (ran.code, ran.err.strip()) == (2, "error: --strict: hf has no operators that could be unknown")
    ran = run("import", "jax", "models:f", "--dim", "n=8")
    assert (ran.code, ran.err.strip()) == (2, "error: --dim: jax has sizes for all dimensions")
