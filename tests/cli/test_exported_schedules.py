"""`hypar-opt export --to` schedule, chakra and astra-sim, of plans of collectives, and what it refuses."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.chakra_reader import read_trace

COLLECTIVE = """\
schema: hypar-opt/collective/1
name: ring
array: {topology: ring, accelerators: 3, link: {bandwidth: 16e9, latency: 150e-9}}
collective: all-gather
bytes: 3000
"""
SHARED = {"memory.json", "network.yml", "ns3-logical.json", "ns3-topology.txt", "run.sh", "system.json"}


@pytest.fixture
def files(run, tmp_path):
    """Return the files of a collective and of a plan of it."""
    return solved(run, tmp_path, COLLECTIVE)


def solved(run, folder, text):
    instance, plan = folder / "ring.yaml", folder / "plan.json"
    instance.write_text(text)
    assert run("solve", instance, "-q", "-o", plan).code == 0
    return instance, plan


def test_a_schedule_as_json_says_all_of_it(run, files, tmp_path):
    output = tmp_path / "sends.json"
    ran = run("export", *files, "--to", "schedule", "-o", output)
    assert (ran.code, "lines for schedule" in ran.out) == (0, True)
    document = json.loads(output.read_text())
    assert {name: document[name] for name in ("schema", "collective", "bytes", "chunk_bytes", "when", "steps")} == {
        "schema": "hypar-opt/sends/1", "collective": "all-gather", "bytes": 3000, "chunk_bytes": 1000,
        "when": "steps", "steps": 1,
    }  # fmt: skip
    assert document["seconds"] == "0.0000002125"  # 150 ns, and 1,000 bytes of 16 a nanosecond
    assert document["links"][0] == {"ends": ["a0", "a1"], "bandwidth": 16 * 10**9, "latency": "0.00000015"}
    assert len(document["sends"]) == 6
    assert [one.pop("message") for one in document["sends"]] == [*range(6)]
    assert {"chunk": "a1", "route": ["a1", "a2"], "begin": 0, "end": 1, "adds": False} in document["sends"]
    assert document["chunks"][2] == {"name": "a2", "sources": ["a2"], "targets": ["a0", "a1", "a2"]}


@pytest.mark.parametrize(("target", "more"), [("chakra", set()), ("astra-sim", SHARED)])
def test_folders(run, files, tmp_path, target, more):
    output = tmp_path / "traces"
    ran = run("export", *files, "--to", target, "-o", output, "--json")
    assert ran.code == 0
    expected = {f"collective.{rank}.et" for rank in range(3)} | more
    expected |= {f"workload.{rank}.et" for rank in range(3)} if more else set()
    assert set(json.loads(ran.out)["files"]) == {path.name for path in output.iterdir()} == expected
    if more:
        _, (node,) = read_trace((output / "workload.2.et").read_bytes())
        assert (node.type, node.attributes["comm_type"], node.attributes["comm_size"]) == ("COMM_COLL_NODE", 2, 3000)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-o", "sends.txt", "--to", "schedule"), "expected a name that ends in .json"),
        (("-o", "ring.yaml", "--to", "chakra"), "is a file, expected a folder"),
        (("-o", "traces", "--to", "jax"), "--to chakra writes it"),
        (("-o", "traces", "--to", "chakra", "--levels", "2"), "--levels: the plan's file says"),
    ],
)
def test_refused(run, files, tmp_path, more, said, monkeypatch):
    monkeypatch.chdir(tmp_path)
    more = [f"{more[1]}.py" if one == "traces" and "jax" in more else one for one in more]
    ran = run("export", *files, *more)
    assert ran.code == 2
    assert said in ran.err
    assert {path.name for path in tmp_path.iterdir()} == {"ring.yaml", "plan.json"}


def test_a_collective_by_its_name_is_no_strategy_graph(run, tmp_path):
    ran = run("export", "ring-4", "-o", tmp_path / "graph.json")
    assert (ran.code, "is a collective of 'ring-4', expected an instance" in ran.err) == (2, True)


def test_a_folder_that_has_the_plan_loses_nothing(run, files, tmp_path):
    instance, plan = files
    plan = plan.rename(tmp_path / "system.json")
    before = plan.read_text()
    ran = run("export", instance, plan, "--to", "astra-sim", "-o", tmp_path)
    assert (ran.code, "would be lost" in ran.err, plan.read_text()) == (2, True, before)
    assert not list(tmp_path.glob("*.et"))


def test_trees_with_shares_have_traces_and_no_times(run, tmp_path):
    files = solved(run, tmp_path, COLLECTIVE + "objective: bandwidth\n")
    assert run("export", *files, "--to", "astra-sim", "-o", tmp_path / "traces").code == 0
    assert len(list((tmp_path / "traces").glob("*.et"))) == 6
    ran = run("export", *files, "--to", "schedule", "-o", tmp_path / "sends.json")
    assert (ran.code, "trees with shares are no schedule" in ran.err) == (2, True)
    assert not (tmp_path / "sends.json").exists()


def test_simulators_need_bandwidths(run, tmp_path):
    files = solved(run, tmp_path, COLLECTIVE.replace(", link: {bandwidth: 16e9, latency: 150e-9}", ""))
    assert run("export", *files, "--to", "chakra", "-o", tmp_path / "traces").code == 0
    ran = run("export", *files, "--to", "astra-sim", "-o", tmp_path / "more")
    assert (ran.code, "array.link.bandwidth: missing between 'a0' and 'a1'" in ran.err) == (2, True)
    assert not (tmp_path / "more").exists()


LAYERS = """\
schema: hypar-opt/instance/1
name: two
batch: 8
network: {input: [16], layers: [{name: fc1, linear: {features: 16}}, {name: fc2, linear: {features: 8}}]}
array:
  {topology: ring, levels: 1, link: {bandwidth: 1e9}, accelerator: {model: peak, rate: 1e9}}
