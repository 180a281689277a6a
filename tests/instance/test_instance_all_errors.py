"""All errors of a file at once: each with its place, in the order of the steps in which a file is looked at."""

from __future__ import annotations

import copyreg
import pickle
from unittest.mock import patch

import pytest

from hypar_opt import InputError, load
from hypar_opt.instance.build import AFTER_FIELDS, AFTER_PARTS
from hypar_opt.instance.formats import format as documents

HEAD = "schema: hypar-opt/instance/1\nname: all\nbatch: 4\n"
LAYERS = """\
network:
  input: [3, 32, 32]
  layers:
    - {name: conv1, conv: {filters: 32, kernel: 3}}
    - {name: pool1, pool: {kernel: 2}}
    - {name: fc1, linear: {features: 10}}
"""
ARRAY = "array: {topology: h-tree, levels: 3}\n"
PATH = "network.layers"
CASES = {
    "fields": (
        HEAD.replace("batch", "bach") + LAYERS.replace("kernel: 3", "kernel: 0") + ARRAY.replace("h-tree", "h-tre"),
        [(7, f"{PATH}[0].conv.kernel"), (1, "batch"), (10, "array.topology"), (3, "bach")],
        AFTER_FIELDS,
    ),
    "names": (
        HEAD + LAYERS.replace("pool1", "conv1").replace("10}}", "10}, inputs: [pool]}") + ARRAY,
        [(8, f"{PATH}[1]"), (9, f"{PATH}[2]")],
        AFTER_PARTS,
    ),
    "shapes and the array": (
        HEAD
        + LAYERS.replace("kernel: 3", "kernel: 99").replace("kernel: 2}", "kernel: 40}, inputs: [input]")
        + ARRAY.replace("h-tree", "torus").replace("3}", "3, dims: [2, 3]}"),
        [(10, "array.dims"), (7, f"{PATH}[0]"), (8, f"{PATH}[1]")],
        AFTER_PARTS,
    ),
    "strategies": (
        HEAD + LAYERS + ARRAY + "fix:\n  conv1: dd\n  fc2: ddd\n  pool1: ddd\n",
        [(12, "fix.conv1"), (13, "fix.fc2"), (14, "fix.pool1")],
        "",
    ),
}
"""By the step at which a file is wrong: its text, lines and fields of all errors, and what is not looked at."""


def refused(path, **overrides):
    with pytest.raises(InputError) as caught:
        load(path, **overrides)
    return caught.value


@pytest.fixture(params=CASES)
def case(request, tmp_path):
    text, places, later = CASES[request.param]
    path = tmp_path / "all.yaml"
    path.write_text(text, encoding="utf-8")
    return path, places, later


def test_all_errors_have_their_places(case):
    path, places, later = case
    error = refused(path)
    assert [(one.line, one.field) for one in (error, *error.others)] == places
    assert {one.file for one in (error, *error.others)} == {path}
    assert error.later == later
    assert error.message.startswith(error.alone)
    assert all(one.alone == one.message and not one.others for one in error.others)


def test_repairing_one_leaves_the_others(tmp_path):
    """Errors are of the file, not of each other: without the first line that is wrong all others are still found."""
    text, places, _ = CASES["strategies"]
    lines = text.splitlines(keepends=True)
    path = tmp_path / "all.yaml"
    path.write_text("".join(lines[: places[0][0] - 1] + lines[places[0][0] :]), encoding="utf-8")
    error = refused(path)
    assert [one.field for one in (error, *error.others)] == [field for _, field in places[1:]]


def test_a_large_text_is_read_anew_for_every_line(case, monkeypatch):
    path, places, _ = case
    monkeypatch.setattr(documents, "_SMALL", 0)
    error = refused(path)
    assert [one.line for one in (error, *error.others)] == [line for line, _ in places]


@pytest.mark.parametrize("with_causes", [False, True])
def test_errors_go_to_other_processes_with_all_others(case, with_causes):
    """Also where a library, as Dask has it, pickles with every error the ones from which it was raised."""
    path, places, later = case
    error = refused(path)
    with patch.dict(copyreg.dispatch_table):
        if with_causes:
            pytest.importorskip("tblib.pickling_support").install(error)
        there = pickle.loads(pickle.dumps(error))
    assert type(there) is type(error) and str(there) == str(error)
    assert [one.field for one in there.others] == [field for _, field in places[1:]]
    assert there.later == later
    assert not with_causes or type(there.__context__) is type(error.__context__)


ARRAY_FILE = "topology: torus\nlevels: 3\ndims: [2, 4]\nlink:\n  bandwidth: 5\n"


@pytest.mark.parametrize(
    ("change", "others", "line", "field", "count"),
    [
        (("bandwidth", "bandwith"), {}, 5, "link.bandwith", 1),
        (("bandwidth: 5", "bandwidth: x\nplacement: fre"), {}, 5, "link.bandwidth", 2),
        (("2, 4", "2, 3"), {}, 3, "dims", 1),
        (("5", "5"), {"objective": "time"}, 1, "accelerator", 1),
        (
            ("5", "5\naccelerator: {model: as-evaluated, rate: 1, memory: {capacity: 9}}"),
            {},
            6,
            "accelerator.memory.capacity",
            1,
        ),
    ],
)
def test_of_an_array_that_is_given_its_file_is_named(tmp_path, change, others, line, field, count):
    path = tmp_path / "array.yaml"
    path.write_text(ARRAY_FILE.replace(*change), encoding="utf-8")
    error = refused("sfc", array=path, **others)
    assert (error.file, error.line, error.field) == (path, line, field)
    assert len(error.others) == count - 1
    assert all(one.file == path and one.line == 6 for one in error.others)


def test_of_an_option_beside_the_array_the_option_is_named(tmp_path):
    path = tmp_path / "array.yaml"
    path.write_text(ARRAY_FILE, encoding="utf-8")
    error = refused("sfc", array=path, levels=4)
    assert (error.file, error.field) == (None, "--levels dims")


def test_of_a_graph_that_an_array_names_the_graph_is_named(tmp_path):
    path, graph = tmp_path / "array.yaml", tmp_path / "graph.json"
    path.write_text("topology: custom\nlevels: 1\ngraph: {file: graph.json}\n", encoding="utf-8")
    graph.write_text('{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "c"}]}')
    error = refused("sfc", array=path)
    assert (error.file, error.field) == (graph, "links[0].target")


def test_an_array_without_a_file_is_an_option():
    error = refused("sfc", array={"topology": "torus", "levels": 3, "dims": [2, 3]})
    assert (error.file, error.line, error.field) == (None, None, "--array dims")


def test_an_array_in_braces_is_what_a_file_would_say():
    ring = {"topology": "ring", "levels": 3}
    assert load("sfc", array="{topology: ring, levels: 3}").spec == load("sfc", array=ring).spec
    assert load("sfc", array=' {"topology": "ring", "levels": 3}').spec == load("sfc", array=ring).spec


@pytest.mark.parametrize(
    ("array", "said"),
    [
        ("{topology: rin, levels: 3}", r"^--array topology: expected .* did you mean 'ring'\?$"),
        ("{topology: ring, levles: 3}", r"^--array levles: unknown field 'levles'; did you mean 'levels'\?"),
        ("{topology: ring", r"^--array: not YAML: "),
        ("{topology: ring} x", r"^--array: not YAML: "),
    ],
)
def test_an_array_in_braces_is_checked(array, said):
    with pytest.raises(InputError, match=said):
        load("sfc", array=array)
