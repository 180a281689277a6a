"""Random problems of operators, small enough that every plan can be looked at, and what the best of these costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from random import Random
from typing import Any

import numpy as np

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.costgraph import Objective
from hypar_opt.util.errors import InputError
from tests.evaluation.operators.random_operators import random_graph, random_partition

STORAGES = ("replicated", "zero-1", "zero-2", "zero-3")
BYTES = Objective({"communication": Fraction(1)})


@dataclass(frozen=True)
class Enumerated:
    """A problem, and all of its plans: a dimension a variable.

    Parameters
    ----------
    compiled
        The problem.
    costs, usages
        Of every plan, in the CostGraph's and the capacity's units, of several the most; without one nothing is used.
    """

    compiled: CompiledOperators
    costs: Any
    usages: Any

    @property
    def least(self):
        """The cost of the best plan within the memory, or None where there is no such plan."""
        capacities = self.compiled.costgraph.capacities
        within = self.usages <= capacities[0].limit if capacities else np.ones(self.costs.shape, dtype=bool)
        allowed = self.costs[within & (self.costs < self.compiled.costgraph.forbidden)]
        return int(allowed.min()) if allowed.size else None


def problem(graph, seed, most=20_000, **given):
    """Return a random problem of a graph with at most so many plans, or None where some operator has no word.

    Every second has a memory that is between what the plan of the fewest bytes takes and one less than what any takes.
    """
    random = Random(f"problem {seed}")
    storages = tuple(one for one in STORAGES if one == "replicated" or random.random() < 0.25)
    options = given | {"divisible": bool(random.randrange(2)), "storages": storages, "states": random.randrange(3)}
    options["padded"] = not options["divisible"] and Random(f"padded {seed}").random() < 0.5
    options["partition"] = random_partition(seed, most=24)
    if random.randrange(2) or given:
        options["memory"] = Fraction(10**9)
    try:
        found = _narrowed(graph, options, most, random)
    except InputError as none:
        assert "has no word" in str(none)
        return None
    if "memory" not in options:
        return found
    capacity = found.compiled.costgraph.capacities[0]
    upper = int(found.usages.reshape(-1)[int(np.argmin(found.costs))])
    limit = random.randint(int(found.usages.min()) - 1, upper)
    tight = Fraction(limit, capacity.unit)
    return enumerated(graph, OperatorModel(**{**options, "memory": tight}, fix=found.compiled.model.fix))


def _narrowed(graph, options, most, random):
    """Return the problem, with words given until there are few enough plans."""
    fix = {}
    while True:
        model = OperatorModel(**options, fix=fix)
        domains = CompiledOperators(graph, model, BYTES).domains
        if prod(len(one.values) for one in domains) <= most:
            return enumerated(graph, model)
        open_ = [one for one in domains if len(set(one.words)) > 1]
        if not open_:
            options["storages"] = ("replicated",)
            options.pop("memory", None)
            continue
        domain = random.choice(open_)
        fix = {**fix, domain.name: random.choice(domain.words)}


def enumerated(graph, model):
    """Return a problem with all of its plans."""
    compiled = CompiledOperators(graph, model, BYTES)
    found = compiled.costgraph
    shape = [variable.size for variable in found.variables]

    def along(values, *variables):
        values = values if list(variables) == sorted(variables) else values.T
        return values.reshape([size if place in variables else 1 for place, size in enumerate(shape)])

    costs = np.zeros(shape, dtype=object)
    for place, cost in enumerate(found.unary_costs):
        costs = costs + along(np.array([cost.value(value) for value in range(cost.size)], dtype=object), place)
    for pair, cost in found.edge_costs.items():
        table = [[cost.value(a, b) for b in range(cost.shape[1])] for a in range(cost.shape[0])]
        costs = costs + along(np.array(table, dtype=object), *pair)
    usages = np.zeros(shape, dtype=object)
    for capacity in found.capacities:  # all of one limit
        used = np.zeros(shape, dtype=object)
        for place, use in capacity.usages.items():
            used = used + along(np.array([use.value(value) for value in range(use.size)], dtype=object), place)
        usages = np.maximum(usages, used)
    barred = costs >= found.forbidden
    return Enumerated(compiled, costs, np.where(barred, 1 + usages.max() * 2, usages))


def random_problem(seed):
    """Return a random problem of a random graph, or None where some operator has no word."""
    steps = Random(f"steps {seed}").randrange(4)
    return problem(random_graph(seed, steps=steps, pool=(2, 3, 4, 6, 8, 12)), seed)
