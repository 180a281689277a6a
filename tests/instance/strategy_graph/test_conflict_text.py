"""Conflicts of strategy graphs in words."""

from __future__ import annotations

import pytest

from hypar_opt.solver.infeasibility.conflict import UNEXPLAINED, Conflict


@pytest.mark.parametrize(
    ("conflict", "text"),
    [
        (
            Conflict((4,), 1000, 1234, enough=True),
            "memory: at time 4 any plan that has nothing forbidden uses at least 1,234, and there are 1,000; "
            "234 more would be enough for that time",
        ),
        (
            Conflict((4,), 1000, 1234),
            "memory: at time 4 any plan that has nothing forbidden uses at least 1,234, and there are 1,000",
        ),
        (
            Conflict((4, 7), 10, 12, enough=True),
            "memory: at time 4 any plan that has nothing forbidden and keeps to the limit at time 7 uses at least 12, "
            "and there are 10; 2 more would be enough for these times",
        ),
        (
            Conflict((4, 7, 8, 9), 10, 12),
            "memory: at time 4 any plan that has nothing forbidden and keeps to the limit at times 7, 8 and 9 uses at "
            "least 12, and there are 10",
        ),
        (
            Conflict((4, 7), 1000),
            "memory: there is no plan that has nothing forbidden and keeps to the limit at times 4 and 7, "
            "which is 1,000",
        ),
        (
            Conflict(tuple(range(9)), 5),
            "memory: there is no plan that has nothing forbidden and keeps to the limit at times 0, 1, 2, 3, 4, 5, 6, "
            "7 and 8, which is 5",
        ),
        (
            Conflict(tuple(range(1010)), 5),
            "memory: there is no plan that has nothing forbidden and keeps to the limit at times 0, 1, 2, 3, 4, 5, 6, "
            "7 and 1,002 more, which is 5",
        ),
        (Conflict((), 5, nodes=(3,)), "the forbidden costs of node 3 leave no plan, however much memory there is"),
        (Conflict((), 5, nodes=tuple(range(9))), "the forbidden costs leave no plan, however much memory there is"),
    ],
)
def test_in_words(conflict, text):
    assert conflict.text == text


def test_what_was_not_found_in_words():
    assert UNEXPLAINED == "why there is no plan was not found within the limits of the search for it"
