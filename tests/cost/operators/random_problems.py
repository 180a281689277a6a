"""Random problems of operators, small enough that every plan can be looked at, and what the best of these costs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from random import Random
from typing import Any

import numpy as np

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.cost.operators.holdings import Misfit
from hypar_opt.cost.operators.watching import WatchedTables
from hypar_opt.costgraph import Objective
from hypar_opt.evaluation.operators import occupied
from hypar_opt.instance.hardware.accelerator import Optimiser
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
        Of every plan, in the CostGraph's unit, and at the peak of its memory, in 1 / devices of a byte.
    """

    compiled: CompiledOperators
    costs: Any
    usages: Any

    @property
    def least(self):
        """The cost of the best plan within the memory, or None where there is no such plan."""
        within = self.usages <= self.compiled.occupancy.limit if self.has_memory else np.ones(self.costs.shape, bool)
        allowed = self.costs[within & (self.costs < self.compiled.costgraph.forbidden)]
        return int(allowed.min()) if allowed.size else None

    @property
    def has_memory(self):
        """Whether there is a limit."""
        return self.compiled.model.memory is not None

    @property
    def moments(self):
        """All moments of a step, as their numbers; none without a memory."""
        return range(self.compiled.occupancy.moments.last + 1) if self.has_memory else ()

    @property
    def graph(self):
        """What formulations read: the memory at every moment is a capacity that pairs use."""
        rows = (self.compiled.occupancy.coupled(number) for number in self.moments)
        return self.compiled.costgraph.replace(capacities=[row for row in rows if row.can_be_exceeded])

    @property
    def tables(self):
        """The same as tables, where further variables stand for pairs."""
        return WatchedTables(self.compiled.costgraph, self.compiled.occupancy, tuple(self.moments)).tables


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
    upper = int(found.usages.reshape(-1)[int(np.argmin(found.costs))])
    limit = random.randint(int(found.usages.min()) - 1, upper)
    tight = Fraction(limit, found.compiled.occupancy.unit)
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
    usages = _peaks(compiled.occupancy, shape, along)
    barred = costs >= found.forbidden
    return Enumerated(compiled, costs, np.where(barred, 1 + usages.max() * 2, usages))


def _peaks(occupancy, shape, along):
    """Return the most that every plan takes at any moment."""
    begin, end = defaultdict(list), defaultdict(list)
    for one in occupancy.holdings:
        is_pair = isinstance(one, Misfit)
        taken = along(one.all_pairs(), one.variable, one.other) if is_pair else along(one.taken, one.variable)
        begin[one.first].append(taken.astype(np.int64))
        end[one.last + 1].append(begin[one.first][-1])
    now, most = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for number in range(occupancy.moments.last + 1):
        for taken in begin[number]:
            now += taken
        for taken in end[number]:
            now -= taken
        np.maximum(most, now, out=most)
    return most


def random_problem(seed):
    """Return a random problem of a random graph, or None where some operator has no word."""
    steps = Random(f"steps {seed}").randrange(4)
    return problem(random_graph(seed, steps=steps, pool=(2, 3, 4, 6, 8, 12)), seed)


def agrees_at_every_moment(compiled, plan, choices, *, idle=False):
    """Check that what choices take is what the evaluator follows; no less where copies may be idle."""
    occupancy, states = compiled.occupancy, Optimiser(compiled.model.states, 0, 0)
    followed = occupied(compiled.graph, compiled.model.partition, plan, states)
    used = occupancy.used(choices)
    found = {one.when: one for one in followed}
    names = [occupancy.named(number) for number in range(len(used))]
    assert list(found) == [name for name in names if name in found]
    for name, taken, least, before in zip(names, used, occupancy.least(), (0, *used), strict=False):
        assert least <= taken, name
        if name not in found:
            assert taken <= before or idle, name  # that run is not there
            continue
        one = found[name]
        assert one.bytes * occupancy.unit == taken or (idle and one.bytes * occupancy.unit < taken), one.when
