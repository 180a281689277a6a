"""What conversions and halos take on links: by hand, and in the best of all orders of axes."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np
import pytest

from hypar_opt.cost.operators.borders import wait_at_borders
from hypar_opt.cost.operators.link_charges import Joules, Seconds
from hypar_opt.evaluation.operators.conversion import converted
from hypar_opt.evaluation.operators.halos import slowest
from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, needed
from hypar_opt.instance.operators import Operand, OperatorGraph, Tensor, Window
from hypar_opt.instance.operators.links import AxisLink
from tests.helpers import each

MEGABYTE = 10**6


def charge(kind, size, *axes):
    """Return what charges one tensor on axes of a size, a bandwidth and a latency."""
    graph = OperatorGraph({"x": Tensor("x", (size,), "input", 1)}, ())
    links = tuple(AxisLink(Fraction(wide), Fraction(late), Fraction(1, wide)) for _, wide, late in axes)
    return kind(graph, tuple(length for length, _, _ in axes), links)


def cost(found, size, have, need):
    moved = found.conversion(size, np.array([have], dtype=np.int8), np.array([need], dtype=np.int8), (size,))
    return Fraction(int(moved[0]), found.unit)


def test_a_ring_adds_up_a_megabyte_on_four_devices():
    found = charge(Seconds, MEGABYTE, (4, 10**6, Fraction(1, 1000)))
    ring = 2 * 3 * (Fraction(1, 4) + Fraction(1, 1000))  # six messages of a quarter each
    assert cost(found, MEGABYTE, [-2], [-1]) == ring
    assert cost(found, MEGABYTE, [-2], [0]) == ring / 2
    assert cost(found, MEGABYTE, [0], [-1]) == ring / 2
    assert cost(found, MEGABYTE, [0], [1]) == 3 * (Fraction(1, 16) + Fraction(1, 1000))
    assert cost(found, MEGABYTE, [-1], [0]) == cost(found, 0, [-2], [-1]) == 0


def test_links_spend_by_what_all_devices_receive():
    found = charge(Joules, MEGABYTE, (4, 10**6, 0))
    assert cost(found, MEGABYTE, [-2], [-1]) == 2 * 3  # of a megabyte, at a joule each


def in_order(sizes, waits, sums, order):
    """Return what a megabyte takes axis by axis: partial sums where `sums`, else gathers of what is split on all."""
    share, total = (Fraction(1), Fraction(0)) if sums else (Fraction(1, int(np.prod(sizes))), Fraction(0))
    for axis in order:
        moved = share * (1 - Fraction(1, sizes[axis])) if sums else share * (sizes[axis] - 1)
        total += moved * MEGABYTE * waits[axis]
        share = share - moved if sums else share + moved
    return total


@each("seed", range(300), quick=40)
def test_no_order_of_axes_is_better(seed):
    random = Random(seed)
    axes = [(random.randrange(2, 7), random.choice([1, 2, 3, 5, 5, 90]), 0) for _ in range(random.randrange(2, 5))]
    sizes, waits = [one[0] for one in axes], [Fraction(1, one[1]) for one in axes]
    found, orders = charge(Seconds, MEGABYTE, *axes), list(permutations(range(len(axes))))
    scattered = min(in_order(sizes, waits, True, order) for order in orders)
    gathered = min(in_order(sizes, waits, False, order) for order in orders)
    partial, whole, shards = [-2] * len(axes), [-1] * len(axes), [0] * len(axes)
    assert cost(found, MEGABYTE, partial, shards) == scattered
    assert cost(found, MEGABYTE, shards, whole) == gathered
    assert cost(found, MEGABYTE, partial, whole) == scattered + gathered


FIRST, SECOND = needed(Operand("x", ("a", "b")), ("a", "b"))


@pytest.mark.parametrize(("have", "need"), [((PARTIAL, PARTIAL), (WHOLE, WHOLE)), ((FIRST, PARTIAL), (WHOLE, SECOND))])
def test_devices_follow_the_order_of_their_links(have, need):
    inwards, outwards = converted((2, 3), have, need, (1, 0)), converted((2, 3), have, need, (0, 1))
    assert converted((2, 3), have, need) == inwards
    assert sum(one.tensors for one in inwards) == sum(one.tensors for one in outwards)
    assert sum(one.steps for one in inwards) == sum(one.steps for one in outwards)
    assert (inwards != outwards) == (have == (PARTIAL, PARTIAL))


IMAGE = Tensor("image", (2, 16, 16), "activation", 4)
WINDOWS = {"row": Window(16, kernel=3, before=1), "column": Window(16, kernel=2)}
READ = Operand("image", ("batch", "row", "column"), WINDOWS)
LINKS = (AxisLink(Fraction(64), Fraction(1)), AxisLink(Fraction(128), Fraction(1, 2)))


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        (("batch", "row"), Fraction(2 * 16 * 4, 128) + 2 * Fraction(1, 2)),  # a row of one image from either side
        (("row", "row"), (2 * 16 * 4) * (Fraction(1, 64) + Fraction(1, 128)) + 1 + Fraction(1, 2)),
        (("none", "column"), Fraction(2 * 16 * 4, 128) + Fraction(1, 2)),  # a column from one side alone
        (("batch", "batch"), 0),
    ],
)
def test_the_part_that_waits_longest_for_its_rows(word, seconds):
    need = [READ.dims.index(one) if one in READ.dims else -1 for one in word]
    costs = [(1 / one.bandwidth, one.latency) for one in LINKS]
    assert wait_at_borders(READ, IMAGE, need, (2, 4), costs) == seconds
    received = slowest(IMAGE, READ, word, (2, 4), LINKS)
    waits = [moved / LINKS[axis].bandwidth + count * LINKS[axis].latency for axis, (moved, count) in received.items()]
    assert sum(waits, start=Fraction(0)) == seconds
