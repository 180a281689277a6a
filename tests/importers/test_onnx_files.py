"""ONNX files that are odd, wrong, or made to do harm: refused in bounded time, with the file and what was expected."""

from __future__ import annotations

import random
from contextlib import suppress
from importlib.util import find_spec

import pytest

from hypar_opt.importers.wishes import Wishes
from hypar_opt.util.errors import InputError
from tests.helpers import each
from tests.importers.onnx_models import integers, model, weight

pytestmark = pytest.mark.skipif(find_spec("onnx") is None, reason="ONNX files are read by the package onnx")
WORDS = {"x": [8, 5, 12]}


def reads(path, **wishes):
    from hypar_opt.importers.sources import SOURCES

    return SOURCES["onnx"].read(str(path), Wishes(**wishes))


def test_what_is_not_known_is_computed_whole_and_named(onnx_of):
    nodes = [("CumSum", ("x", "i"), ["z"]), ("Relu", ("z",))]
    made = onnx_of(nodes, WORDS, weights=[integers("i", 1)])
    assert made.warnings == ("CumSum of n0 is known by its sizes only, and computed whole: it is not known",)
    first = made.instance.spec.network.layers[0]
    assert (first.opaque.shape, first.opaque.operator) == ({"sequence": 5, "features": 12}, "CumSum")
    with pytest.raises(InputError, match=r"--strict: CumSum of n0 is like no layer: it is not known"):
        onnx_of(nodes, WORDS, weights=[integers("i", 1)], wishes=Wishes(is_strict=True))


def test_parameters_of_what_is_not_known_are_counted(onnx_of):
    nodes = [("Odd", ("x", "w"), ["z"], {"domain": "other"}), ("Relu", ("z",))]
    made = onnx_of(nodes, WORDS, weights=[weight("w", 3, 4)], known={"z": [8, 5, 2]})
    assert made.instance.graph.parameters == 12


def test_a_file_that_is_newer_than_the_package_is_said_to_be(onnx_of):
    with pytest.raises(
        InputError, match=r"'z', which other.Odd of n0 writes, .*; the file is of opset 99, and onnx \S+ knows"
    ):
        onnx_of([("Odd", ("x",), ["z"], {"domain": "other"}), ("Relu", ("z",))], WORDS, opset=99)


def test_open_dimensions_are_asked_for_by_name(tmp_path):
    path = model(tmp_path / "m.onnx", [("Relu", ("x",))], {"x": ["batch", "seq", 12]})
    with pytest.raises(InputError, match=r"m.onnx: expected sizes of batch, seq, .* say --dim batch=8 --dim seq=8"):
        reads(path)
    with pytest.raises(InputError, match=r"--dim: no dimension .* is called 'sec'; did you mean 'seq'"):
        reads(path, sizes={"sec": 5}, batch=8)
    made = reads(path, sizes={"seq": 5}, batch=16).instance
    assert (made.batch, made.spec.network.inputs) == (16, {"x": {"sequence": 5, "features": 12}})


def test_the_batch_is_replaced_where_the_file_has_one(onnx_of):
    assert onnx_of([("Relu", ("x",))], WORDS, wishes=Wishes(batch=256)).instance.batch == 256


def changed(path, change):
    import onnx

    proto = onnx.load(path, load_external_data=False)
    change(proto)
    path.write_bytes(proto.SerializeToString())
    return path


@pytest.fixture
def product(tmp_path):
    return model(tmp_path / "m.onnx", [("MatMul", ("x", "w"))], WORDS, weights=[weight("w", 12, 2000)])


def test_weights_in_other_files_are_never_opened(product):
    from onnx import TensorProto

    def outside(proto):
        one = proto.graph.initializer[0]
        one.ClearField("raw_data")
        one.data_location = TensorProto.EXTERNAL
        one.external_data.add(key="location", value="/etc/passwd")

    assert reads(changed(product, outside)).instance.graph.parameters == 24_000


def test_constants_in_other_files_are_never_opened(tmp_path, monkeypatch):
    from onnx import TensorProto, external_data_helper

    def opened(*_):
        raise AssertionError("another file was opened")

    monkeypatch.setattr(external_data_helper, "load_external_data_for_tensor", opened)

    def outside(proto):
        for tensor in (proto.graph.node[0].attribute[0].t, proto.graph.node[1].attribute[0].t):
            for field in ("raw_data", "int64_data"):
                tensor.ClearField(field)
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value="numbers.bin")

    nodes = [
        ("Constant", (), ["s"], {"value": integers("s", 8, 5, 12)}),
        ("ConstantOfShape", ("k",), ["c"], {"value": integers("v", 0)}),
        ("Add", ("s", "c"), ["t"]),
        ("Reshape", ("x", "t")),
    ]
    path = model(tmp_path / "m.onnx", nodes, {"x": [8, 60]}, weights=[integers("k", 3)])
    with pytest.raises(InputError, match=r"m.onnx: "):
        reads(changed(path, outside))


