"""Files as plain data: what is read, what is refused, and the lines of both."""

from __future__ import annotations

import json
import pickle
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.formats import read_document
from hypar_opt.instance.formats.json import json_tokens, parse_json
from hypar_opt.instance.formats.yaml import parse_yaml
from hypar_opt.instance.limits import MOST_BYTES
from hypar_opt.util.errors import InputError, NetworkError

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_document(path)
    assert caught.value.file == path
    return f"{caught.value.line}: {caught.value.message}"


@given(st.dictionaries(st.text(), DATA))
def test_json_is_read_as_the_json_module_does(data):
    assert parse_json(json.dumps(data)) == data


@given(st.dictionaries(st.text(st.characters(codec="ascii", categories=["L", "N", "P"])), st.integers()))
def test_yaml_and_json_agree(data):
    text = json.dumps(data)
    assert parse_yaml(text) == parse_json(text) == data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), ("-3", -3), ("+3", 3), ("0", 0), ("true", True), ("False", False), ("~", None),
        ("", None), ("0.10", Decimal("0.10")), (".5", Decimal("0.5")), ("1e3", Decimal(1000)),
        ("2.", Decimal(2)),
        ("no", "no"), ("on", "on"), ("010", "010"), ("0x10", "0x10"), ("1_000", "1_000"), ("1:30", "1:30"),
        ("2001-01-01", "2001-01-01"), ("NaN", "NaN"), ("'12'", "12"), ('"true"', "true"), ("=", "="),
        ("<<", "<<"), ("1.2.3", "1.2.3"), ("-", [None]),
    ],
)  # fmt: skip
def test_plain_scalars_of_yaml(text, value):
    read = parse_yaml(f"a:\n  {text}\n")
    assert read == {"a": value}
    assert type(read["a"]) is type(value)


def test_keys_are_text():
    assert parse_yaml("{1: a, no: b, null: c, &k k: d, l: *k}") == {
        "1": "a",
        "no": "b",
        "null": "c",
        "k": "d",
        "l": "k",
    }


def test_aliases_are_shared_and_not_copied():
    data = parse_yaml("a: &x {b: [1]}\nc: *x")
    assert data["c"] is data["a"]


@pytest.mark.parametrize("name", ["a.yaml", "a.json", "a.txt"])
def test_content_decides_that_it_is_json(write, name):
    document = read_document(write(name, '\n {"a": 0.1, "b": "\\ud83d\\ude00\\\\ud800"}'))
    assert document.data == {"a": Decimal("0.1"), "b": "😀\\ud800"}
    assert document.tokens is json_tokens


def test_a_flow_mapping_is_yaml(write):
    assert read_document(write("a.yaml", "{a: 1}")).data == {"a": 1}
    assert refused(write("a.json", "{a: 1}")).startswith("1: not JSON")


def test_a_byte_order_mark_is_ignored(write):
    assert read_document(write("a.yaml", b"\xef\xbb\xbfa: 1")).data == {"a": 1}


YAML = "a: 1\nb:\n  - x: 2\n    y:\n      z: 3\n  -\n    x: 4\nc: &c\n  d: 5\ne: *c\n"
JSON = '{"a": 1,\n"b": [\n{"x": 2,\n"y": {\n"z": 3}},\n{\n"x": 4}],\n"c": {\n"d": 5}, "e":\n"\\"{"}'


@pytest.mark.parametrize(
    ("path", "in_yaml", "in_json"),
    [
        ((), 1, 1),
        (("a",), 1, 1),
        (("b",), 2, 2),
        (("b", 0, "x"), 3, 3),
        (("b", 0, "y"), 4, 4),
        (("b", 0, "y", "z"), 5, 5),
        (("b", 0, "nothing"), 3, 3),
        (("b", 1, "x"), 7, 7),
        (("b", 2), 2, 2),
        (("c", "d"), 9, 9),
        (("nothing",), 1, 1),
    ],
)
def test_lines(write, path, in_yaml, in_json):
    assert read_document(write("a.yaml", YAML)).line(path) == in_yaml
    assert read_document(write("a.json", JSON)).line(path) == in_json


def test_the_line_of_a_key_that_is_not_its_values(write):
    document = read_document(write("a.json", JSON))
    assert document.line(("e",)) == 10
    assert document.line(("e",), of_key=True) == 9
    assert read_document(write("a.yaml", YAML)).line(("e", "d")) == 10  # the alias, where it is used


