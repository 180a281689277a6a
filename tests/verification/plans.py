"""Plans of random instances as files, and what can be done to them."""

from __future__ import annotations

import json
from functools import cache
from random import Random

from bank.random_networks import random_document
from helpers import problem_of

from hypar_opt.solver.plan import plan_document
from hypar_opt.solver.solve import solve
from hypar_opt.util.numbers import exact


@cache
def solved(seed):
    """Return the problem of a seed and the document of its optimal plan; of another where no plan is worse."""
    problem = problem_of(random_document(seed, most_layers=7, most_levels=3))
    plan = solve(problem, "joint-dp")
    if plan.strategies is None or not problem.work.boundaries or worse(problem, plan.strategies, seed) is None:
        return solved(seed + 100_000)
    return problem, json.loads(json.dumps(plan_document(plan)))


def worse(problem, strategies, seed):
    """Return an allowed plan that differs in one letter and costs more, or None."""
    total = problem.bytes_of(strategies).total
    others = shuffled(neighbours(problem, strategies), seed)
    return next((other for other in others if problem.bytes_of(other).total > total), None)


def write_instance(problem, folder):
    """Write a problem's instance as a file, and return its path."""
    path = folder / "instance.json"
    path.write_text(problem.instance.spec.model_dump_json(by_alias=True, exclude_none=True), encoding="utf-8")
    return path


def priced(problem, document, strategies, **changes):
    """Return a document for other strategies with their own true cost."""
    breakdown = problem.bytes_of(strategies)
    objective = exact(problem.objective_of(breakdown))
    numbers = {"cost": {"communication_bytes": exact(breakdown.total)}, "objective": objective, "bound": objective}
    return document | numbers | {"plan": strategies} | changes


def neighbours(problem, strategies):
    """Yield every plan that differs in one letter and is allowed."""
    names = [variable.name for variable in problem.graph.variables]
    for name, variable in zip(names, problem.graph.variables, strict=True):
        for h in range(len(strategies[name])):
            for letter in variable.words.alphabet.replace(strategies[name][h], ""):
                word = strategies[name][:h] + letter + strategies[name][h + 1 :]
                other = strategies | {name: word}
                if problem.graph.feasible(problem.choices(other)):
                    yield other


def shuffled(items, seed):
    """Return the items in a random order that the seed gives."""
    items = list(items)
    Random(seed).shuffle(items)
    return items
