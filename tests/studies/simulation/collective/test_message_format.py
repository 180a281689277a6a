"""Flits, messages and heads."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.studies.simulation.collective import MessageFormat


@given(
    st.fractions(0, 500, max_denominator=3), st.integers(1, 40), st.none() | st.integers(1, 9), st.integers(0, 3)
)  # fmt: skip
def test_flits_are_those_that_are_filled_one_after_the_other(size, flit, payload, head):
    count, room, carried = 0, 0, Fraction(0)
    while carried < size:
        if not room:
            count, room = count + head, payload or 10**9
        count, room, carried = count + 1, room - 1, carried + flit
    message = MessageFormat(flit, payload, head)
    assert message.flits(size) == count
    assert message.bytes_on_link(size) == count * flit


def test_messages_of_papers():
    # 256 bytes in flits of 16, one more for the head (Huang et al., ISCA 2021); 8,192 bytes in flits of 512
    assert MessageFormat(16, 16).flits(Fraction(256)) == MessageFormat(512, 16).flits(Fraction(8192)) == 17
    assert MessageFormat(16, 16).flits(Fraction(2**20)) == 69632
    assert MessageFormat(16).flits(Fraction(2**20)) == 65537


@pytest.mark.parametrize("wrong", [(0, 16, 1), (16, 0, 1), (16, 16, -1)])
def test_what_is_no_format(wrong):
    with pytest.raises(ValueError, match="expected flits and payloads of at least 1"):
        MessageFormat(*wrong)
