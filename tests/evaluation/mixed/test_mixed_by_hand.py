"""Layers on small arrays that can be worked out on paper."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import linear_chain
from mixed_machines import array_of, kind_of, setting_of

from hypar_opt.evaluation.mixed import communication_bytes, exchanged, resident, step_time, stints, waits
from hypar_opt.instance.network import Network, workload

FAST, SLOW = kind_of("fast", rate=300, bandwidth=20), kind_of("slow", rate=100, bandwidth=7)
TWO = workload(Network((5,), linear_chain(9, 4)))
"""fc1, of 45 weights, and fc2, of 36."""
ONE = workload(Network((5,), linear_chain(9)))
A, B = Fraction(5, 7), Fraction(2, 7)
PAIR = {"root": A}
TREE = {"root": Fraction(2, 3), "1": Fraction(3, 4)}
F = 6 * 9 * 2
"""Bytes of what fc1 writes for the batch; as many are of its error."""


def pair(**options):
    return setting_of(array_of((0, 1), (FAST, SLOW)), **({"batch": 6, "size": 2} | options))


def tree(reads="accelerator", **options):
    """Two fast ones beside a fast one and a slow one."""
    return setting_of(array_of((0, 0, 0, 1), (FAST, SLOW), reads), **({"batch": 6, "size": 2} | options))


@pytest.mark.parametrize(
    ("before", "after", "forward", "backward"),
    [
        ("n", "n", (0, 0), (0, 0)),
        ("n", "d", (0, B), (B, 0)),  # the idle half reads its samples, and sends their errors back
        ("n", "m", (0, B), (B, 0)),
        ("n", "o", (0, 1), (0, 0)),
        ("d", "n", (B, 0), (0, B)),
        ("m", "n", (0, 0), (0, 1)),
        ("o", "n", (B, 0), (0, B)),
    ],
)
def test_where_one_half_does_it_all(before, after, forward, backward):
    found = exchanged(TWO, {"fc1": before, "fc2": after}, PAIR, pair())
    passed = {one.moved: one.read for one in found if one.part.boundary is not None}
    ways = passed.get("feature", (0, 0)), passed.get("error", (0, 0))
    assert ways == (tuple(part * F for part in forward), tuple(part * F for part in backward))
    assert {one.part.layer for one in found if one.moved == "sums"} == {
        at for at, letter in enumerate((before, after)) if letter != "n"
    }


def test_the_slower_half_is_the_idle_one_wherever_it_stands():
    words = {"fc1": "n", "fc2": "n"}
    operations = 3 * 2 * 6 * (45 + 36)
    assert waits(TWO, words, PAIR, pair()) == ((Fraction(operations, 300), 0),)
    turned = setting_of(array_of((0, 1), (SLOW, FAST)), batch=6)
    assert waits(TWO, words, PAIR, turned) == ((0, Fraction(operations, 300)),)


def test_who_waits_for_whom():
    """fc1 on the fast one alone, then both: they wait at the end, behind each kind of work, or behind each layer."""
    words = {"fc1": "n", "fc2": "d"}
    first = Fraction(3 * 2 * 6 * 45, 300)
    second = A * Fraction(3 * 2 * 6 * 36, 300), B * Fraction(3 * 2 * 6 * 36, 100)
    sums = Fraction(36 * 2, 20), Fraction(36 * 2, 7)
    passed = B * Fraction(F, 20), B * Fraction(F, 7)  # back to the fast one, forward to the slow one
    read = sums[0] + passed[0], sums[1] + passed[1]
    assert waits(TWO, words, PAIR, pair()) == ((first + second[0] + read[0], second[1] + read[1]),)
    by_level = ((first + second[0], second[1]), read)
    assert waits(TWO, words, PAIR, pair(barrier="level")) == by_level
    by_layer = ((first, 0), (second[0] + read[0], second[1] + read[1]))
    assert waits(TWO, words, PAIR, pair(barrier="layer")) == by_layer
    assert step_time(TWO, words, PAIR, pair(barrier="layer")) == first + second[1] + read[1]
    assert [one.doing for one in stints(TWO, words, PAIR, pair())] == [
        "computing", "computing", "sums", "feature", "error",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "root", "below"),
    [
        ("dd", (90, 90), (90, 90, 90)),
        ("dm", (90, 90), (72, 36, 36)),  # sums of samples that the groups have: 2/3 and 1/3
        ("md", (F, F), (60, 30, 30)),
        ("mm", (F, F), (F, F, F)),
        ("od", (60, 60), (60, 30, 30)),
        ("nd", (0, 0), (90, 0, 0)),  # the group of two fast ones has it all
    ],
)
def test_partial_sums_of_two_levels(word, root, below):
    """Bytes that the halves of the array read, and then one of the first group, and both of the second."""
    found = {one.part.level: one.read for one in exchanged(ONE, {"fc1": word}, TREE, tree())}
    assert found.get(0, (0, 0, 0)) == (root[0], root[1], root[1])
    assert found[1] == below
    level = sum(below) + below[0]
    assert communication_bytes(ONE, {"fc1": word}, TREE, tree()).intra == ((sum(root), level),)


@pytest.mark.parametrize(("reads", "paces"), [("accelerator", ((40, 27), 20, 7)), ("group", ((20, 7), 20, 7))])
def test_waits_of_two_levels(reads, paces):
    (first, second), fast, slow = paces
    operations, setting = 3 * 2 * 6 * 45, tree(reads)
    assert [one.name for one in setting.array.classes] == ["fast:0", "fast:10", "slow"]
    shares = Fraction(2, 3) / 2, Fraction(1, 3) * Fraction(3, 4), Fraction(1, 3) * Fraction(1, 4)
    assert waits(ONE, {"fc1": "dm"}, TREE, setting) == (
        (
            shares[0] * operations / 300 + Fraction(90, first) + Fraction(72, fast),
            shares[1] * operations / 300 + Fraction(90, second) + Fraction(36, fast),
            shares[2] * operations / 100 + Fraction(90, second) + Fraction(36, slow),
        ),
    )


@pytest.mark.parametrize(
    ("accounting", "error"),
    [
        ("published", (F * A / 2, F * B * 1)),
        ("receiver", (F * 1 / 2, F * 1)),
        ("as-evaluated", (0, 0)),
    ],
)
def test_which_box_an_error_is_sized_by(accounting, error):
    """mm -> dm: at the second level the writer needs it whole, and the reader has a part of the group's columns."""
    setting = setting_of(array_of((0, 0, 0, 1), (FAST, SLOW)), batch=6, size=2, accounting=accounting)
    shares = {"root": A, "1": Fraction(1, 4)}
    found = exchanged(TWO, {"fc1": "mm", "fc2": "dm"}, shares, setting)
    errors = [one.read for one in found if one.moved == "error" and one.part.level == 1]
    whole = error[1]
    assert errors == ([(error[0], whole * Fraction(3, 4), whole * Fraction(1, 4))] if error[0] else [])
    assert not any(one.moved == "feature" for one in found)


