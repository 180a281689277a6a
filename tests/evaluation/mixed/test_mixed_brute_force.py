"""The brute force of tests: it finds what trying every plan finds, and plans that are known to be best."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from bank.random_networks import random_document
from evaluation.mixed.test_accpar_figures import milliseconds, work_of
from helpers import each, instance_of, linear_chain
from mixed_brute_force import all_shares, best_plan, words_of
from mixed_machines import array_of, kind_of, random_array, setting_of, two_machines

from hypar_opt.evaluation.mixed import MixedRules, communication_bytes, fault_of, step_time
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.network import Network, workload
from hypar_opt.instance.shares import GivenShares, WholeShares


def least_of_all(work, setting, rules, objective):
    """Return the least cost of all plans, one after the other, or None."""
    words = [words_of(layer, setting, rules) for layer in work.layers]
    names = [layer.name for layer in work.layers]
    plans = [dict(zip(names, chosen, strict=True)) for chosen in product(*words)]
    found = [
        step_time(work, plan, shares, setting)
        if objective == "time"
        else communication_bytes(work, plan, shares, setting).total
        for shares in all_shares(setting, rules.shares)
        for plan in plans
        if fault_of(work, plan, shares, setting, rules) is None
    ]
    return min(found, default=None)


@each("seed", range(40), quick=5)
def test_it_finds_the_least_of_all_plans(seed):
    rng = Random(seed)
    work = workload(instance_of(random_document(seed, most_layers=3, accounting="published", most_levels=1)).network)
    levels = 1 if len(work.layers) > 2 else rng.choice((1, 2))
    array, objective = random_array(rng, levels), rng.choice(("time", "communication"))
    few = rng.choice((None, 200, 2000))
    kinds = tuple(
        kind_of(one.name, rate=one.accelerator.rate, bandwidth=one.bandwidth, capacity=few) for one in array.kinds
    )
    setting = setting_of(array_of(array.partition.types, kinds), barrier=rng.choice(list(BARRIERS)))
    shares = GivenShares((Fraction(1, 3),) * len(array.splits)) if objective == "communication" else WholeShares(3)
    rules = MixedRules("dmon"[: rng.choice((3, 4))] if levels == 1 else "dn", shares, {})
    best, least = best_plan(work, setting, rules, objective), least_of_all(work, setting, rules, objective)
    assert (None if best is None else best.cost) == least
    if best is not None and objective == "time":
        assert step_time(work, best.strategies, best.shares, setting) == best.cost


def test_one_machine_alone_where_links_are_slow():
    kinds = kind_of("fast", rate=1000, bandwidth=1), kind_of("slow", rate=1000, bandwidth=1)
    setting, work = setting_of(array_of((0, 1), kinds)), workload(Network((5,), linear_chain(9, 4)))
    best = best_plan(work, setting, MixedRules("dmon", WholeShares(8), {}))
    assert best.strategies == {"fc1": "n", "fc2": "n"}
    assert best.cost == Fraction(6 * 8 * (45 + 36), 1000)


def test_the_share_nearest_to_the_best_is_not_the_best():
    """Of sixteenths 13 are nearest to AlexNet's 0.837, and 14 are best."""
    best = best_plan(work_of("accpar-alexnet"), two_machines(), MixedRules("dmo", WholeShares(16), {}))
    assert best.shares == {"root": Fraction(14, 16)}
    assert "".join(best.strategies.values()) == "dddddmom"
    alone = best_plan(work_of("accpar-alexnet"), two_machines(), MixedRules("dmon", WholeShares(4), {}))
    assert "".join(alone.strategies.values()) == "nnnnnnnn"


def test_rounding_down_is_not_best_either():
    nearest, best = (milliseconds("accpar-vgg-11", "mom", Fraction(k, 512)) for k in (408, 409))
    assert best < nearest