"""


def test_a_training_step(run, tmp_path):
    files = solved(run, tmp_path, LAYERS)
    ran = run("export", *files, "--to", "astra-sim", "-o", tmp_path / "step")
    assert (ran.code, "2 traces of 2 ranks for astra-sim" in ran.out) == (0, True)
    assert {path.name for path in (tmp_path / "step").iterdir()} == {"workload.0.et", "workload.1.et", *SHARED}
    system = json.loads((tmp_path / "step" / "system.json").read_text())
    assert (system["roofline-enabled"], system["peak-perf"]) == (1, 1)  # a million million operations a second
    _, nodes = read_trace((tmp_path / "step" / "workload.0.et").read_bytes())
    document = json.loads(run("simulate", *files, "--overlap", "full", "--json").out)
    computed = sum(one.attributes.get("num_ops", 0) for one in nodes)
    assert computed == float(document["analytic"]["compute_time_s"]) * 1e12


def test_a_training_step_of_operators(run, tmp_path):
    plan, folder = tmp_path / "plan.json", tmp_path / "step"
    assert run("solve", "gpt2-block", "--array", "a100-2x8", "-q", "-o", plan).code == 0
    assert run("export", "gpt2-block", plan, "--to", "astra-sim", "-o", folder, "-q").code == 0
    written = {path.name for path in folder.iterdir()}
    assert written == {"groups.json", "memory.json", "network.yml", "run.sh", "system.json"} | {
        f"workload.{rank}.et" for rank in range(16)
    }
    network = yaml.safe_load((folder / "network.yml").read_text())
    assert (network["topology"], network["npus_count"]) == (["Ring", "FullyConnected"], [8, 2])
    assert json.loads((folder / "groups.json").read_text())["9"] == list(range(8))
    assert "--comm-group-configuration=groups.json" in (folder / "run.sh").read_text()


def test_axes_need_bandwidths(run, tmp_path):
    plan = tmp_path / "plan.json"
    assert run("solve", "gpt2-block", "--batch", "8", "-q", "-o", plan).code == 0
    ran = run("export", "gpt2-block", plan, "--to", "astra-sim", "-o", tmp_path / "step")
    assert (ran.code, "array.axes: missing along 'gpu'" in ran.err, (tmp_path / "step").exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("five-devices", "and hypar-opt schedule --chakra FOLDER writes them"),
        pytest.param("five-operators", "a strategy graph has costs alone", marks=pytest.mark.slow),
    ],
)
def test_what_has_no_traces(run, tmp_path, name, said):
    assert run("solve", name, "-q", "-o", tmp_path / "plan.json").code == 0
    ran = run("export", name, tmp_path / "plan.json", "--to", "chakra", "-o", tmp_path / "traces")
    assert (ran.code, said in ran.err) == (2, True)
    assert not (tmp_path / "traces").exists()


def test_a_plan_that_is_no_schedule(run, files, tmp_path):
    instance, plan = files
    document = json.loads(plan.read_text())
    document["plan"]["a1"] = "a1>a2@1"
    plan.write_text(json.dumps(document))
    ran = run("export", instance, plan, "--to", "chakra", "-o", tmp_path / "traces")
    assert (ran.code, "plan: chunk 'a1': at the end a0 has nothing of it" in ran.err) == (2, True)
    assert not (tmp_path / "traces").exists()
