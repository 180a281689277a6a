"""Strategies that are given: patterns of layers' names, and words in which levels are left open."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest
from helpers import document, instance_of, linear_chain
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance import Instance, Overrides, load, read_instance
from hypar_opt.instance.fix import clash, fix_text, joined, resolved
from hypar_opt.util.errors import InputError

WHOLE = document(linear_chain(8, 8, 8), [8], levels=3)
WORDS = st.text("dmo.", min_size=3, max_size=3)


@given(WORDS, WORDS)
def test_two_words_agree_if_some_word_is_both(one, other):
    every = [a + b + c for a in "dmo" for b in "dmo" for c in "dmo"]
    both = {word for word in every if re.fullmatch(one, word) and re.fullmatch(other, word)}
    assert (clash(one, other) is None) is bool(both)
    if both:
        assert both == {word for word in every if re.fullmatch(joined(one, other), word)}


@given(st.dictionaries(st.sampled_from(["fc1", "fc?", "*", "fc[12]", "*2"]), st.just("d.."), max_size=3))
def test_patterns_are_those_of_a_shell(fix):
    names = ("fc1", "fc2", "conv2")
    expected = {name for name in names if any(fnmatchcase(name, pattern) for pattern in fix)}
    assert resolved(fix, names).keys() == expected


def test_patterns_and_words_in_a_file_combine():
    given = instance_of({**WHOLE, "fix": {"fc*": "d..", "fc2": ".m.", "fc[3]": "dd."}})
    assert given.fix == {"fc1": "d..", "fc2": "dm.", "fc3": "dd."}
    assert given.spec.fix == {"fc*": "d..", "fc2": ".m.", "fc[3]": "dd."}


def test_a_name_that_looks_like_a_pattern_is_a_name_first():
    layers = [{"name": name, "linear": {"features": 8}} for name in ("a", "[a]", "*")]
    assert instance_of(document(layers, [8], fix={"[a]": "d", "*": "m"})).fix == {"[a]": "d", "*": "m"}


FAULTS = {
    "nothing matches": ({"cf*": "d.."}, "fix['cf*']: 'cf*' matches no layer; the nearest is 'fc"),
    "no such layer": ({"fc9": "d.."}, "fix.fc9: 'fc9' is no layer; did you mean 'fc"),
    "wrong letter": (
        {"fc?": "d.x"},
        "expected letters from d, m, or . where it is open, got 'd.x'; 'fc?' matches 'fc1'",
    ),
    "wrong length": ({"fc1": "d."}, "fix.fc1: expected 3 letters, one a level, or . where it is open, got 'd.'"),
    "a contradiction": (
        {"fc*": "d..", "*2": ".m.", "fc[23]": "..m", "fc2": "dd."},
        "fix.fc2: 'fc2' gives layer 'fc2' 'dd.' and '*2' gives it '.m.': they contradict each other at level 2",
    ),
    "no text": ({"fc1": 3}, "fix.fc1: expected text, got 3"),
}


@pytest.mark.parametrize(("fix", "message"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_in_a_file(fix, message):
    with pytest.raises(InputError, match=re.escape(message)):
        instance_of({**WHOLE, "fix": fix})


def test_a_pattern_of_layers_without_weights_only():
    layers = [{"name": "conv1", "conv": {"filters": 4, "kernel": 1}}, {"name": "pool1", "pool": {"kernel": 2}}]
    with pytest.raises(InputError, match=re.escape("fix['p*']: 'p*' matches no layer that has weights or joins")):
        instance_of(document(layers, [3, 4, 4], fix={"p*": "d"}))


def test_words_that_agree_may_still_be_more_than_groups_allow():
    layers = [{"name": "conv", "conv": {"filters": 6, "kernel": 1, "groups": 2}}]
    whole = document(layers, [6, 4, 4], levels=2, fix={"conv": "m.", "c*": ".m"})
    with pytest.raises(InputError, match=r"fix\['c\*'\]: expected m at most once, .* got 'mm'; 'c\*' matches 'conv'$"):
        instance_of(whole)


def test_an_override_adds_to_the_instances_own():
    instance = instance_of({**WHOLE, "fix": {"fc1": "d.."}}, fix=fix_text({"fc1": ".m.", "*3": "mmm"}))
    assert instance.fix == {"fc1": "dm.", "fc3": "mmm"}
    assert instance.overrides == {"fix": {"fc1": ".m.", "*3": "mmm"}}
    assert instance.sha256 == instance_of({**WHOLE, "fix": {"fc1": "d.."}}).sha256
    again = instance.replace(fix=["fc2=..d"]).replace(fix={"fc2": "m.."}, levels=3)
    assert again.fix == {"fc1": "dm.", "fc3": "mmm", "fc2": "m.d"}
    assert again.overrides == {"fix": {"fc1": ".m.", "*3": "mmm", "fc2": "m.d"}, "levels": 3}
    assert Instance.from_dict(again.to_dict()).fix == again.fix
    assert again.replace(fix={}).overrides == again.overrides


def test_a_file_with_patterns_is_written_and_read_again(tmp_path):
    instance = load("vgg-a", fix={"conv*": "....", "fc1": "d...", "fc[23]": "...m"})
    path = tmp_path / "a.yaml"
    path.write_text(instance.to_yaml(), encoding="utf-8")
    again = read_instance(path)
    assert (again.fix, again.to_dict()) == (instance.fix, instance.to_dict())
    assert again.fix == {"fc1": "d...", "fc2": "...m", "fc3": "...m"}


OVERRIDDEN = {
    "nothing matches": ({"cf*": "d.."}, "--fix cf*: 'cf*' matches no layer; the nearest is 'fc"),
    "the file's own pattern": (
        {"fc1": "m.."},
        "--fix: 'fc1' is given 'd..' already, and 'm..' contradicts it at level 1",
    ),
    "another length": ({"fc1": "m"}, "--fix: 'fc1' is given 'd..' already, got 'm' of another length"),
    "another pattern": (
        {"fc?": "m.."},
        "--fix fc?: 'fc?' gives layer 'fc1' 'm..' and 'fc1' gives it 'd..': they contradict each other at level 1",
    ),
    "no mapping": (3, "--fix: expected a mapping of layers or patterns to words, got 3"),
    "no word": ({"fc1": None}, "--fix: expected text, got nothing"),
    "no sign": ("fc1", "--fix: expected PATTERN=WORD, for example 'conv*=d...', got 'fc1'"),
}


@pytest.mark.parametrize(("fix", "message"), OVERRIDDEN.values(), ids=OVERRIDDEN)
def test_what_is_wrong_in_an_override(fix, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        instance_of({**WHOLE, "fix": {"fc1": "d.."}}, fix=fix_text(fix))
    name = message.partition(":")[0]
    with pytest.raises(InputError, match=re.escape(message.removeprefix(name))):
        instance_of({**WHOLE, "fix": {"fc1": "d.."}}).replace(fix=fix)


def test_the_files_own_words_are_blamed_on_the_file():
    with pytest.raises(InputError, match=r"instance.json:1: fix.fc1: expected 2 letters, one a level \(--levels 2\)"):
        instance_of({**WHOLE, "fix": {"fc1": "d.."}}, levels=2, fix=fix_text({"fc2": "dd"}))


def test_whole_words_keep_their_hash():
    """Of the releases before there were patterns."""
    text = {**WHOLE, "fix": {"fc1": "dmd"}}
    assert instance_of(text).sha256 == HASH
    assert Overrides().given() == {}


HASH = "0bdafae6b373b47b71d817f57b99a076c0ed73bf9d645cc9637907f8c15c4612"
