"""What every command makes of pipelines: results, files, and refusals that name what takes them."""

from __future__ import annotations

import json

import pytest

PROFILE = """\
node1 -- Conv2d(3) -- forward_compute_time=60, backward_compute_time=90, activation_size=8e6, parameter_size=1e6
node2 -- Linear(9) -- forward_compute_time=20, backward_compute_time=30, activation_size=1e6, parameter_size=9e8
\tnode1 -- node2
"""


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """Return files of plans, by the names of shipped pipelines."""
    from hypar_opt import solve

    folder = tmp_path_factory.mktemp("plans")
    found = {name: folder / f"{name}.json" for name in ("five-devices", "replicated-convolutions")}
    for name, path in found.items():
        solve(name).save(path)
    return found


@pytest.mark.parametrize("name", ["made.yaml", "made.json"])
def test_imported_and_solved(run, tmp_path, name):
    (tmp_path / "model.txt").write_text(PROFILE)
    ran = run("import", "pipeline", tmp_path / "model.txt", "--devices", "3", "-o", tmp_path / name)
    assert ran.code == 0
    assert ran.out.splitlines()[0] == "model: 2 operators; 3 devices"
    solved = json.loads(run("solve", tmp_path / name, "--json").out)
    assert [one["operators"] for one in solved["stages"]] == [["node1 Conv2d"], ["node2 Linear"]]
    assert [one["devices"] for one in solved["stages"]] == ["device 1-2", "device 3"]


def test_an_import_for_machines(run, tmp_path):
    (tmp_path / "model.txt").write_text(PROFILE)
    found = json.loads(run("import", "pipeline", tmp_path / "model.txt", "--devices", "2", "--straight", "--json").out)
    assert [one["seconds"] for one in found["operators"]] == [{"device": "0.06"}, {"device": "0.02"}]
    assert found["devices"][0]["replicas"] == 1
    assert "PipeDream" in found["source"][0]


def test_a_network_as_a_pipeline(run, tmp_path):
    made = tmp_path / "lenet.yaml"
    ran = run("import", "pipeline", "lenet-c", "--array", "hypar-16", "--batch", "8", "--devices", "2", "-o", made)
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[0] == "lenet-c: 4 operators; 2 devices"
    assert run("solve", made, "-q").code == 0
    for arguments, said in (
        (("lenet-c",), "does not say what an accelerator computes"),
        (("lenet-c", "--array", "hypar-16", "--loss"), "--loss: is of models"),
        (("five-devices",), "is a pipeline of 'five-devices', expected an instance"),
        (("lenet-d",), "neither a file nor the name of a shipped instance; did you mean 'lenet-c'?"),
        ((tmp_path / "made.csv", "--array", "hypar-16"), "--array: is of instances that are read as pipelines"),
    ):
        ran = run("import", "pipeline", *arguments, "-o", tmp_path / "none.yaml")
        assert (ran.code, said in " ".join(ran.err.split())) == (2, True), ran.err
        assert not (tmp_path / "none.yaml").exists()


def test_nothing_is_imported_where_something_is_wrong(run, tmp_path):
    model, output = tmp_path / "model.txt", tmp_path / "made.yaml"
    model.write_text(PROFILE)
    for kind, arguments, said in (
        ("pipeline", (), "expected --devices N"),
        ("pipeline", ("--devices", "2", "--batch", "8"), "--batch: is of models; pipeline is a pipeline"),
        ("pipeline", ("--devices", "2", "--bandwidth", "0"), "expected a number above 0"),
        ("iopddl", ("--devices", "2"), "--devices: is of pipelines"),
    ):
        ran = run("import", kind, model, *arguments, "-o", output)
        assert (ran.code, said in ran.err.replace("\n", " "), output.exists()) == (2, True, False), ran.err


def test_formulations_side_by_side(run, tmp_path):
    (tmp_path / "two.yaml").write_text(
        "{schema: hypar-opt/pipeline/1, name: two, devices: [{kind: gpu, count: 2}], "
        "operators: [{name: a, seconds: 1}, {name: b, seconds: 2, reads: [a]}]}"
    )
    rows = json.loads(run("compare", tmp_path / "two.yaml", "--json").out)["rows"]
    proven = {row["formulation"]: row["objective"] for row in rows if row["status"] == "OPTIMAL"}
    assert "pipeline-dp" in proven
    assert len(set(map(str, proven.values()))) == 1
    assert all(row["formulation"] not in ("joint-dp", "hypar-dp") for row in rows)


