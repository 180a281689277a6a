"""A simulated step on several kinds of accelerators takes what the recount says, and shows who waits."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import instance_of
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_machines import random_array, random_shares, random_words, setting_of, two_machines

from hypar_opt.evaluation.mixed import step_time, waits
from hypar_opt.instance import load_instance
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.network import workload
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.studies.simulation.mixed_step import simulate_mixed, simulated
from hypar_opt.util.errors import InputError


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_a_step_takes_what_the_recount_says(seed):
    rng = Random(seed)
    work = workload(instance_of(random_document(seed, most_layers=3, accounting="published", most_levels=1)).network)
    array = random_array(rng, rng.choice((1, 2)))
    setting = setting_of(array, barrier=rng.choice(list(BARRIERS)))
    plan, shares = random_words(rng, work, setting, idle=True), random_shares(rng, array)
    found = simulated(work, plan, shares, setting)
    assert found.time == found.analytic == step_time(work, plan, shares, setting)
    rows = waits(work, plan, shares, setting)
    for place, spans in enumerate(found.spans):
        ends = [Fraction(0), *(one.end for one in spans)]
        assert [one.begin for one in spans] == ends[:-1]  # nobody does two things at once, or nothing
        busy = found.seconds(place, "computing") + found.seconds(place, "reading")
        assert busy == sum(row[place] for row in rows)
        assert busy + found.seconds(place, "waiting") == found.time


def test_the_slower_machine_is_waited_for():
    work = workload(load_instance("mixed-alexnet").network)
    plan = {layer.name: "d" for layer in work.layers}
    found = simulated(work, plan, {"root": Fraction(1, 2)}, two_machines())
    assert found.classes == ("v3", "v2")
    assert found.seconds(0, "waiting") > 0 == found.seconds(1, "waiting")


def test_what_is_no_plan_is_not_simulated():
    problem = MixedProblem(load_instance("mixed-alexnet"))
    plan = {layer.name: "d" for layer in problem.work.layers}
    with pytest.raises(InputError, match="share"):
        simulate_mixed(problem, plan, {})
