"""Strategies that are given in part: every formulation keeps to them, and the exact ones find the best such plan."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import product
from random import Random

from bank.random_networks import random_document
from helpers import each, exact_names, problem_of

from hypar_opt.evaluation.legality import allowed_words, illegal
from hypar_opt.formulation.registry import found, load_formulation
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal


def drawn(seed):
    """Return a small instance without given strategies, and words for some layers and a pattern, which agree."""
    rng = Random(seed)
    whole = random_document(seed, most_layers=4, most_levels=2)
    whole.pop("fix", None)
    problem = problem_of(whole)
    levels, pattern = problem.instance.levels, rng.choice(("*", "?*", "*1", problem.work.layers[0].name))
    has_d = all("d" in variable.words.alphabet for variable in problem.graph.variables)
    fix = {pattern: "".join(rng.choice("d." if has_d else ".") for _ in range(levels))}
    for layer, variable in zip(problem.work.layers, problem.graph.variables, strict=True):
        alphabet = variable.words.alphabet
        letters = alphabet.replace("m", "") or "." if layer.groups > 1 else alphabet
        common = fix[pattern] if fnmatchcase(layer.name, pattern) else "." * levels
        if rng.random() < 0.6 and layer.name != pattern:
            fix[layer.name] = "".join(rng.choice(f"{letters}.") if one == "." else one for one in common)
    matches = any(fnmatchcase(layer.name, pattern) for layer in problem.work.layers)
    return whole, problem, fix if matches else {name: word for name, word in fix.items() if name != pattern}


def keeps_to(fix, plan):
    return all(
        re.fullmatch(word, plan[name]) is not None
        for pattern, word in fix.items()
        for name in plan
        if fnmatchcase(name, pattern)
    )


def words_of(variable):
    """Return what a graph that knows of nothing given allows a layer, with the positions."""
    return [(i, variable.words.word(i)) for i in range(variable.size) if variable.mask is None or variable.mask[i]]


def cheapest(problem, fix):
    """Return what the best of all plans that keep to what is given costs, by trying all of those there are without."""
    graph = problem.graph
    names = [variable.name for variable in graph.variables]
    costs = [
        graph.value([i for i, _ in choices])
        for choices in product(*map(words_of, graph.variables))
        if keeps_to(fix, dict(zip(names, (word for _, word in choices), strict=True)))
    ]
    return Fraction(min(costs), graph.objective.denominator) if costs else None


def solved(problem):
    """Return the plans of all formulations of strategies that accept the problem, by name."""
    plans = {}
    for name in found():
        if load_formulation(name).capabilities.decides == "strategies":
            with suppress(Refusal):
                plans[name] = solve(problem, name)
    return plans


@each("seed", range(70), quick=6)
def test_every_formulation_keeps_to_words_with_open_levels(seed):
    whole, free, fix = drawn(seed)
    best = cheapest(free, fix)
    plans = solved(problem_of({**whole, "fix": fix}))
    assert set(exact_names()) <= set(plans)
    assert {plan.objective for name, plan in plans.items() if name in exact_names()} == {best}
    assert {plan.status for name, plan in plans.items() if name in exact_names()} == {
        "INFEASIBLE" if best is None else "OPTIMAL"
    }
    for name, plan in plans.items():
        assert plan.status != "ERROR", (name, plan.native_status)
        assert plan.strategies is None or keeps_to(fix, plan.strategies), name


@each("seed", range(200), quick=60)
def test_variables_and_recomputation_know_the_same_words(seed):
    whole, free, fix = drawn(seed)
    problem = problem_of({**whole, "fix": fix})
    for layer, variable, free_one in zip(
        problem.work.layers, problem.graph.variables, free.graph.variables, strict=True
    ):
        alone, every = (
            replace(problem.work, layers=(layer,)),
            map("".join, product("dmo", repeat=problem.instance.levels)),
        )
        by_rules = {word for word in every if illegal(alone, {layer.name: word}, problem.rules) is None}
        assert by_rules == {word for _, word in words_of(variable)}
        assert by_rules == {word for _, word in words_of(free_one) if keeps_to(fix, {layer.name: word})}
        some = {"".join(sorted(word)) for word in allowed_words(layer, problem.rules)}
        assert some == {"".join(sorted(word)) for word in by_rules}


def test_the_instances_cover_what_they_should():
    fixes = [(free, fix) for _, free, fix in map(drawn, range(60))]
    bests = [cheapest(free, fix) for free, fix in fixes]
    without = [cheapest(free, {}) for free, _ in fixes]
    assert sum(any(word.strip(".") and "." in word for word in fix.values()) for _, fix in fixes) > 10
    assert sum(best is None and other is not None for best, other in zip(bests, without, strict=True)) > 0
    assert sum(best is not None and best > other for best, other in zip(bests, without, strict=True)) > 10
