"""hypar-opt list, schema, --help and --version."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from hypar_opt.cli.group import SUMMARIES
from hypar_opt.formulation.registry import found, load_formulation
from hypar_opt.instance import shipped_names
from hypar_opt.instance.hardware import TOPOLOGIES
from hypar_opt.instance.shipped import shipped_operators


def listed(run, kind):
    return json.loads(run("list", kind, "--json").out)


def test_instances_are_listed_with_their_sizes(run):
    rows = {row["name"]: row for row in listed(run, "instances")}
    assert tuple(rows) == (*shipped_names(), *shipped_operators())
    # 784 x 8192 + 2 x 8192 x 8192 + 8192 x 10
    assert (rows["sfc"]["layers"], rows["sfc"]["graph"], rows["sfc"]["weights"]) == (4, "chain", 140_722_176)
    assert rows["resnet-18"]["graph"] == "with joins"
    named = {name: row["folder"] for name, row in rows.items() if "resnet" in name and "50" in name}
    assert named == {
        "accpar-resnet-50": "accpar",
        "mixed-resnet-50": "mixed",
        "resnet-50": "more",
        "resnet50": "operators",
    }


def test_formulations_are_listed_with_what_they_prove(run):
    rows = {row["name"]: row for row in listed(run, "formulations")}
    assert list(rows) == list(found())
    for name, row in rows.items():
        assert (row["proves"] == "optimality") is load_formulation(name).capabilities.exact
    assert rows["hypar-dp"]["takes"] == "chains"


def test_topologies_are_listed_with_what_they_take_and_their_routes(run):
    rows = {row["name"]: row for row in listed(run, "topologies")}
    assert list(rows) == list(TOPOLOGIES)
    assert (rows["torus"]["parameters"], rows["torus"]["routes"]) == ("dims", "dimension-order")
    assert (rows["bigraph"]["parameters"], rows["bigraph"]["routes"]) == ("accelerators, switches", "shortest")


@pytest.mark.parametrize("kind", ["instances", "formulations", "topologies"])
def test_a_list_for_people_has_a_line_a_row(run, kind):
    names = [row["name"] for row in listed(run, kind)]
    ran = run("list", kind)
    assert [line.split()[0] for line in ran.out.splitlines()] == ["name", *names]


def test_the_schema_is_a_json_schema_that_takes_an_instance(run):
    schema = json.loads(run("schema").out)
    Draft202012Validator.check_schema(schema)
    whole = {
        "schema": "hypar-opt/instance/1",
        "name": "x",
        "batch": 1,
        "network": {"input": [1], "layers": [{"name": "fc", "linear": {"features": 1}}]},
        "array": {"topology": "h-tree", "levels": 1},
    }
    assert Draft202012Validator(schema).is_valid(whole)
    assert not Draft202012Validator(schema).is_valid({**whole, "batch": 0})


@pytest.mark.parametrize("command", SUMMARIES)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(run, command, flag):
    ran = run(command, flag)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: hypar-opt {command} ")


def test_help_lists_the_commands(run):
    out = run("--help").out
    assert all(command in out for command in SUMMARIES)


def test_version(run):
    from importlib.metadata import version

    assert run("--version").out == f"hypar-opt {version('hypar-opt')}\n"
