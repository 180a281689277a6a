"""Instances of operators on the live page: from a text to a certificate, the plan by operators and what it moves."""

from __future__ import annotations

import json

import pytest

from tests.web.conftest import submit, until

BLOCK = """schema: hypar-opt/instance/1
name: chain
batch: 8
network:
  input: {features: 8}
  layers:
    - {name: first, linear: {features: 8}}
    - {name: relu, activation: {}}
    - {name: sum, inputs: [first, relu], add: {}}
array: {axes: [{name: node, size: 2}, {name: gpu, size: 2}]}
cost: {choices: [batch, in, features]}
"""
TIMED = BLOCK.replace(
    "array: {", "array: {accelerator: {model: roofline, rate: 1e12, times: {file: /etc/passwd}}, "
)  # fmt: skip


def check(client, text, **overrides):
    answer = client.post("/api/check", json={"text": text, "overrides": overrides, "edit": None})
    assert answer.status_code == 200
    return answer.json()


def test_a_text_becomes_a_plan_with_a_certificate(client):
    done = until(client, submit(client, instance=BLOCK, report=True))
    assert (done["state"], done["label"]) == ("done", "chain")
    outcome = done["outcome"]
    assert outcome["axes"] == ["node (2)", "gpu (2)"]
    plan = client.get(done["links"]["plan.json"]).json()
    rows = {row["layer"]: row for row in outcome["rows"]}
    assert {name: row["word"] for name, row in rows.items()} == {
        name: word for name, word in plan["plan"].items() if ":" not in name
    }
    assert rows["first"]["entries"] == plan["plan"]["first"].split()
    assert outcome["certificate"] == {"proven": True, "faults": [], "by": "joint-dp"}
    titles = [table["title"] for table in outcome["tables"]]
    assert titles[:2] == ["Tensors that several operators read", "Collectives"]
    assert "Memory of each device" in titles
    assert outcome["unreported"] == ""
    page = client.get(f"/jobs/{done['id']}").text
    assert all(one in page for one in ("node (2)", "Tensors that several operators read", "Why each operator is"))


@pytest.mark.slow
def test_what_crosses_links_is_shown_of_devices_that_are_placed(client):
    array = "array: {topology: ring, link: {bandwidth: 1e9}, axes"
    text = BLOCK.replace("array: {axes", array) + "objective: {hop-bytes: 1}\n"
    outcome = until(client, submit(client, instance=text, certificate=False))["outcome"]
    tables = {table["title"]: table["rows"] for table in outcome["tables"]}
    assert tables["Exchanges within groups, and the links they cross"]
    assert tables["Links, both directions"][0][0] == "accelerator - accelerator"
    assert "Time of a training step" in tables
    assert ", for devices placed like this," in outcome["regrets"]


@pytest.mark.slow
def test_a_shipped_one_takes_what_replaces_its_fields(client):
    overrides = {"axes": "gpu=2", "batch": 8, "fix": {"fc": "out"}}
    done = until(client, submit(client, shipped="gpt2-block", overrides=overrides, certificate=False))
    assert done["state"] == "done"
    rows = {row["layer"]: row["word"] for row in done["outcome"]["rows"]}
    assert rows["fc"] == "out"
    assert "the given strategies cost" in done["outcome"]["price"]


@pytest.mark.slow
def test_a_form_gives_words_of_several_axes(client):
    data = {"instance": BLOCK, "fix": "first=batch in, relu=. features", "certificate": "no"}
    answer = client.post("/jobs", files={"nothing": ("", b"")}, data=data, follow_redirects=False)
    assert answer.status_code == 303
    done = until(client, answer.headers["location"].rpartition("/")[2])
    rows = {row["layer"]: row["word"] for row in done["outcome"]["rows"]}
    assert (rows["first"], rows["relu"].split()[1]) == ("batch in", "features")


def test_typing_tells_what_it_is_and_by_what_it_is_solved(client):
    about = check(client, BLOCK)["about"]
    assert (about["axes"], about["layers"], about["accelerators"]) == ("node 2 x gpu 2", 3, 4)
    assert about["default"] == "joint-dp"
    assert about["declining"]["identity"] == "there is no placement to decide"
    assert "megatron" not in about["declining"]
    wrong = check(client, BLOCK.replace("relu, activation", "relu, activtion"))["fault"]
    assert "did you mean 'activation'" in wrong["message"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("text", [TIMED, TIMED.replace("times: {file: /etc/passwd}", "file: /etc/passwd")])
@pytest.mark.slow
def test_no_file_is_opened_that_a_text_names(client, text):
    fault = check(client, text)["fault"]
    assert "no file can be named here" in fault["message"]
    done = until(client, submit(client, instance=text))
    assert (done["state"], "no file can be named here" in json.dumps(done)) == ("failed", True)


def test_what_is_too_large_is_refused_and_not_compiled(client):
    large = BLOCK.replace("size: 2}, {name: gpu, size: 2", "size: 65536}, {name: gpu, size: 2")
    assert "devices" in check(client, large)["fault"]["message"]
    many = "levels: 14"
    answer = check(client, BLOCK.replace("axes: [{name: node, size: 2}, {name: gpu, size: 2}]", many))
    assert answer["fault"] is not None or answer["about"]["default"] == ""


def test_operators_are_offered(client):
    page = client.get("/").text
    assert "gpt2-block" in page
    assert "h100-8x8" in page
