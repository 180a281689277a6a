"""Checking as one types, and setting fields in a text."""

import json
import tempfile

import pytest
from helpers import each
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance import load
from hypar_opt.instance.formats.yaml import parse_yaml
from hypar_opt.web.checker_client import CheckerClient
from hypar_opt.web.form import form_fields
from hypar_opt.web.settings import MOST_TYPED
from hypar_opt.web.text_check import check_text
from hypar_opt.web.text_edit import with_field
from tests.web.conftest import LENET, until

JSON = '{"schema": "hypar-opt/instance/1", "cost": {}, "array": {\n  "levels": 4}}'


def test_the_form_has_the_scalar_fields_of_the_schema():
    fields = {field.name: field for field in form_fields()}
    assert fields["array.levels"].kind == "integer" and fields["array.levels"].most == 24
    assert fields["cost.accounting"].options == ("published", "as-evaluated", "receiver", "leaf-exact", "collective")
    assert fields["cost.choices"].kind == "several"
    assert fields["array.placement"].options == ("free", "identity")
    assert (fields["array.accelerators"].kind, fields["array.accelerators"].least) == ("integer", 1)
    assert fields["cost.shares"].options == ("equal", "exact")
    assert (fields["cost.input_error"].options, fields["cost.input_error"].default) == (("true", "false"), "true")
    assert "schema" not in fields and "network" not in fields
    assert all(field.description for field in fields.values())


def test_a_good_text():
    answer = check_text(LENET, {}, None)
    assert answer["fault"] is None
    assert answer["fields"]["batch"] == "256" and answer["fields"]["cost.accounting"] is None
    assert answer["about"]["fix"] == [["conv1", ""], ["conv2", ""], ["fc1", ""], ["fc2", ""]]


WRONG = [
    ("batch: 256", "batch: 0", 3, "batch", "expected an integer of at least 1, got 0"),
    (
        "batch: 256",
        "bach: 256",
        3,
        "bach",
        "unknown field 'bach'; did you mean 'batch'?; batch: missing (samples in a training step)",
    ),
    ("kernel: 5", "kernel: 99", 7, "network.layers[0]", None),
    ("levels: 4}", "levels: 4", 13, None, None),
]


@pytest.mark.parametrize(("old", "new", "line", "field", "message"), WRONG)
def test_a_fault_names_its_line_and_field(old, new, line, field, message):
    fault = check_text(LENET.replace(old, new, 1), {}, None)["fault"]
    assert (fault["line"], fault["field"]) == (line, field)
    assert message is None or fault["message"] == message
    assert "/tmp" not in fault["message"]


def test_overrides_are_checked_too():
    fault = check_text(LENET, {"levels": 25}, None)["fault"]
    assert fault["field"] == "--levels"