def test_files_that_cannot_be_read(tmp_path, write):
    assert refused(tmp_path) == "None: is a folder, expected a file"
    assert refused(tmp_path / "nowhere.yaml") == "None: no such file"
    assert refused(tmp_path / "a\0b") == "None: no file can be called so, there is a NUL in its name"
    assert refused(tmp_path / ("x" * 300)) == "None: cannot be read: File name too long"
    assert refused(write("a.yaml", b"a: \0")) == "None: a binary file, expected YAML or JSON"
    assert refused(write("b.yaml", b"a: 1\nb: \xe9")) == "2: not UTF-8 text, expected YAML or JSON in UTF-8"
    assert refused(write("c.json", "")) == "1: the file is empty"


def test_large_files_are_not_read(tmp_path):
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert refused(path) == "None: larger than 64 MiB, the limit for a file"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device here")
def test_endless_files_are_not_read_to_the_end():
    assert refused(Path("/dev/zero")) == "None: larger than 64 MiB, the limit for a file"


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_nesting_up_to_64(write, name):
    assert read_document(write(name, '{"a":\n' * 64 + "1" + "}" * 64)).data
    assert refused(write(name, '{"a":\n' * 65 + "1" + "}" * 65)) == "65: nested deeper than 64 levels"
    assert refused(write(name, '{"a":' * 500_000)) == "1: nested deeper than 64 levels"


def test_nesting_by_aliases(write):
    text = "a: &a " + "[" * 40 + "]" * 40 + "\nb: " + "[" * 40 + "*a" + "]" * 40
    assert refused(write("a.yaml", text)) == "2: nested deeper than 64 levels, aliases expanded"


def test_yaml_brackets_by_the_million_are_refused(write):
    assert refused(write("a.yaml", "[" * 10_000_000)) == "1: nested deeper than 64 levels"


def test_a_bomb_is_refused_and_a_small_one_is_read(write):
    lines = [f"k{i}: &k{i} [{', '.join([f'*k{i - 1}'] * 10)}]" for i in range(1, 40)]
    bomb = "\n".join(["k0: &k0 [x, x]", *lines])
    assert refused(write("a.yaml", bomb)) == "8: more than 5,000,000 values, aliases expanded"
    assert read_document(write("b.yaml", "\n".join(bomb.splitlines()[:5]))).data


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: *b", "1: the alias *b refers to nothing above it"),
        ("a:\n  ? [b]\n  : c", "2: expected text as a key, got a mapping or a list"),
        ("a: &x [1]\n*x : 2", "2: expected text as a key, got the alias *x"),
        ("a: !!float 1", "1: the tag !!float is not allowed: plain values only"),
        ("a: ! 1", "1: the tag ! is not allowed: plain values only"),
        ("é: 1\na: \x01", "2: not YAML: control characters are not allowed"),
        ("a: 1e-101", "1: a number beyond 1e100 or below 1e-100 is not allowed"),
        ("---\n", "2: expected a mapping at the top, got nothing"),
        ("12", "1: expected a mapping at the top, got 12"),
    ],
)
def test_yaml_that_is_not_allowed(write, text, message):
    assert refused(write("a.yaml", text)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": {"b": 1,\n"c": 2,\n"b": 3}}', "3: duplicate key 'b'"),
        ('{"a":\n-Infinity}', "2: -Infinity is not a finite number"),
        ('{"a": "1e999",\n"b": 1e999}', "2: a number beyond 1e100 or below 1e-100 is not allowed"),
        ('{"a": "\\\\\\\\",\n"b": "\\ude00"}', "2: \\ude00 alone is half a character"),
        ("[1]", "1: expected a mapping at the top, got [1]"),
        ('{"a": 1} {}', "1: not JSON: Extra data"),
    ],
)
def test_json_that_is_not_allowed(write, text, message):
    assert refused(write("a.json", text)) == message


def test_errors_are_one_line_and_can_be_pickled():
    error = InputError("expected\ntext", file="a\x1b.yaml", line=3, field="b")
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == "a\\x1b.yaml:3: b: expected\\ntext"
    assert str(pickle.loads(pickle.dumps(NetworkError("no", layer="fc1")))) == "layer 'fc1': no"
