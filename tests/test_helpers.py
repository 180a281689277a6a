"""What the tests are written with, and the list of those that `make test-fast` leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import each

ROOT = Path(__file__).parents[1]


def test_each_runs_a_test_with_all_values_and_notes_which_fails():
    seen = []

    @each("seed", range(5))
    def check(seed, most):
        seen.append(seed)
        assert seed < most

    with pytest.raises(AssertionError) as caught:
        check(_values=range(5), most=2)
    assert seen == [0, 1, 2]
    assert caught.value.__notes__ == ["seed: 2"]


def test_each_leaves_the_values_after_the_first_ones_to_a_slow_test():
    @each("seed", range(5), quick=2)
    def check(seed):
        assert seed

    (parameters,) = check.pytestmark
    quick, slow = parameters.args[1]
    assert [list(one.values[0]) for one in (quick, slow)] == [[0, 1], [2, 3, 4]]
    assert [[mark.name for mark in one.marks] for one in (quick, slow)] == [[], ["slow"]]


def test_most_long_tests_are_there():
    """The list is to be measured anew, `make -B tests/long.txt`, where a tenth of it is gone."""
    names = (ROOT / "tests" / "long.txt").read_text(encoding="utf-8").splitlines()
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in {name.partition("::")[0] for name in names}}
    gone = [name for name in names if f"def {name.rpartition('::')[2]}(" not in texts[name.partition("::")[0]]]
    assert len(names) > 100
    assert len(gone) < len(names) / 10
