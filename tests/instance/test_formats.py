"""Formats of instance files: who is asked first, what is offered, and what a page says of them."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from hypar_opt.cli.group import cli
from hypar_opt.importers.sources import SOURCES
from hypar_opt.instance import load, load_instance
from hypar_opt.instance.formats import EXPECTED, FORMATS, TEXTS, file_of, format_of, read_document
from hypar_opt.instance.shipped import shipped_graphs, shipped_instances
from hypar_opt.util.errors import InputError

SMALL = Path(__file__).parent / "small.yaml"
INSTANCES = Path(__file__).parents[2] / "docs" / "instances.md"


def test_the_last_one_takes_any_text(tmp_path):
    assert list(FORMATS) == ["iopddl", "JSON", "YAML"]
    for name, text in {"a.json": "x", "a.yaml": "{", "a": "x", "b": ""}.items():
        (tmp_path / name).write_text(text)
        assert list(FORMATS.values())[-1].recognises(file_of(tmp_path / name))


def test_shipped_files_are_recognised():
    assert {format_of(file_of(path)).name for path in shipped_instances().values()} == {"YAML"}
    assert {format_of(file_of(path)).name for path in shipped_graphs().values()} == {"iopddl"}


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.json", '{"a": 1}', "JSON"), ("a.JSON", "a: 1", "JSON"), ("a.yaml", ' \n{"a": 1}', "JSON"),
        ("a.yaml", "a: 1", "YAML"), ("a.yaml", '{"problem": 1}', "iopddl"), ("a", "\ufeff{}", "JSON"),
    ],
)  # fmt: skip
def test_the_first_that_recognises_a_file_reads_it(tmp_path, name, text, found):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert format_of(file_of(tmp_path / name)).name == found


def test_a_mapping_in_braces_can_be_yaml(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("{a: 1, b: [x]}")
    assert read_document(path).data == {"a": 1, "b": ["x"]}
    with pytest.raises(InputError, match="not JSON: Expecting property name"):
        read_document(path.rename(tmp_path / "a.json"))


def test_a_pipe_is_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)

    thread = threading.Thread(target=path.write_text, args=(SMALL.read_text(),), daemon=True)
    thread.start()
    assert load(path).sha256 == load(SMALL).sha256
    thread.join(60)


def test_texts_are_what_messages_help_and_pages_say():
    kinds = next(one for one in cli.get_command(None, "import").params if one.name == "kind")
    graphs = [one for one in kinds.type.choices if one not in (*SOURCES, "pipeline")]
    assert [*graphs, *(one.name for one in reversed(TEXTS))] == list(FORMATS)
    assert EXPECTED == "YAML or JSON"
    assert INSTANCES.read_text().splitlines()[2].startswith(f"{EXPECTED}, one schema for both.")


def test_an_instance_is_asked_for():
    with pytest.raises(
        InputError, match="is a strategy graph, expected an instance; only solve, compare, verify and import take it"
    ):
        load_instance(shipped_graphs()["five-operators"])
    with pytest.raises(InputError, match="neither a file nor the name of a shipped instance"):
        load_instance("five-operators")
    with pytest.raises(TypeError, match="acounting"):
        load(shipped_graphs()["five-operators"], acounting="published")
