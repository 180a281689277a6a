"""Rules for words and shares: what they decide, that none beats the optimum, and where they miss it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from helpers import instance_of
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from mixed_machines import array_of, random_array, setting_of, two_machines
from solver.mixed.random_mixed import random_mixed

from hypar_opt import solve
from hypar_opt.evaluation.mixed import MixedRules, step_time, stints
from hypar_opt.instance import load_instance
from hypar_opt.instance.network import workload
from hypar_opt.instance.shares import ExactShares, GivenShares, WholeShares
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.studies.mixed import BASELINES, priced
from hypar_opt.studies.mixed.campaign import measure_mixed, run_mixed
from hypar_opt.studies.mixed.families import draw_mixed, mixed_family
from hypar_opt.studies.mixed.level_types import level_types
from hypar_opt.studies.mixed.levels_above import first_levels
from hypar_opt.studies.mixed.share_rules import OpenShare, allowed_shares, balanced, least, nearest, shares_by_rate
from hypar_opt.util.errors import InputError, Refusal


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
@example(seed=174103)  # nothing is exchanged at best
def test_no_rule_beats_the_optimum(seed):
    try:
        problem = MixedProblem(instance_of(random_mixed(seed, most_plans=40, most_splits=1)))
    except InputError:
        assume(False)  # a memory is seen to be too small when it is read
    row = measure_mixed(problem)
    assert row.optimum is None or set(row.gaps) == set(BASELINES)
    assert all(gap is None or gap >= 0 for gap in row.gaps.values())


@pytest.mark.parametrize(
    ("rule", "optimum", "found"),
    [
        ("level-by-level", "37/12", "57/16"),
        ("balanced", "30", "32"),
        ("shares-by-rate", "33/2", "35/2"),
        ("equal-halves", "3", "5"),
    ],
)
def test_a_small_instance_on_which_a_rule_misses_the_optimum(rule, optimum, found):
    problem = MixedProblem(load_instance(f"mixed-{rule}"))
    best = solve(problem)
    plan = priced(BASELINES[rule], problem, optimum=best)
    assert (best.proven, best.objective, plan.objective) == (True, Fraction(optimum), Fraction(found))


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_types_of_a_level_are_those_of_the_least_sum_of_longest_times(seed):
    rng, work = Random(seed), workload(load_instance("mixed-equal-halves").network)
    work = workload(load_instance("mixed-alexnet").network) if seed % 2 else work
    work = type(work)(work.layers[-3:], work.boundaries[-2:]) if len(work.layers) < 3 else _last(work, 3)
    setting = setting_of(array_of((0, 1), None, rng.choice(("accelerator", "group"))), batch=64)
    shares, rules = {"root": Fraction(rng.randrange(1, 8), 8)}, MixedRules("dmo", ExactShares(), {})
    names = [layer.name for layer in work.layers]

    def sums(plan):
        """Every layer, and every boundary, is waited for by itself."""
        parts = {}
        for one in stints(work, plan, shares, setting):
            key = one.part.layer, one.part.boundary
            parts[key] = [a + b for a, b in zip(parts.get(key, (0, 0)), one.seconds, strict=True)]
        return sum(map(max, parts.values()))

    found = level_types(work, dict.fromkeys(names, ""), shares, setting, rules)
    every = (dict(zip(names, letters, strict=True)) for letters in product("dmo", repeat=len(names)))
    assert sums(found) == min(map(sums, every))


def _last(work, count):
    """Return the last layers of a chain."""
    first = len(work.layers) - count
    edges = (one for one in work.boundaries if one.producer >= first)
    moved = tuple(
        type(one)(**{**vars(one), "producer": one.producer - first, "reader": one.reader - first}) for one in edges
    )
    return type(work)(work.layers[first:], moved)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_levels_of_an_array_have_its_splits_and_bandwidths(seed):
    array = random_array(Random(seed), 3)
    for levels in (1, 2):
        above = first_levels(array, levels)
        assert above.splits == tuple(one for one in array.splits if one == "root" or len(one) < levels)
        for group in range(2**levels):
            for level in range(levels):
                assert above.bandwidth(group, level) == array.bandwidth(group * 2 ** (3 - levels), level)


def test_shares_by_rate_are_the_nearest_that_are_allowed():
    array = two_machines().array
    allowed = allowed_shares(WholeShares(512), array.splits)
    assert shares_by_rate(array, allowed) == {"root": Fraction(358, 512)}
    assert nearest(Fraction(1, 2), [Fraction(1, 3), Fraction(2, 3)]) == Fraction(1, 3)
    assert allowed_shares(GivenShares((Fraction(1, 5),)), ["root"]) == {"root": (Fraction(1, 5),)}
    with pytest.raises(Refusal, match="parts"):
        allowed_shares(ExactShares(), ["root"])


def test_the_share_at_which_both_need_as_long_is_not_the_best_of_quarters():
    problem, plan = MixedProblem(load_instance("mixed-balanced")), {"fc1": "d"}
    work, setting = problem.work, problem.judged_by
    quarters = [Fraction(k, 4) for k in (1, 2, 3)]
    even, best = (rule(OpenShare(work, plan, {}, setting, "root", quarters)) for rule in (balanced, least))
    assert (even, best) == (Fraction(1, 2), Fraction(1, 4))
    assert [step_time(work, plan, {"root": share}, setting) for share in (even, best)] == [32, 30]


def test_a_smaller_campaign_is_the_beginning_of_a_larger_one():
    chain = replace(mixed_family("mixed").chain, layers=(1, 1), features=(4, 16), conv_share=0.0)
    family = replace(mixed_family("mixed"), chain=chain, parts=4, leaves=((0, 1),))
    one, two = run_mixed(family, 1, seed=3), run_mixed(family, 2, seed=3)
    assert one.rows == two.rows[:1]
    assert len(two.tallies) == len(BASELINES)
    assert two.faulty == ()


def test_an_instance_of_a_family_is_its_index_alone():
    assert draw_mixed(mixed_family("mixed-none"), 0, 5) == draw_mixed(mixed_family("mixed-none"), 0, 5)
    assert draw_mixed(mixed_family("mixed-none"), 0, 5) != draw_mixed(mixed_family("mixed-none"), 0, 6)


def test_a_family_that_there_is_not():
    with pytest.raises(InputError, match="did you mean 'mixed-none'"):
        mixed_family("mixed-nine")
