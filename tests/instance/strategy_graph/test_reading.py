"""What a file is, found out by what is in it: a network's instance or a strategy graph."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import hypar_opt
from hypar_opt.instance import Instance, load_instance
from hypar_opt.instance.formats import FORMATS, file_of
from hypar_opt.instance.read import load
from hypar_opt.instance.strategy_graph import StrategyGraph
from hypar_opt.util.errors import InputError
from tests.instance.strategy_graph.files import example, written

SMALL = Path(__file__).parents[1] / "small.yaml"
TEXT = json.dumps(example())
GRAPHS = {
    "JSON": TEXT,
    "spaced": "\n {\n" + TEXT[1:].replace(":", " : ", 1),
    "marked": "\ufeff" + TEXT,
    "gzip": gzip.compress(TEXT.encode()),
    "gzip of anything": gzip.compress(b"schema: 1"),
    "broken": '{"problem": {"nodes"',
    "another key first": '{"comment": 1, "problem": {}}',
}
OTHERS = {
    "YAML": "problem: {}",
    "deeper": '{"schema": 1, "network": {"problem": {}}}',
    "as text": '{"name": "problem", "schema": "\\"problem\\": 1"}',
    "broken": '{"schema": 1, "problem": ',
    "list": '["problem"]',
    "empty": "",
    "deep": "{" * 10**5,
}


def _is_strategy_graph(path: Path) -> bool:
    return FORMATS["iopddl"].recognises(file_of(path))


def _file(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("content", GRAPHS.values(), ids=GRAPHS.keys())
def test_a_strategy_graph_is_recognised_whatever_its_name(tmp_path, content):
    assert _is_strategy_graph(_file(tmp_path / "file.yaml", content))


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS.keys())
def test_all_else_is_none(tmp_path, content):
    assert not _is_strategy_graph(_file(tmp_path / "graph.json", content))


def test_what_cannot_be_read_is_none(tmp_path):
    assert not _is_strategy_graph(tmp_path)
    assert not _is_strategy_graph(tmp_path / "none")
    assert not _is_strategy_graph(Path("a\0b"))


def test_one_function_loads_both(tmp_path):
    graph = load(written(tmp_path / "mine.json", example()), batch=None, array=None)
    assert isinstance(graph, StrategyGraph)
    assert graph.name == "example"
    instance = load(SMALL, batch=8)
    assert isinstance(instance, Instance)
    assert (instance.batch, load("lenet-c").name) == (8, "lenet-c")
    assert hypar_opt.load is load


@pytest.mark.parametrize("name", ["batch", "accounting", "levels", "array", "placement", "objective", "input_error"])
def test_a_strategy_graph_has_nothing_to_replace(tmp_path, name):
    path = written(tmp_path / "mine.json", example())
    with pytest.raises(InputError) as caught:
        load(path, **{name: 0})
    assert str(caught.value) == (
        f"{path}: --{name.replace('_', '-')}: replaces a field of a network's instance; a strategy graph has none"
    )


def test_where_a_network_is_needed_the_error_says_what_takes_a_graph(tmp_path):
    path = written(tmp_path / "mine.json", example())
    with pytest.raises(InputError) as caught:
        load_instance(path)
    assert str(caught.value) == (
        f"{path}: is a strategy graph, expected an instance; only solve, compare, verify and import take it"
    )


def test_a_name_that_is_neither_is_told_the_nearest():
    with pytest.raises(InputError, match="; did you mean 'five-operators'"):
        load("five-operator")
