"""What stages keep of microbatches in flight, where that depends on the stages behind them, in CP-SAT's terms.

Slots are taken from the pipeline's end, so that the slots of an option before a used one are used and stand behind it.
What stands behind besides is of other options.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from formulations.cp_sat.model import linear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ortools.sat.python.cp_model import IntVar

    from formulations.pipeline.cp_sat.variables import CpSatStages
    from formulations.pipeline.programme import ScaledOption, StageProgramme


def in_flight(built: CpSatStages, programme: StageProgramme) -> None:
    """n[s] >= k or D[s] <= (k - 1) d[s], and sum over g, w of kept(k)[g, w] x[g, s, w] <= capacity[s] if n[s] >= k.

    For every slot s with a capacity, and every k above what its option alone makes of it, where there are several
    options. D[s] is the sum of d over its option's slots up to s, and over those of others that stand behind it.
    """
    graph, model = programme.graph, built.model
    if not graph.counts_behind or not built.positions:
        return
    before = _before(built, programme)
    for slot, way in enumerate(programme.slots):
        if way.capacity is None:
            continue
        own = (graph.slots[slot].number + 1) * way.replicas
        others = [(before[other, slot], one.replicas) for other, one in _others(programme, slot)]
        deeper: IntVar | None = None
        for count in range(programme.least_in_flight(slot) + 1, programme.most_in_flight(slot) + 1):
            reached = model.new_bool_var(f"n_{slot}_{count}")
            model.add(linear(others) <= (count - 1) * way.replicas - own).only_enforce_if(~reached)
            kept = built.terms(slot, partial(way.kept_by, count=count))
            model.add(linear(kept) <= way.capacity).only_enforce_if(reached)
            if deeper is not None:
                model.add_implication(reached, deeper)
            deeper = reached


def _before(built: CpSatStages, programme: StageProgramme) -> dict[tuple[int, int], IntVar]:
    """Return by two slots of different options whether the first is used and stands behind the second."""
    model, found = built.model, {}
    for first in range(len(programme.slots)):
        for second, _ in _others(programme, first):
            if first < second:
                earlier = model.new_bool_var(f"b_{first}_{second}")
                places = built.positions[first], built.positions[second]
                model.add(places[0] < places[1]).only_enforce_if(earlier)
                model.add(places[1] < places[0]).only_enforce_if(~earlier)
                for slot, other, literal in ((first, second, earlier), (second, first, ~earlier)):
                    behind = model.new_bool_var(f"d_{slot}_{other}")
                    model.add_bool_or([behind, ~literal, ~built.used[slot]])
                    found[slot, other] = behind
    return found


def _others(programme: StageProgramme, slot: int) -> Iterator[tuple[int, ScaledOption]]:
    """Yield the slots of other options, with what they are."""
    option = programme.graph.slots[slot].option
    for other, way in enumerate(programme.slots):
        if programme.graph.slots[other].option != option:
            yield other, way