def test_shown(run, plans, tmp_path):
    assert run("show", "branched-training", "-q").out.startswith("branched-training: 11 operators, 5 of them backward")
    assert run("show", "branched-training", "-o", tmp_path / "them.csv").code == 0
    assert (tmp_path / "them.csv").read_text().count("\n") == 12
    for name, plan in plans.items():
        for ending in ("csv", "md"):
            ran = run("show", name, "--plan", plan, "-o", tmp_path / f"{name}.{ending}")
            assert ran.code == 0, ran.err
    assert "The slowest is stage 5, on machine-2 1: 29.07 ms" in (tmp_path / "five-devices.md").read_text()
    assert (tmp_path / "five-devices.csv").read_text().splitlines()[40].startswith("layer40,5,machine-2 1")


def test_layouts(run, plans, tmp_path):
    place = tmp_path / "stages.txt"
    assert run("export", "five-devices", plans["five-devices"], "--to", "list", "-o", place).code == 0
    assert place.read_text() == "5,7,8,10,10\n"
    for name, target, said in (
        ("replicated-convolutions", "list", "different numbers: gpu 1-3, gpu 4"),
        ("five-devices", "jax", "this is a pipeline: --to list writes its stages"),
    ):
        output = tmp_path / ("none.txt" if target == "list" else "none.py")
        ran = run("export", name, plans[name], "--to", target, "-o", output)
        assert (ran.code, said in ran.err.replace("\n", " "), output.exists()) == (2, True, False), ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("pareto", "five-devices"),
        ("explore", "five-devices"),
        ("instance", "five-devices"),
        ("compare-arrays", "five-devices"),
        ("simulate", "five-devices", "{plan}"),
        ("export", "five-devices", "-o", "graph.json"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_takes_no_pipeline_says_what_does(run, plans, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run(*(str(plans["five-devices"]) if one == "{plan}" else one for one in arguments))
    said = " ".join(ran.err.split())
    assert ran.code == 2
    assert "is a pipeline of 'five-devices', expected an instance; only solve, compare, diff, report" in said
    assert not list(tmp_path.iterdir())


def test_other_commands(run, plans):
    assert "programs are of plans of networks" in run("count", "five-devices", plans["five-devices"]).err
    assert "--levels: replaces a field of a network's instance" in run("solve", "five-devices", "--levels", "2").err
    assert "of a pipeline the table says" in " ".join(run("solve", "five-devices", "--why").err.split())
    assert [row["name"] for row in json.loads(run("list", "pipelines", "--json").out)] == [
        "branched-training", "five-devices", "replicated-convolutions",
    ]  # fmt: skip


def test_two_plans_of_a_pipeline_differ_in_nothing(run, plans):
    for more in ((), ("five-devices",)):
        ran = run("diff", plans["five-devices"], plans["five-devices"], *more)
        assert (ran.code, "five-devices: the plans are the same" in ran.out) == (0, True)


def test_formulations_of_pipelines_are_of_pipelines_alone(run):
    for name, instead in (("sfc", "joint-dp"), ("gpt2-block", "joint-dp"), ("five-operators", "portfolio")):
        ran = run("solve", name, "-f", "pipeline-dp")
        assert (ran.code, f"decides stages of pipelines, and this is none; try {instead}" in ran.err) == (2, True)
    assert "cp-sat decides strategies, and a pipeline has stages" in run("solve", "five-devices", "-f", "cp-sat").err


def test_the_graph_of_a_plan(run, plans, tmp_path):
    picture = tmp_path / "graph.svg"
    assert run("show", "five-devices", "--plan", plans["five-devices"], "--graph", "-o", picture).code == 0
    assert b"layer40" in picture.read_bytes()
    ran = run("show", "five-devices", "--plan", plans["five-devices"], "--graph")
    assert (ran.code, "expected --output, too" in ran.err) == (2, True)
    for more in (("torus-16",), ("five-devices",)):
        assert "--graph draws a plan of a pipeline or a collective" in " ".join(
            run("show", *more, "--graph", "-o", picture).err.split()
        )
