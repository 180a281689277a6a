"""Trees with shares that are wrong, each told with its reason; and what right ones come to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.evaluation.collective.packing import JudgedPacking
from hypar_opt.instance.collective import read_packing
from hypar_opt.util.errors import InputError
from tests.collectives import collective_of

LINK = {"bandwidth": 3}
PATH = {
    "nodes": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "s", "kind": "switch"}],
    "links": [{"ends": ["a", "b"]}, {"ends": ["b", "c"], "bandwidth": 1}, {"ends": ["a", "s"]}, {"ends": ["s", "c"]}],
}
"""Three on a path, and a switch between both ends."""


def judged(texts, collective="broadcast", **said):
    root = {"root": "a"} if collective == "broadcast" else {}
    instance = collective_of(
        "custom", collective, graph=PATH, link=LINK, objective="bandwidth", bytes=12, **root, **said
    )
    return JudgedPacking(instance, read_packing(instance, texts))


def test_links_are_busy_with_all_shares_on_them():
    found = judged({"a": "1/4: a>b b>c | 3/4: a>s>c c>b"})
    assert found.fault is None
    assert {found.instance.machine.path(hop): seconds for hop, seconds in found.seconds_by_link.items()} == {
        "a -> b": 1, "a -> s": 3, "b -> c": 3, "c -> b": 9, "s -> c": 3,
    }  # fmt: skip
    assert (found.objective, found.bytes_sent) == (9, 24)


def test_sums_come_together_and_go_out_again():
    found = judged(
        {"a": "1: b+a c+s+a a>b a>s>c", "b": "1: a+b c+b b>a b>c", "c": "1: a+s+c b+c c>b c>s>a"}, "all-reduce"
    )
    assert found.fault is None
    assert found.objective == 4 * Fraction(2)


@pytest.mark.parametrize(
    ("text", "collective", "kind", "message"),
    [
        ("1/2: a>b b>c | 1/4: a>b b>c", "broadcast", "shares", "chunk 'a': its shares add up to 3/4, expected 1"),
        ("", "broadcast", "shares", "add up to 0, expected 1"),
        ("1: a>c a>b", "broadcast", "route", "there is no link a -> c"),
        ("1: a>s s>c a>b", "broadcast", "route", "s is a switch"),
        ("1: a>b", "broadcast", "incomplete", "c does not get it"),
        ("1: a>b b>c a>s>c", "broadcast", "overwritten", "c gets it twice"),
        ("1: b>c c>b", "broadcast", "incomplete", "b does not get it"),
        ("1: a>b b>c c>s>a", "broadcast", "overwritten", "a gets it twice"),
        ("1: b+a a>b a>s>c", "all-reduce", "incomplete", "comes together in one place, and here in a, c"),
        ("1: b+a b+c c+s+a a>b b>c", "all-reduce", "added-twice", "what b adds is added twice"),
        ("1: a+b b+a a>b b>c", "all-reduce", "incomplete", "what a adds never gets to c"),
        ("1: a+b b+c c+s+a a>b b>c", "all-reduce", "incomplete", "here in no accelerator"),
        ("1: b+a c+s+a", "all-reduce", "incomplete", "b does not get it"),
    ],
)
def test_what_is_wrong_is_told(text, collective, kind, message):
    texts = {"a": text} | (
        {} if collective == "broadcast" else {"b": "1: b+a c+s+a a>b b>c", "c": "1: b+a c+s+a a>b b>c"}
    )
    fault = judged(texts, collective).fault
    assert fault is not None
    assert fault.kind == kind
    assert message in fault.text


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"d": "1: a>b"}, "no chunk is called 'd'"),
        ({"a": "a>b"}, "expected 1/4: a0>a1 a1>a2"),
        ({"a": "1/0: a>b"}, "expected 1/4: a0>a1 a1>a2"),
        ({"a": "0: a>b"}, "expected 1/4: a0>a1 a1>a2"),
        ({"a": "1: a>b |"}, "expected 1/4: a0>a1 a1>a2"),
        ({"a": "1: a"}, "chunk 'a', 'a': expected a0>a1, or a0+a1 of a sum"),
        ({"a": "1: a>d"}, "no node is called 'd'"),
    ],
)
def test_trees_that_cannot_be_read_are_named(texts, message):
    with pytest.raises(InputError) as wrong:
        judged(texts)
    assert message in wrong.value.message
