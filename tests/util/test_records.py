"""Copies of records under other names."""

from __future__ import annotations

from dataclasses import replace

from hypar_opt.instance.operators import Tensor
from hypar_opt.util.records import copies, renamed


def test_it_is_what_replace_gives_and_the_record_stays_as_it_was():
    one = Tensor("a", (2, 3), "parameter", 2)
    assert renamed(one, name="b") == replace(one, name="b") == Tensor("b", (2, 3), "parameter", 2)
    assert one.name == "a"


def test_copies_have_their_own_of_some_fields():
    one = Tensor("a", (2, 3), "parameter", 2)
    found = copies(one, name=["b", "c"], sizes=[(1,), (4, 5)])
    assert found == [Tensor("b", (1,), "parameter", 2), Tensor("c", (4, 5), "parameter", 2)]
    assert one == Tensor("a", (2, 3), "parameter", 2)