def test_what_is_fixed_besides_is_checked_and_not_offered_as_the_texts_own():
    text = LENET + "fix: {conv1: d...}\n"
    checked = check_text(text, {"fix": {"fc*": "..mm", "conv1": ".d.."}}, None)
    assert checked["about"]["fix"] == [["conv1", "d..."], ["conv2", ""], ["fc1", ""], ["fc2", ""]]
    fault = check_text(text, {"fix": {"conv*": "m..."}}, None)["fault"]
    assert fault["field"] == "--fix conv*"
    assert fault["message"].endswith("they contradict each other at level 1")


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(9)
)
HOSTILE = [
    BOMB,
    "[" * 100_000,
    "x: " + "{y: " * 10_000,
    "!!python/object/apply:os.system [id]",
    "\ud800",
    "\x00",
    "a: &a [*a]",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("edit", [None, {"field": "batch", "value": "8"}, {"field": "fix", "value": {"x": "d"}}])
def test_hostile_texts_are_faults(text, edit):
    answer = check_text(text, {}, edit)
    assert answer["fault"]["message"] and answer["about"] is None


EDITS = [
    (LENET, "batch", "8", "batch: 256", "batch: 8"),
    (LENET, "array.levels", "2", "levels: 4", "levels: 2"),
    (LENET, "array.routing", "split", "array: {", "array: {routing: split, "),
    (LENET, "cost.choices", ["dp", "op"], "levels: 4}\n", "levels: 4}\ncost: {choices: [dp, op]}\n"),
    (LENET, "objective", "time=1,energy=0.1", "levels: 4}\n", "levels: 4}\nobjective: {time: 1, energy: 0.1}\n"),
    (LENET, "name", "a: b", "name: lenet-c", 'name: "a: b"'),
    (LENET, "name", "no", "name: lenet-c", 'name: "no"'),
    (LENET, "batch", "", "batch: 256\n", ""),
    (JSON, "cost.splits", "any", '"cost": {}', '"cost": {"splits": "any"}'),
    (JSON, "array.levels", "5", '"levels": 4', '"levels": 5'),
    (JSON, "batch", "1", "{", '{"batch": 1, '),
    (JSON, "array.levels", "", '{\n  "levels": 4}', "{\n  }"),
    ('{"name": "\\ud83d\\ude00", "batch": 1}', "batch", "2",
     '"\\ud83d\\ude00", "batch": 1', '"\U0001f600", "batch": 2'),
    ("a: 1 # one\nb:\n  # two\n  c: 3\n", "b.d", None, "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "field", "value", "old", "new"), EDITS)
def test_an_edit_changes_its_field_and_nothing_else(text, field, value, old, new):
    if value is None:
        assert with_field(text, ("b", "d"), 4) == "a: 1 # one\nb:\n  # two\n  d: 4\n  c: 3\n"
        assert with_field(text, ("b", "c"), None) == "a: 1 # one\nb:\n  # two\n  {}\n"
        assert with_field(text, ("a",), 2) == "a: 2 # one\nb:\n  # two\n  c: 3\n"
        return
    assert check_text(text, {}, {"field": field, "value": value})["text"] == text.replace(old, new, 1)


KEYS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=5)
LEAVES = st.integers() | KEYS | st.lists(KEYS, max_size=3)


@given(
    st.dictionaries(KEYS, LEAVES | st.dictionaries(KEYS, LEAVES, max_size=3), max_size=4), KEYS, KEYS, LEAVES, st.data()
)
def test_what_is_set_is_read_again_and_the_rest_stays(data, key, inner, value, draw):
    import yaml

    style = draw.draw(st.sampled_from(["json", "flow", "block"]))
    text = (
        json.dumps(data, ensure_ascii=False)
        if style == "json"
        else yaml.safe_dump(data, default_flow_style=style == "flow")
    )
    if not isinstance(parse_yaml(text), dict) or parse_yaml(text) != data:
        return  # what YAML spells otherwise
    expected = {**data, key: {**(data[key] if isinstance(data.get(key), dict) else {}), inner: value}}
    assert parse_yaml(with_field(text, (key, inner), value)) == expected
    without = {name: one for name, one in data.items() if name != key}
    taken = with_field(text, (key,), None)
    assert (parse_yaml(taken) if taken.strip() else {}) == without


@pytest.mark.slow
@each("text", HOSTILE, quick=2)
def test_hostile_texts_are_answered_and_refused_by_their_jobs(client, text):
    answer = client.post("/api/check", content=json.dumps({"text": text}))
    assert answer.status_code == 200 and answer.json()["fault"]["message"]
    body = json.dumps({"instance": f"name: {text}"})
    job = client.post("/api/jobs", content=body, headers={"content-type": "application/json"}).json()["id"]
    assert until(client, job)["state"] == "failed"
    assert client.get("/jobs").status_code == 200


def test_a_truth_is_set_as_one_and_shown_as_it_is_spelt():
    for text in (LENET, JSON):
        answer = check_text(text, {}, {"field": "cost.input_error", "value": "false"})
        assert "input_error" in answer["text"] and '"false"' not in answer["text"]
        assert answer["fields"]["cost.input_error"] == "false"
    assert check_text(LENET, {}, {"field": "cost.input_error", "value": "no"})["fault"]["message"] == (
        "expected true or false, got 'no'"
    )


def test_kinds_of_accelerators_are_left_to_the_text():
    text = load("mixed-alexnet").to_yaml().replace("batch: 512", "batch: 2")
    answer = check_text(text, {}, None)
    assert answer["fields"]["array.accelerators"] is None
    assert answer["fault"]["field"] == "cost.shares.parts"


def test_a_field_that_the_form_does_not_have():
    fault = check_text(LENET, {}, {"field": "network", "value": "x"})["fault"]
    assert (fault["field"], fault["message"]) == ("network", "the form has no such field")


def test_checks_over_http(client):
    answer = client.post("/api/check", json={"text": LENET, "edit": {"field": "array.levels", "value": "99"}}).json()
    assert answer["fault"] == {
        "message": "expected at most 24 levels (2^24 accelerators), got 99", "line": 13, "field": "array.levels",
    }  # fmt: skip
    assert "levels: 99" in answer["text"]
    assert client.post("/api/check", json={"text": 1}).json() == {
        "error": "expected a mapping with text, and maybe overrides and edit", "field": None,
    }  # fmt: skip
    assert client.post("/api/check", json={"text": "", "edit": 3}).json()["error"] == "expected a mapping, got 3"
    wrong = client.post("/api/check", json={"text": LENET, "overrides": {"array": "../x"}}).json()
    assert wrong == {"error": "no shipped array is called '../x'", "field": "overrides.array"}


def test_a_long_text_is_left_to_its_job(client):
    answer = client.post("/api/check", json={"text": "x" * (MOST_TYPED + 1)}).json()
    assert answer["fault"]["message"] == "longer than 2,097,152 characters: checked by the job, not as you type"


@pytest.mark.anyio
async def test_a_check_that_takes_too_long_is_ended_and_the_next_one_is_done():
    checker = CheckerClient(patience_s=0.001)
    try:
        answer = await checker.check(LENET, {}, None)
        assert answer["fault"]["message"] == "takes more than 0.001 s to check: checked by the job, not as you type"
        checker._patience_s = 60
        assert (await checker.check(LENET, {}, None))["fault"] is None
        checker._process.kill()
        assert (await checker.check(LENET, {}, None))["fault"] in (
            None, {"message": "could not be checked as you type: checked by the job", "line": None, "field": None},
        )  # fmt: skip
        assert (await checker.check(LENET, {}, None))["fault"] is None
    finally:
        await checker.close()


@pytest.mark.anyio
async def test_a_check_that_is_ended_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    many = "".join(f"    - {{name: l{i}, linear: {{features: 4}}}}\n" for i in range(45_000))
    checker = CheckerClient(patience_s=60)
    try:
        assert (await checker.check(LENET, {}, None))["fault"] is None
        checker._patience_s = 0.5
        answer = await checker.check(LENET.replace("array:", f"{many}array:"), {}, None)
        assert answer["fault"]["message"].startswith("takes more than 0.5 s to check")
        assert list(tmp_path.iterdir()) == []
    finally:
        await checker.close()


@pytest.fixture
def anyio_backend():
    return "asyncio"
