"""A file of another kind than is needed: the message says what it is and what takes it, wherever it is given."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
import yaml

from hypar_opt.instance.file_kinds import KINDS, WrongKind, kind_of
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.read import load, load_array
from hypar_opt.instance.shipped import shipped_folder
from hypar_opt.solver.front import ParetoFront
from hypar_opt.solver.plan_reader import read_plan, read_start
from hypar_opt.studies.claims import read_claims
from hypar_opt.util.errors import InputError
from hypar_opt.verification.certificate.header import check_file

HASH = "0" * 64
FILES = {
    "instance": {"schema": "hypar-opt/instance/1", "name": "it"},
    "plan": {"schema": "hypar-opt/plan/1", "instance": "vgg-e", "instance_sha256": HASH},
    "front": {"schema": "hypar-opt/front/1", "instance": "vgg-e", "points": [{}, {}]},
    "claims": {"schema": "hypar-opt/claims/2"},
    "certificate": {"schema": "hypar-opt/certificate/1"},
    "exploration": {"schema": "hypar-opt/exploration/1"},
    "report": {"schema": "hypar-opt/report/1"},
    "sends": {"schema": "hypar-opt/sends/1", "name": "it"},
    "array": {"topology": "h-tree"},
    "network": {"input": [3], "layers": []},
    "custom graph": {"nodes": [], "edges": []},
}
SAID = {
    "instance": "is an instance",
    "plan": "is a plan of 'vgg-e'",
    "front": "is a front of 2 points",
    "claims": "is a file of claims",
    "certificate": "is a certificate",
    "exploration": "is an exploration",
    "report": "is the list of files of a report",
    "sends": "is a list of sends",
    "array": "is an array",
    "network": "is a network",
    "custom graph": "is a custom graph",
}
READERS = {
    "instance": load,
    "plan": read_plan,
    "start": read_start,
    "front": ParetoFront.load,
    "claims": read_claims,
    "certificate": check_file,
    "array": load_array,
}
NEEDED = {"start": "plan"}


@pytest.mark.parametrize("needed", READERS)
def test_every_reader_says_what_the_file_is_and_what_takes_it(needed, tmp_path):
    expected = KINDS[NEEDED.get(needed, needed)]
    for name, data in FILES.items():
        path = tmp_path / f"{name} 1.yaml"
        path.write_text(yaml.safe_dump(data), encoding="utf-8")
        with pytest.raises(InputError) as error:
            READERS[needed](path)
        wrong = isinstance(error.value, WrongKind)
        assert wrong == (name != expected.name), f"{name}: {error.value}"
        if wrong:
            start = f"{path}: {'schema: ' if 'schema' in data else ''}{SAID[name]}, expected {expected.words}; "
            assert str(error.value).startswith(start)
            taken = str(error.value).removeprefix(start)
            assert taken.count(f"'{name} 1.yaml'") == ("{file}" in KINDS[name].taken)
            assert "{" not in taken.replace("{file: '", "") and str(tmp_path) not in taken


def test_a_part_of_another_kind_is_blamed_where_it_is_named(tmp_path):
    (tmp_path / "a.yaml").write_text(yaml.safe_dump(FILES["array"]), encoding="utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text("schema: hypar-opt/instance/1\nname: it\nnetwork: {file: a.yaml}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value) == (
        f"{path}:3: network.file: {tmp_path}/a.yaml: is an array, expected a network; "
        "hypar-opt solve INSTANCE --array a.yaml takes it"
    )


def test_what_says_no_kind_is_read_as_what_was_asked_for():
    for data in ({}, {"schema": 3}, {"schema": "hypar-opt/planet/1"}, {"schema": "other", "topology": "ring"}):
        assert kind_of(data) is None


def test_every_schema_of_ours_is_of_a_kind():
    source = Path(load.__code__.co_filename).parents[1]
    found = {one for path in source.rglob("*.py") for one in re.findall(r'"(hypar-opt/[a-z-]+/)\d"', path.read_text())}
    database = "hypar-opt/campaign/"  # of which no text is made
    assert found - {database} == {one.schema for one in KINDS.values() if one.schema}


def test_every_shipped_file_is_of_its_kind():
    folders = {"networks": "network", "arrays": "array", "claims": "claims", "hypar": "instance"}
    for folder, kind in folders.items():
        for path in (shipped_folder() / folder).glob("*.yaml"):
            assert kind_of(read_document(path).data) is KINDS[kind]


def test_the_error_goes_between_processes(tmp_path):
    (tmp_path / "plan.json").write_text('{"schema": "hypar-opt/plan/1"}', encoding="utf-8")
    with pytest.raises(WrongKind) as error:
        load(tmp_path / "plan.json")
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
