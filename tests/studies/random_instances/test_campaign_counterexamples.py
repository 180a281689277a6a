"""The shipped counterexamples, and the page that walks through them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from helpers import document, linear_chain

from hypar_opt.instance import find_instance, load
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.formats import read_document
from hypar_opt.solver.solve import solve
from hypar_opt.studies.random_instances import instance_text, least_greedy, smallest, surely_missed
from hypar_opt.studies.random_instances.measurement import costs, missed
from hypar_opt.studies.random_instances.reduction import smaller
from tests.studies.random_instances.by_hand import NAMES, TIED, sizes, table, tied_row

PAGE = (Path(__file__).parents[3] / "docs" / "counterexamples.md").read_text(encoding="utf-8")


def data(name):
    return dict(read_document(find_instance(name)).data)


def section(name):
    accounting = load(name).accounting
    return re.search(rf"^## {accounting}: .*?(?=^## )", PAGE, re.MULTILINE | re.DOTALL)[0]


def plans(name):
    return solve(load(name), "hypar-dp"), solve(load(name), "joint-dp")


def test_there_is_one_of_every_accounting():
    assert [load(name).accounting for name in NAMES] == list(ACCOUNTINGS)
    assert [load(name).name for name in NAMES] == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_greedy_misses_the_optimum_that_all_assignments_confirm(name):
    greedy, best = plans(name)
    every = solve(load(name), "brute-force")
    assert (best.status, every.status) == ("OPTIMAL", "OPTIMAL")
    assert greedy.objective > best.objective == every.objective


@pytest.mark.parametrize("name", NAMES)
def test_no_way_to_break_ties_reaches_the_optimum(name):
    greedy, best = plans(name)
    assert best.objective < least_greedy(data(name)) <= greedy.objective


@pytest.mark.parametrize("name", NAMES)
def test_no_step_that_makes_it_smaller_keeps_the_gap(name):
    steps = list(smaller(data(name)))
    assert len(steps) >= 10
    assert [step for step in steps if surely_missed(step)] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_first_of_all_chains_by_their_size(name):
    whole = data(name)
    found = smallest(whole["cost"]["accounting"], keeps=surely_missed)
    assert found.document == whole


@pytest.mark.parametrize("name", TIED)
def test_with_ties_there_are_smaller_ones(name):
    whole = data(name)
    found = smallest(whole["cost"]["accounting"])
    assert {**found.document, "name": name} == whole
    assert least_greedy(whole) == found.optimum < found.greedy
    assert [step for step in smaller(whole) if missed(step)] == []


@pytest.mark.parametrize("name", TIED)
def test_the_page_has_a_row_of_each_smaller_one(name):
    assert tied_row(name) in PAGE


def test_the_page_shows_the_tie_of_the_smallest():
    assert table("smallest-published") in PAGE


@pytest.mark.parametrize("name", NAMES)
def test_four_times_all_sizes_splits_whole_and_costs_sixteen_times(name):
    whole = data(name)
    layers = [(layer["linear"]["features"]) * 4 for layer in whole["network"]["layers"]]
    cost = {"accounting": whole["cost"]["accounting"], "splits": "divisible"}
    shape = [whole["network"]["input"][0] * 4]
    large = document(linear_chain(*layers), shape, batch=whole["batch"] * 4, levels=2, **cost)
    assert costs(large) == tuple(16 * value for value in costs(whole))


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_the_instance_does(name):
    greedy, best = plans(name)
    text, gap = section(name), (greedy.objective - best.objective) / best.objective
    assert f"{greedy.objective} instead of {best.objective} bytes, {100 * float(gap):.1f} %" in text
    assert sizes(name) in text
    assert table(name) in text
    for who, plan in (("greedy", greedy), ("joint", best)):
        words = " ".join(f" {layer} {word}" for layer, word in plan.strategies.items())
        assert re.search(rf"^{who} +{words.strip()} .* = {plan.objective}$", text, re.MULTILINE), who


def test_the_sums_on_the_page_are_right():
    sums = re.findall(r"((?:\d+ +\+ +)+\d+) = (\d+)", PAGE)
    assert len(sums) >= 10
    for terms, total in sums:
        assert sum(map(int, terms.split("+"))) == int(total), terms


def test_the_checks_can_fail():
    whole = {**data("greedy-published"), "batch": 4}
    assert missed(whole) is None
    assert surely_missed(whole) is None
    one_level = {**data("greedy-published"), "array": {"topology": "h-tree", "levels": 1}}
    assert least_greedy(one_level) == costs(one_level)[0] == costs(one_level)[1] == Fraction(88)


def test_a_document_written_as_text_reads_the_same(tmp_path):
    path = tmp_path / "again.yaml"
    whole = data("greedy-receiver")
    path.write_text(instance_text(whole, "a comment"), encoding="utf-8")
    assert load(path).sha256 == load("greedy-receiver").sha256
