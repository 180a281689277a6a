"""Plans on arrays of several kinds of accelerators are as good as the best of all, tried one by one."""

from __future__ import annotations

import pytest
from helpers import each, instance_of
from mixed_brute_force import best_plan
from mixed_documents import judged, random_mixed_document

from hypar_opt import solve
from hypar_opt.formulation.solution import Status


def check(seed, **sizes):
    objective = "time" if seed % 5 else "communication"
    instance = instance_of(random_mixed_document(seed, objective=objective, **sizes))
    best, found = best_plan(*judged(instance), objective), solve(instance)
    if best is None:
        assert (found.status, found.strategies) == (Status.INFEASIBLE, None)
    else:
        assert (found.objective, found.proven) == (best.cost, True)


@each("seed", range(1, 18), quick=2)
def test_one_share(seed):
    check(seed)


@pytest.mark.slow
@each("seed", range(100, 110))
def test_two_levels(seed):
    check(seed, most_levels=2, most_layers=2)


@pytest.mark.parametrize(
    ("seed", "levels", "layers"),
    [
        (357, 1, 4),  # a memory is short, and words known before are best at a share that no crossing is next to
        pytest.param(1003, 2, 3, marks=pytest.mark.slow),  # two shares, neither of which is better changed alone
        (1032, 2, 3),  # the only words that fit, which do so at few shares
    ],
)
def test_words_that_are_known_already_may_be_better_at_other_shares(seed, levels, layers):
    check(seed, most_levels=levels, most_layers=layers)


def test_words_that_are_not_allowed_stay_out():
    """The best step known takes longer than any weighted sum, so that what is forbidden is below it, too."""
    check(5232, most_levels=2, most_layers=2)
