"""What is counted beside what is predicted, conversion by conversion: which collective is whose."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.count.comparison import compared
from hypar_opt.count.hlo import Collective
from hypar_opt.count.received import Mesh
from hypar_opt.evaluation.operators import Movement

SOURCE = ("x", "backward", "fc")
AGAIN = {"x/again/fc": SOURCE, "x/backward/fc": SOURCE}
"""What a program says apart; one that does not has one name for both."""


def called(kind, elements, name):
    return Collective(kind, ((0, 1),), 4 * elements, elements, f"jit(step)/{name}/{kind}")


def moved(kind, size):
    return Movement(*SOURCE, kind, "a", Fraction(size), 1, Fraction(size, 2), 1)


@pytest.mark.parametrize("names", [AGAIN, {"x/backward/fc": SOURCE}], ids=["two names", "one name"])
def test_what_is_gathered_again_and_a_gradient_that_is_added_up(names):
    """Of sixteen numbers that are gathered and eight that are summed up, in a conversion that has split them before."""
    again, gradient = next(iter(names)), list(names)[-1]
    counted = [called("all-gather", 16, again), called("reduce-scatter", 4, gradient),
               called("all-gather", 8, gradient)]  # fmt: skip
    predicted = [moved("all-gather", 64), moved("all-reduce", 64)]
    found = {line.kind: line for line in compared(predicted, counted, names, ["a"], Mesh((2,), (0,)), 4)}
    assert list(found) == ["all-gather", "all-reduce"]
    assert [line.difference for line in found.values()] == [0, 0]


def test_gathers_larger_than_what_is_summed_up_are_of_the_sum_where_it_has_a_name():
    counted = [called("all-gather", 8, "x/again/fc"), called("reduce-scatter", 4, "x/backward/fc"),
               called("all-gather", 16, "x/backward/fc")]  # fmt: skip
    predicted = [moved("all-gather", 32), moved("all-reduce", 96)]
    assert all(not line.difference for line in compared(predicted, counted, AGAIN, ["a"], Mesh((2,), (0,)), 4))
