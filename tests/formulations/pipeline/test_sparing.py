"""The least time more that spares enough memory, against all choices."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from formulations.pipeline.sparing import Spared, least_sparing

WAYS = st.lists(st.tuples(st.integers(0, 9), st.integers(-1, 6)), max_size=2)


@given(st.lists(WAYS, max_size=6), st.integers(-1, 15), st.none() | st.integers(0, 20))
def test_all_choices(drawn, needed, most):
    items = {
        place: [Spared(time, saved, number) for number, (time, saved) in enumerate(own, start=1)]
        for place, own in enumerate(drawn)
    }
    least = None
    for chosen in product(*([None, *own] for own in items.values())):
        taken = [one for one in chosen if one is not None]
        time = sum(one.time for one in taken)
        if sum(one.saved for one in taken) >= needed and (most is None or time <= most):
            least = time if least is None else min(least, time)
    found = least_sparing(items, needed, most)
    if needed <= 0:
        assert found == (0, {})
        return
    assert (None if found is None else found[0]) == least
    if found is not None:
        taken = [one for place, number in found[1].items() for one in items[place] if one.number == number]
        assert sum(one.time for one in taken) == least
        assert sum(one.saved for one in taken) >= needed


def test_alike_items_are_taken_by_time():
    items = {place: [Spared(time, 10**15)] for place, time in enumerate(range(400, 0, -1))}
    assert least_sparing(items, 3 * 10**15 - 1) == (1 + 2 + 3, {399: 1, 398: 1, 397: 1})
