"""What an array itself refuses, whoever builds it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.util.errors import MachineError

AB = (Link((0, 1)),)


def build(links=AB, names=("a", "b"), switches=(), **more):
    return Machine("custom", names, switches, tuple(links), **more)


WRONG = {
    "no accelerator": ({"links": (), "names": (), "switches": ("s",)}, "array: expected at least one accelerator"),
    "nothing at all": ({"links": (), "names": ()}, "array: expected at least one accelerator"),
    "not connected": ({"links": ()}, "array: is not connected: no path leads from 'a' to 'b'"),
    "one name twice": ({"names": ("a", "a")}, "array: two nodes are called 'a'"),
    "a switch of that name": ({"links": (*AB, Link((1, 2))), "switches": ("b",)}, "array: two nodes are called 'b'"),
    "to itself": ({"links": (*AB, Link((1, 1)))}, "array.links[1]: joins 'b' with itself"),
    "twice": ({"links": AB * 2}, "array.links[1]: joins 'a' and 'b', which are joined already"),
    "twice, reversed": (
        {"links": (*AB, Link((1, 0)))}, "array.links[1]: joins 'b' and 'a', which are joined already",
    ),
    "to nowhere": ({"links": (Link((0, 2)),)}, "array.links[0]: names node 2, there are 2"),
    "to before": ({"links": (Link((-1, 1)),)}, "array.links[0]: names node -1, there are 2"),
    "no bandwidth": (
        {"links": (Link((0, 1), Fraction(0)),)}, "array.links[0].bandwidth: expected a bandwidth above 0, got 0",
    ),
    "less than no bandwidth": (
        {"links": (Link((0, 1), Fraction(-1, 2)),)},
        "array.links[0].bandwidth: expected a bandwidth above 0, got -1/2",
    ),
    "negative latency": (
        {"links": (Link((0, 1), latency=Fraction(-1)),)}, "array.links[0].latency: expected at least 0, got -1",
    ),
    "negative energy": (
        {"links": (Link((0, 1), energy=Fraction(-1)),)}, "array.links[0].energy: expected at least 0, got -1",
    ),
    "another's routes": ({"rule": "e-cube"}, "array.rule: the routes of e-cube need a hypercube"),
    "routes without dims": (
        {"rule": "dimension-order"},
        "array.rule: the routes of dimension-order need a torus or a mesh with its dims",
    ),
    "no such rule": ({"rule": "splt"}, "array.rule: unknown rule 'splt'; did you mean 'split'?"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_an_array_that_cannot_be(change, message):
    with pytest.raises(MachineError) as caught:
        build(**change)
    assert str(caught.value) == message


def test_what_was_changed_above_is_fine_as_it_was():
    assert build().names == ("a", "b")
    assert build(links=(*AB, Link((1, 2))), switches=("s",)).neighbours == ((1,), (0, 2), (1,))
    assert build(links=(Link((0, 1), Fraction(1), Fraction(0), Fraction(0)),)).link_of[1, 0].bandwidth == 1
    assert build(rule="split").rule == "split"
    assert build(links=(), names=("a",)).links == ()


def test_names_that_cannot_be_printed_are_escaped():
    with pytest.raises(MachineError) as caught:
        build(names=("\x1b[31m", "\x1b[31m"))
    assert str(caught.value) == r"array: two nodes are called '\x1b[31m'"
