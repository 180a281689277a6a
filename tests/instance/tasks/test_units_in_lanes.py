"""Who has which unit when: as many lanes as there are at once, and no two at once in one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.tasks.units import lanes_of

SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), max_size=8)


@given(SPANS)
def test_as_many_lanes_as_there_are_at_once(drawn):
    spans = [(begin, begin + length, 1) for begin, length in drawn]
    lanes = lanes_of(spans)
    assert len(lanes) == max((sum(a <= time < b for a, b, _ in spans) for time in range(18)), default=0)
    assert sorted(place for own in lanes for place in own) == [n for n, (a, b, _) in enumerate(spans) if a < b]
    for own in lanes:
        taken = [time for place in own for time in range(*spans[place][:2])]
        assert len(taken) == len(set(taken))


def test_units_that_nobody_has_are_there_where_their_number_is_given():
    assert lanes_of([(0, 2, 2), (2, 3, 1)], 3) == [[0, 1], [0], []]
