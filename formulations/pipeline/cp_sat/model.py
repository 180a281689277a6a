"""A pipeline in CP-SAT's terms: groups in slots, what crosses between them, and stage numbers where these count."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from formulations.cp_sat.model import linear
from formulations.pipeline.cp_sat.in_flight import in_flight
from formulations.pipeline.cp_sat.variables import CpSatStages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ortools.sat.python.cp_model import IntVar

    from formulations.pipeline.programme import StageProgramme

Family: TypeAlias = "Callable[[CpSatStages, StageProgramme], None]"
Terms: TypeAlias = "list[tuple[IntVar, int]]"


def build(programme: StageProgramme, families: Sequence[Family] | None = None) -> CpSatStages:
    """Create the variables, then the families of constraints, all unless named, then the objective."""
    from ortools.sat.python.cp_model import CpModel

    model, graph = CpModel(), programme.graph
    x = [[model.new_bool_var(f"x_{g}_{s}") for s in own] for g, own in enumerate(programme.values)]
    chosen: dict[tuple[int, int], tuple[tuple[IntVar, int], ...]] = {}
    for group, (own, values) in enumerate(zip(x, programme.values, strict=True)):
        for literal, value in zip(own, values, strict=True):
            number, slot = divmod(value, len(graph.slots))
            chosen[group, slot] = (*chosen.get((group, slot), ()), (literal, number))
    inside = {
        (group, slot): own[0][0] if len(own) == 1 else model.new_bool_var(f"in_{group}_{slot}")
        for (group, slot), own in chosen.items()
    }
    crossing = [
        (output, slot)
        for output in range(len(graph.owners))
        for slot, way in enumerate(programme.slots)
        if way.transfers[output] or way.sends[output]
    ]
    numbered = graph.contiguous and sum(map(bool, programme.series)) > 1
    built = CpSatStages(
        model,
        x,
        chosen,
        inside,
        tuple(model.new_bool_var(f"used_{s}") for s in range(len(graph.slots))),
        {(e, s): model.new_bool_var(f"r_{e}_{s}") for e, s in crossing},
        {(e, s): model.new_bool_var(f"w_{e}_{s}") for e, s in crossing},
        model.new_int_var(0, programme.most, "longest"),
        tuple(model.new_int_var(0, programme.most, f"t_{s}") for s in range(len(graph.slots)) if graph.sum_weight),
        tuple(model.new_int_var(0, len(graph.slots) - 1, f"q_{s}") for s in range(len(graph.slots)) if numbered),
    )
    for family in FAMILIES if families is None else families:
        family(built, programme)
    weighted = [(time, graph.sum_weight) for time in built.times]
    model.minimize(linear([*weighted, (built.longest, graph.max_weight)]))
    return built


def one_slot(built: CpSatStages, programme: StageProgramme) -> None:
    """Sum over s and ways n of x[g, s, n] = 1, and over n = x[g, s], for every group g and slot s."""
    for own in built.x:
        built.model.add_exactly_one(own)
    for at, ways in built.chosen.items():
        if len(ways) > 1:
            built.model.add(sum(x for x, _ in ways) == built.inside[at])


def used(built: CpSatStages, programme: StageProgramme) -> None:
    """Max over g of x[g, s] = used[s], for every slot s."""
    for slot, literal in enumerate(built.used):
        own = [x for (_, place), x in built.inside.items() if place == slot]
        for x in own:
            built.model.add_implication(x, literal)
        built.model.add_bool_or([*own, ~literal])


def devices(built: CpSatStages, programme: StageProgramme) -> None:
    """Sum over slots s of kind k of m[s] used[s] <= count[k], for every kind that has more slots than devices."""
    for kind, count in enumerate(programme.graph.counts):
        taken = [
            (literal, way.devices) for literal, way in zip(built.used, programme.slots, strict=True) if way.kind == kind
        ]
        if sum(number for _, number in taken) > count:
            built.model.add(linear(taken) <= count)


def few(built: CpSatStages, programme: StageProgramme) -> None:
    """Sum over s of used[s] <= the stages that there may be, where that is less than there are slots."""
    most = programme.graph.most_stages
    if most is not None and most < len(built.used):
        built.model.add(linear([(literal, 1) for literal in built.used]) <= most)


def capacity(built: CpSatStages, programme: StageProgramme) -> None:
    """Sum over g and n of kept[g, n] x[g, s, n] <= capacity[s], for every slot s in which not all fits.

    With as many microbatches in flight as there are at least.
    """
    for slot, way in enumerate(programme.slots):
        if way.capacity is not None:
            count = programme.least_in_flight(slot)
            built.model.add(linear(built.terms(slot, partial(way.kept_by, count=count))) <= way.capacity)


def crosses(built: CpSatStages, programme: StageProgramme) -> None:
    """x[reader, s] <= x[owner, s] + r[e, s] and x[owner, s] <= x[reader, s] + w[e, s], for outputs e, readers, slots s.

    What crosses at s is read there by at most one of the two.
    """
    graph = programme.graph
    for (output, slot), reads in built.reads.items():
        sends, owner = built.sends[output, slot], built.of(int(graph.owners[output]), slot)
        built.model.add(reads + owner <= 1)
        built.model.add(sends <= owner)
        for reader in graph.readers[output]:
            built.model.add(built.of(reader, slot) <= owner + reads)
            built.model.add(owner <= built.of(reader, slot) + sends)


def takes(built: CpSatStages, programme: StageProgramme) -> None:
    """T[s] >= what slot s computes, reads and sends, in sum, or each where these overlap."""
    graph = programme.graph
    for slot in range(len(graph.slots)):
        parts = list(_parts(built, programme, slot))
        together = parts if graph.overlapped else [[term for part in parts for term in part]]
        for terms in together:
            built.model.add(linear(terms) <= built.longest)
            if built.times:
                built.model.add(linear(terms) <= built.times[slot])


def _parts(built: CpSatStages, programme: StageProgramme, slot: int) -> Iterator[Terms]:
    """Yield what a slot computes, reads and sends."""
    way = programme.slots[slot]
    yield built.terms(slot, way.time)
    for crossing, times in ((built.reads, way.transfers), (built.sends, way.sends)):
        yield [(literal, times[output]) for (output, place), literal in crossing.items() if place == slot]


def first_group(built: CpSatStages, programme: StageProgramme) -> None:
    """x[g, s'] <= sum over g' < g of x[g', s], for slots s, s' of an option one after the other: not contiguous.

    The sum is told by a Boolean that says whether any group up to g stands in s.
    """
    if programme.graph.contiguous:
        return
    for own in programme.series:
        for slot, following in pairwise(own):
            begun = built.model.new_constant(0)
            for group in range(programme.graph.groups):
                later = built.inside.get((group, following))
                if later is not None:
                    built.model.add(later <= begun)
                here = built.inside.get((group, slot))
                if here is not None:
                    reached = built.model.new_bool_var(f"a_{group}_{slot}")
                    built.model.add(reached >= here)
                    built.model.add(reached >= begun)
                    built.model.add(reached <= begun + here)
                    begun = reached


def in_order(built: CpSatStages, programme: StageProgramme) -> None:
    """number[g] = q[s] where x[g, s], number[g] <= number[h] for g before h, all q different: contiguous.

    Before is as searches take stages, from the beginning or from the end.

    Those of an option ascend, and so have no group in a later slot that comes before one in an earlier slot:
    sum over s' <= s of x[h, s'] + sum over s' > s of x[g, s'] <= 1.
    """
    graph, model = programme.graph, built.model
    if not graph.contiguous:
        return
    for own in programme.series:
        for slot, following in pairwise(own):
            model.add_implication(built.used[following], built.used[slot])
        for first, second in graph.search_order:
            for place in range(1, len(own)):
                early = [built.inside[second, s] for s in own[:place] if (second, s) in built.inside]
                late = [built.inside[first, s] for s in own[place:] if (first, s) in built.inside]
                if early and late:
                    model.add_at_most_one([*early, *late])
    stages = built.positions
    if not stages:
        return
    numbers = [model.new_int_var(0, len(stages) - 1, f"number_{g}") for g in range(graph.groups)]
    model.add_all_different(stages)
    for own in programme.series:
        for slot, following in pairwise(own):
            model.add(stages[slot] < stages[following])
    for (group, slot), x in built.inside.items():
        model.add(numbers[group] == stages[slot]).only_enforce_if(x)
    for first, second in graph.search_order:
        model.add(numbers[first] <= numbers[second])


FAMILIES: tuple[Family, ...] = (
    one_slot, used, devices, few, capacity, in_flight, crosses, takes, first_group, in_order,
)  # fmt: skip
"""All of them; those of an order say themselves whether they are for it."""