def test_what_stays_in_memory():
    """W, dW and two states of Adam, and F[l]; of two bytes each."""
    adam = {"optimiser": "adam"}
    kept = resident(TWO, {"fc1": "d", "fc2": "m"}, PAIR, pair(**adam))
    assert kept == (
        {"fc1": 2 * (4 * 45 + A * 6 * 5), "fc2": 2 * (4 * A * 36 + A * 6 * 9)},
        {"fc1": 2 * (4 * 45 + B * 6 * 5), "fc2": 2 * (4 * B * 36 + B * 6 * 9)},
    )
    (first, second) = resident(TWO, {"fc1": "n", "fc2": "o"}, PAIR, pair(**adam))
    assert first == {"fc1": 2 * (4 * 45 + 6 * 5), "fc2": 2 * (4 * A * 36 + 6 * 9)}
    assert second == {"fc1": 0, "fc2": 2 * (4 * B * 36 + 6 * 9)}
    in_tree = resident(ONE, {"fc1": "do"}, TREE, tree())
    expected = [(Fraction(2, 3), Fraction(1, 2)), (Fraction(1, 3), Fraction(3, 4)), (Fraction(1, 3), Fraction(1, 4))]
    assert in_tree == tuple({"fc1": 2 * (2 * below * 45 + root * 6 * 5)} for root, below in expected)
