"""Rows in small numbers, and covers: every choice within a limit keeps them, one beyond it breaks its own."""

from __future__ import annotations

from itertools import product
from random import Random

from helpers import each

from formulations.flow_model.covers import ROOM, CapacityRow, all_but, beyond


def drawn(seed):
    """Return a row of three variables of three values, its limit what some choice uses, or 1 off."""
    rng = Random(seed)
    base = int(10 ** rng.uniform(0, 18))
    numbers = [0, base, base + 1, base // 2, base // 3 + 1, rng.randrange(base + 1)]
    usages = {(v, i): rng.choice(numbers) for v in range(3) for i in range(3)}
    row = CapacityRow("memory", {pair: use for pair, use in usages.items() if use}, 0)
    limit = row.used([rng.randrange(3) for _ in range(3)]) + rng.choice([-1, 0, 1])
    return CapacityRow("memory", row.usages, max(0, limit))


@each("seed", range(200))
def test_what_is_within_a_limit_keeps_the_small_row(seed):
    row = drawn(seed)
    small = row.relaxed()
    assert 0 <= small.limit <= ROOM
    assert all(0 < use <= ROOM + 1 for use in small.usages.values())
    for choice in product(range(3), repeat=3):
        if row.used(choice) <= row.limit:
            assert small.used(choice) <= small.limit
        elif row.limit <= ROOM:
            assert small.used(choice) > small.limit


@each("seed", range(200))
def test_a_cover_cuts_off_its_choice_and_nothing_within_the_limit(seed):
    row = drawn(seed)
    every = list(product(range(3), repeat=3))
    for choice in every:
        if row.used(choice) > row.limit:
            cover = row.cover(choice)
            assert set(cover.usages.values()) == {1}
            assert cover.used(choice) == cover.limit + 1
            assert all(cover.used(one) <= cover.limit for one in every if row.used(one) <= row.limit)


def test_as_few_as_exceed_a_limit_are_taken():
    assert beyond([3, 9, 1, 5], 13) == [1, 3]
    assert beyond([3, 9, 1, 5], 14) == [1, 3, 0]
    assert beyond([3, 9, 1, 5], 8) == [1]


def test_all_but_one_choice_keep_its_row():
    row = all_but((1, 0, 2))
    assert [one for one in product(range(3), repeat=3) if row.used(one) > row.limit] == [(1, 0, 2)]
