"""The least end of transfers of gradients, against all that there is."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from small_transfers import drawn, least_cut, least_whole, problem_of

from hypar_opt.studies.transfers import Gradient, TransferProblem, best_messages, best_whole, least_end
from tests.helpers import each


@each("seed", range(160), quick=25)
def test_nothing_that_is_cut_at_whole_seconds_ends_earlier(seed):
    random = Random(seed)
    problem = drawn(random, random.randint(1, 4))
    best = best_messages(problem)
    assert best.fault is None
    assert best.end == least_cut(problem)


@each("seed", range(250), quick=40)
def test_no_division_of_whole_gradients_ends_earlier(seed):
    random = Random(seed)
    problem = drawn(random, random.randint(1, 4), 5)
    best = best_whole(problem)
    assert best.sent.fault is None
    assert best.is_optimal
    assert best.sent.end == least_whole(problem)
    assert least_end(problem) <= best.sent.end


@each("seed", range(100), quick=20)
def test_few_states_give_an_end_and_a_bound_on_both_sides_of_the_least(seed):
    problem = drawn(Random(seed), 8, 9)
    exact, few = best_whole(problem), best_whole(problem, most=1)
    assert exact.is_optimal
    assert few.bound <= exact.sent.end <= few.sent.end


def test_one_gradient_is_sent_when_it_is_ready():
    best = best_messages(problem_of([2], [3], [5], start_up=1))
    assert best.end == 2 + 1 + 3 + 5
    assert [message.begin for message in best.messages] == [2]


def test_what_is_ready_early_goes_while_the_link_would_be_idle():
    problem = problem_of([4, 0], [2, 4], [3, 1])
    assert best_messages(problem).arrivals == (6, 4)
    assert least_end(problem) == 4 + 2 + 3 + 1


def test_a_start_up_is_worth_its_time_or_nothing_is_sent_before():
    assert len(best_messages(problem_of([4, 0], [2, 4], [3, 1], start_up=1)).messages) == 2
    late = best_messages(problem_of([1, 0], [2, 2], [9, 9], start_up=5))
    assert len(late.messages) == 1  # a start-up before would only make the first layer wait
    assert late.end == 1 + 5 + 2 + 18


def test_whole_gradients_lose_what_cutting_wins():
    problem = problem_of([1, 0], [1, 5], [4, 1])
    assert least_end(problem) == 1 + 1 + 4 + 1  # one second of the large one goes first, four behind
    assert best_whole(problem).sent.end == 8


def test_gradients_that_all_have_to_make_room_are_a_partition():
    """Half of them in front of the first layer's, which then has its tail to go, and half behind it."""
    problem = problem_of([14, *[0] * 6], [1, 3, 5, 8, 4, 6, 2], [14, *[0] * 6])
    assert best_whole(problem).sent.end == 29
    odd = problem_of([14, *[0] * 4], [1, 3, 9, 9, 7], [14, *[0] * 4])
    assert least_end(odd) == 29
    assert best_whole(odd).sent.end == 31


def test_known_messages_are_kept_if_nothing_is_better():
    problem = problem_of([4, 0], [2, 4], [3, 1])
    best = best_messages(problem)
    assert best_whole(problem, [best]).sent is best


@pytest.mark.parametrize(
    ("ready", "seconds", "more", "said"),
    [
        ([], [], {}, "expected at least one gradient"),
        ([0, 1], [1, 1], {}, "the gradient of g1 is ready later"),
        ([2], [1], {"backward": 1}, "over before all gradients are ready"),
        ([2], [0], {}, "more than 0 seconds"),
        ([2], [1], {"start_up": -1}, "times of at least 0"),
    ],
)
def test_what_is_no_problem_is_refused(ready, seconds, more, said):
    with pytest.raises(ValueError, match=said):
        problem_of(ready, seconds, [0] * len(ready), **({"backward": 0} | more if not ready else more))


def test_times_need_no_common_unit():
    third = Fraction(1, 3)
    gradients = (Gradient("a", third, Fraction(1, 7), Fraction(0)), Gradient("b", Fraction(0), third, Fraction(1, 5)))
    problem = TransferProblem("fractions", gradients, third)
    assert least_end(problem) == third + Fraction(1, 7) + Fraction(1, 5)
