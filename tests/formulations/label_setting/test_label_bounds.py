"""Which labels the tests drop."""

from __future__ import annotations

import numpy as np
import pytest

from formulations.label_setting.bounds import AtMost, Completion, Undominated
from formulations.label_setting.table import Labels


def labels(*vectors, dtype=np.int64):
    """Return labels of one state."""
    columns = tuple(np.array(column, dtype=dtype) for column in zip(*vectors, strict=True))
    return Labels(columns, np.array([0, len(vectors)]))


def completion(*weights, least=0, never=1000):
    return Completion(weights, {0: np.array([least])}, never)


def test_a_label_that_ends_at_the_threshold_is_kept():
    # 2 x cost + 3 x usage + 10 to come: 16, 17, 18
    test = AtMost(completion(2, 3, least=10), 17)
    assert test.keeps(0, labels((3, 0), (2, 1), (1, 2))).tolist() == [True, True, False]


@pytest.mark.parametrize("dtype", [np.int64, object])
def test_a_label_at_or_above_a_known_plan_is_dropped(dtype):
    test = Undominated((completion(1, 0), completion(0, 1)), [(0, 5), (3, 2)])
    at = labels((0, 4), (0, 5), (0, 6), (2, 4), (3, 2), (4, 1), (4, 3), dtype=dtype)
    assert test.keeps(0, at).tolist() == [True, False, False, True, False, True, False]


def test_three_criteria_alike():
    test = Undominated((completion(1, 0, 0), completion(0, 1, 0), completion(0, 0, 1)), [(0, 5, 5), (3, 2, 1)])
    at = labels((0, 5, 4), (0, 5, 5), (1, 4, 9), (3, 3, 1), (2, 2, 1))
    assert test.keeps(0, at).tolist() == [True, False, True, False, True]


def test_what_is_to_come_counts():
    test = Undominated((completion(1, 0, least=2), completion(0, 1, least=3)), [(5, 5)])
    assert test.keeps(0, labels((3, 2), (3, 1), (2, 2))).tolist() == [False, True, True]


def test_what_no_assignment_completes_is_dropped_though_nothing_is_known():
    test = Undominated((completion(1, 0, least=1000), completion(0, 1, least=1000)), [])
    assert test.keeps(0, labels((3, 2))).tolist() == [False]
    nothing = Undominated((completion(1, 0), completion(0, 1)), [])
    assert nothing.keeps(0, labels((3, 2))).tolist() == [True]