def test_a_weight_may_be_declared_that_is_not_there(product):
    def large(proto):
        proto.graph.initializer[0].ClearField("raw_data")
        proto.graph.initializer[0].dims[1] = 2**27

    assert reads(changed(product, large)).instance.graph.parameters == 12 * 2**27


BAD = {
    "at most 2.40 numbers": lambda proto: proto.graph.initializer[0].dims.append(2**39),
    "expected sizes of 'w'": lambda proto: proto.graph.initializer[0].dims.append(-1),
    "do not fit together": lambda proto: proto.graph.input[0].type.tensor_type.shape.dim[2].__setattr__("dim_value", 7),
    "no version of its operators": lambda proto: proto.ClearField("opset_import"),
    "has no nodes": lambda proto: proto.graph.ClearField("node"),
    "before it is written": lambda proto: proto.graph.node.add(op_type="Relu", input=["z"], output=["z"]),
    "is written twice": lambda proto: proto.graph.node.add(op_type="Relu", input=["x"], output=["y"]),
    "expected at most 100,000 nodes": lambda proto: [proto.graph.node.add(op_type="Relu") for _ in range(100_000)],
}


@pytest.mark.parametrize("said", BAD)
def test_bad_files_are_refused(product, said):
    with pytest.raises(InputError, match=said) as error:
        reads(changed(product, BAD[said]))
    assert error.value.file == product


@pytest.mark.parametrize("text", [b"", b"\x00" * 1000, b"schema: hypar-opt/instance/1\n", b"\x3a\x80\x80\x80\x80\x0f"])
def test_what_is_no_onnx_file_is_refused(tmp_path, text):
    path = tmp_path / "m.onnx"
    path.write_bytes(text)
    with pytest.raises(InputError, match="is no ONNX model"):
        reads(path)


@each("seed", range(400), quick=60)
def test_bytes_that_are_changed_are_read_or_refused(seed, tmp_path):
    nodes = [
        ("Reshape", ("x", "r"), ["a"]),
        ("Transpose", ("a",), ["b"], {"perm": [0, 2, 1, 3]}),
        ("Shape", ("b",), ["s"]),
        ("Split", ("x",), ["c", "d"], {"axis": 2, "num_outputs": 2}),
        ("Concat", ("c", "d"), ["e"], {"axis": 2}),
        ("MatMul", ("e", "w")),
    ]
    path = model(tmp_path / "m.onnx", nodes, WORDS, weights=[integers("r", 8, 5, 3, 4), weight("w", 12, 3)])
    draw, text = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(text))
        text[place : place + draw.randint(1, 3)] = draw.randbytes(draw.randint(0, 3))
    path.write_bytes(text)
    with suppress(InputError):
        assert reads(path).instance.graph.operators


def functions(path, depth, *, cyclic=False):
    """Write a model whose functions call each other twice, so many deep."""
    from onnx import helper

    def change(proto):
        for number in range(depth):
            called = f"f{number + 1}" if number + 1 < depth else ("f0" if cyclic else "Relu")
            domain = "other" if called != "Relu" else ""
            calls = [helper.make_node(called, ["a"], ["b"], domain=domain),
                     helper.make_node(called, ["b"], ["c"], domain=domain)]  # fmt: skip
            made = helper.make_function("other", f"f{number}", ["a"], ["c"], calls, proto.opset_import)
            proto.functions.append(made)
        proto.graph.node[0].CopyFrom(helper.make_node("f0", ["x"], ["y"], domain="other"))

    return changed(path, change)


def test_functions_are_written_out(product):
    assert len(reads(functions(product, 3)).instance.graph.operators) == 8


def test_functions_of_functions_are_counted_before_they_are_written_out(product):
    with pytest.raises(InputError, match="at most 100,000 nodes"):
        reads(functions(product, 40))


def test_functions_that_call_themselves_are_refused(product):
    with pytest.raises(InputError, match="calls itself"):
        reads(functions(product, 3, cyclic=True))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        reads(tmp_path / "none.onnx")


def test_shapes_that_the_file_computes_are_worked_out(onnx_of):
    nodes = [
        ("Shape", ("x",), ["s"]),
        ("Gather", ("s", "i"), ["b"]),
        ("Concat", ("b", "j"), ["t"], {"axis": 0}),
        ("ConstantOfShape", ("k",), ["z"], {"value": integers("v", 0)}),
        ("Equal", ("t", "z"), ["e"]),
        ("Where", ("e", "z", "t"), ["u"]),
        ("Expand", ("x", "u"), ["w"]),
        ("Relu", ("w",)),
    ]
    weights = [integers("i", 0), integers("j", 5, 12), integers("k", 3)]
    made = onnx_of(nodes, {"x": [8, 1, 12]}, weights=weights)
    (layer,) = made.instance.spec.network.layers
    assert (layer.kind, made.warnings) == ("activation", ())  # what is spread alike is not written out for it
