"""hypar-opt instance."""

from __future__ import annotations

import json

import pytest

from hypar_opt.instance import load, shipped_names
from hypar_opt.instance.shipped import shipped_instances


@pytest.fixture
def printed(run, tmp_path):
    """Return a function that prints an instance, and reads what was printed."""

    def read(*arguments):
        path = tmp_path / "printed.yaml"
        ran = run("instance", *arguments)
        assert (ran.code, ran.err) == (0, "")
        path.write_text(ran.out, encoding="utf-8")
        return load(path), ran.out

    return read


def test_every_shipped_instance_is_printed_as_one_text_of_the_same_hash(printed):
    for name in sorted(set(shipped_names()) & set(shipped_instances())):
        again, text = printed(name)
        assert again.sha256 == load(name).sha256, name
        assert f"# SHA-256 until it is edited: {again.sha256}" in text.splitlines()
        assert "file:" not in text


def test_a_plan_of_one_is_a_plan_of_the_other(run, tmp_path):
    file, plan = tmp_path / "mine.yaml", tmp_path / "plan.json"
    assert run("instance", "lenet-c", "-o", file).out == f"written: {file}\n"
    assert run("solve", file, "-q", "-o", plan).code == 0
    assert run("verify", "lenet-c", plan).code == 0


def test_overrides_are_applied_and_the_hash_is_that_of_the_text(printed):
    again, text = printed("lenet-c", "--levels", "2", "--array", "h-tree-16", "--fix", "conv*=d.", "--fix", "fc1=mm")
    given = load("lenet-c", levels=2, array="h-tree-16", fix={"conv*": "d.", "fc1": "mm"})
    assert (again.spec, again.overrides) == (given.spec, {})
    assert text.startswith("# lenet-c, with --levels, --array, --fix: everything inline.\n")
    assert f"# SHA-256 until it is edited: {again.sha256}" in text.splitlines()
    assert again.sha256 != given.sha256


def test_json_is_an_instance_too(run, tmp_path):
    path, other = tmp_path / "mine.json", tmp_path / "other.json"
    assert run("instance", "vgg-a", "--array", "torus-16", "-o", path, "-q").out == ""
    printed = run("instance", "vgg-a", "--array", "torus-16", "--json").out
    assert json.loads(printed) == json.loads(path.read_text(encoding="utf-8"))
    other.write_text(printed, encoding="utf-8")
    assert load(path).sha256 == load(other).sha256
    assert load(path).spec == load("vgg-a", array="torus-16").spec


def test_what_json_cannot_hold_is_said(run, tmp_path):
    path = tmp_path / "long.yaml"
    path.write_text(
        load("lenet-c").to_yaml() + "objective: {communication: 0.12345678901234567891}\n", encoding="utf-8"
    )
    ran = run("instance", path, "--json")
    assert ran.code == 2
    assert ran.err.startswith("error: --json: expected a number of at most 15 digits, got 0.1234567890")
    assert run("instance", path, "-o", tmp_path / "new.json").code == 2
    assert not (tmp_path / "new.json").exists()
    assert "0.12345678901234567891" in run("instance", path).out


def test_nothing_is_written_where_something_is_wrong(run, tmp_path):
    path = tmp_path / "mine.yaml"
    ran = run("instance", "lenet-d", "-o", path)
    assert (ran.code, path.exists()) == (2, False)
    assert ran.err == "error: lenet-d: neither a file nor the name of a shipped instance; did you mean 'lenet-c'?\n"
    ran = run("instance", "lenet-c", "--fix", "fc9=d...", "-o", path)
    assert (ran.code, path.exists()) == (2, False)
