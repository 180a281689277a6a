"""Tables with the memory exact: a plan fits into their rows if and only if it fits at these moments."""

from __future__ import annotations

from random import Random

import numpy as np

from hypar_opt.cost.operators.watching import WatchedTables
from tests.cost.operators.random_problems import random_problem
from tests.helpers import each


@each("seed", range(300), quick=10)
def test_rows_hold_what_fits_at_their_moments(seed):
    """Beside any choices the further variables have values that take what pairs of these do, and no less."""
    found, random = random_problem(seed), Random(f"watched {seed}")
    if found is None or not found.has_memory:
        return
    occupancy, graph = found.compiled.occupancy, found.compiled.costgraph
    moments = random.sample(list(found.moments), k=min(4, len(found.moments)))
    watched = WatchedTables(graph, occupancy, tuple(moments))
    assert watched.tables.count >= len(graph.variables)
    for _ in range(5):
        choices = [random.randrange(variable.size) for variable in graph.variables]
        extended = np.array(watched.extended(choices))
        taken = watched.tables.memory.used(extended)[len(graph.capacities) :]
        assert taken.tolist() == [occupancy.used(choices)[number] for number in moments]
        assert watched.tables.allowed(extended)
        assert watched.tables.value(extended) == graph.value(choices)
        assert all(row.used(choices) == occupancy.used(choices)[number] for number, row in
                   ((number, occupancy.coupled(number)) for number in moments))  # fmt: skip
        assert all(occupancy.relaxed(number).used(choices) <= occupancy.used(choices)[number] for number in moments)
        if watched.tables.count > len(choices):
            changed = extended.copy()
            place = random.randrange(len(choices), watched.tables.count)
            changed[place] = random.randrange(int(watched.tables.sizes[place]))
            more = watched.tables.memory.used(changed) >= watched.tables.memory.used(extended)
            assert not watched.tables.allowed(changed) or more.all()
