"""What replaces fields of an instance is described once, and is everywhere."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, make_dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

import hypar_opt
from hypar_opt.cli.group import cli
from hypar_opt.instance import overrides
from hypar_opt.instance.overrides import NETWORK_OVERRIDES, OVERRIDES, Override, Overrides, override, overrides_of
from hypar_opt.solver.plan_file import OverridesClaim
from hypar_opt.util.errors import InputError

ROOT = Path(__file__).parents[2]


def test_records_and_values_go_together():
    assert list(OVERRIDES) == [one.name for one in fields(Overrides)]
    assert len({one.rank for one in OVERRIDES.values()}) == len(OVERRIDES)


def test_every_replacement_is_everywhere():
    from hypar_opt.web.job_request import RequestOverrides

    options = {param.name: param for param in cli.get_command(None, "solve").params}
    for name, one in OVERRIDES.items():
        assert one.option in options[name].opts
        assert options[name].help == one.help
        assert f"`{one.option}`" in (ROOT / "docs" / "instances.md").read_text()
    assert list(OverridesClaim.model_fields) == list(OVERRIDES)
    assert list(RequestOverrides.model_fields) == list(OVERRIDES)


VALUES = {
    "accounting": "receiver", "batch": 8, "levels": 2, "array": "hypar-16", "placement": "identity",
    "objective": "time", "splits": "divisible", "input_error": False, "fix": {"conv*": "d..."}, "at_most": "time=1",
    "as_released": True, "shares": "7/10,3/10", "barrier": "layer",
    "choices": "dp,mp,op", "microbatches": 4, "collectives": "best,chunks=2",
}  # fmt: skip
NEEDS = {
    "objective": "hypar-16", "collectives": "hypar-16", "microbatches": "hypar-16", "at_most": "hypar-16",
    "shares": "tpu-v2-v3-2", "barrier": "tpu-v2-v3-2",
}  # fmt: skip
"""By replacement, the array without which there is nothing to replace."""


@pytest.mark.parametrize("name", NETWORK_OVERRIDES)
def test_each_replaces_its_field_alone(name):
    before = hypar_opt.load("lenet-c", array=NEEDS.get(name))
    spec = override(before.spec, overrides_of({name: VALUES[name]}))
    changed, path = spec.model_dump(), OVERRIDES[name].path
    told = before.spec.model_dump()
    assert changed != told
    into, was = changed, told
    for key in path[:-1]:
        into, was = into[key], was[key]
    into[path[-1]] = was[path[-1]]
    assert changed == told


def test_one_more_is_a_record(monkeypatch):
    record = Override("optimiser", ("cost", "optimiser"), "choice", "What updates.", 19, choices=("sgd", "adam"))
    more = make_dataclass("More", [("optimiser", str | None, None)], bases=(Overrides,), frozen=True)
    spec = hypar_opt.load("lenet-c").spec
    monkeypatch.setattr(overrides, "OVERRIDES", MappingProxyType({**OVERRIDES, "optimiser": record}))
    assert override(spec, more(optimiser="adam")).cost.optimiser == "adam"
    with pytest.raises(InputError, match=r"^--optimiser: expected 'sgd', 'momentum' or 'adam', got 'x'$"):
        override(spec, more(optimiser="x"))


def test_describing_them_reads_nothing():
    code = (
        "import sys, hypar_opt.instance.overrides;"
        "sys.exit(any(one in sys.modules for one in ('pydantic', 'networkx', 'yaml', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("said", ["ring,chunks=2", {"algorithm": "ring", "chunks": 2}])
def test_exchanges_are_given_as_text_or_as_in_files(said):
    asked = hypar_opt.load("lenet-c", array="hypar-16", collectives=said).scheduled_sums
    assert (asked.algorithm, asked.chunks, asked.levels) == ("ring", 2, "together")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("ring,2", "^--collectives: expected one algorithm, then chunks=N or levels=each, got '2'$"),
        ("ring,chunks=2,chunks=3", "^--collectives: expected 'chunks' once, got it twice$"),
        ("ring,chunks=65", "^--collectives: expected at most 64, got 65$"),
        ("ring,chunk=2", "^--collectives: unknown field 'chunk'; did you mean 'chunks'"),
        (3, "^--collectives: expected text, for example ring,chunks=2, got 3$"),
    ],
)
def test_exchanges_that_say_nothing(said, message):
    with pytest.raises(InputError, match=message):
        hypar_opt.load("lenet-c", array="hypar-16", collectives=said)
