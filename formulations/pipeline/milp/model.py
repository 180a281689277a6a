"""A pipeline in PuLP's terms: groups at places, what an output keeps inside a place, the longest time.

An output that is kept inside by place p (its owner and all readers there) is not sent by it; one of which p has the
owner and a reader is not read by it. What p sends is x[owner, p] - kept[e, p], what it reads any[e, p] - both[e, p],
with any[e, p] at least every reader's x. Of an output with one reader any is that reader's x, and both is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from formulations.milp.model import HALF, PulpModel, Variable, at_most, equal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from formulations.pipeline.milp.programme import PlaceProgramme

Family: TypeAlias = "Callable[[PulpStages, PlaceProgramme], None]"
Terms: TypeAlias = "list[tuple[Variable, int]]"


@dataclass(frozen=True)
class PulpStages(PulpModel):
    """A PuLP problem and its variables.

    Parameters
    ----------
    problem
        Filled by the families below.
    x
        By group and position among its choices: 1 if it is done so.
    chosen
        By place and group the same, with the numbers of ways.
    inside
        By place and group: 1 if it stands there.
    used
        By place: 1 if it has a group.
    kept, touched, both
        By output and place that takes time for transfers, as above; `touched` is any.
    longest
        At least what every stage takes.
    times
        By place, at least what its stage takes; empty unless the sum of times counts.
    """

    chosen: tuple[Mapping[int, Sequence[tuple[Variable, int]]], ...]
    inside: tuple[Mapping[int, Variable], ...]
    used: tuple[Variable, ...]
    kept: Mapping[tuple[int, int], Variable]
    touched: Mapping[tuple[int, int], Variable]
    both: Mapping[tuple[int, int], Variable]
    longest: Variable
    times: tuple[Variable, ...]


def build(programme: PlaceProgramme) -> PulpStages:
    """Create the variables, then the families of constraints, what was seen, and the objective."""
    import pulp

    problem, graph = pulp.LpProblem("hypar_opt"), programme.graph
    places = range(len(programme.places))
    x = [[problem.add_variable(f"x_{g}_{p}", cat=pulp.LpBinary) for p in own] for g, own in enumerate(programme.values)]
    chosen: tuple[dict[int, list[tuple[Variable, int]]], ...] = tuple({} for _ in places)
    for group, (variables, own) in enumerate(zip(x, programme.values, strict=True)):
        for variable, one in zip(variables, own, strict=True):
            chosen[one % len(places)].setdefault(group, []).append((variable, one // len(places)))
    inside = tuple(
        {
            group: ways[0][0] if len(ways) == 1 else problem.add_variable(f"in_{group}_{place}", lowBound=0, upBound=1)
            for group, ways in of_place.items()
        }
        for place, of_place in enumerate(chosen)
    )
    crossing = [
        (output, place)
        for output in range(len(graph.owners))
        for place, way in enumerate(programme.ways)
        if way.transfers[output] or way.sends[output]
    ]
    wide = [(output, place) for output, place in crossing if len(graph.readers[output]) > 1]

    def shares(name: str, keys: list[tuple[int, int]]) -> dict[tuple[int, int], Variable]:
        return {key: problem.add_variable(f"{name}_{key[0]}_{key[1]}", lowBound=0, upBound=1) for key in keys}

    kept = shares("kept", crossing)
    built = PulpStages(
        problem,
        x,
        chosen,
        inside,
        tuple(problem.add_variable(f"used_{p}", lowBound=0, upBound=1) for p in places),
        kept,
        shares("any", wide),
        kept | shares("both", wide),
        problem.add_variable("longest", lowBound=0),
        tuple(problem.add_variable(f"t_{p}", lowBound=0) for p in places if graph.sum_weight),
    )
    for family in FAMILIES:
        family(built, programme)
    for row in programme.rows:
        at_most(built, ((x[group][i], use) for (group, i), use in row.usages.items()), row.limit + HALF)
    weighted = [(time, graph.sum_weight) for time in built.times]
    problem.setObjective(pulp.LpAffineExpression([*weighted, (built.longest, graph.max_weight)]))
    return built


def one_place(built: PulpStages, programme: PlaceProgramme) -> None:
    """Sum over p and ways n of x[g, p, n] = 1, and over n = x[g, p], for every group g and place p."""
    for own in built.x:
        equal(built, ((x, 1) for x in own), 1)
    for inside, chosen in zip(built.inside, built.chosen, strict=True):
        for group, ways in chosen.items():
            if len(ways) > 1:
                equal(built, [*((x, 1) for x, _ in ways), (inside[group], -1)], 0)


def used(built: PulpStages, programme: PlaceProgramme) -> None:
    """x[g, p] <= used[p], for every group g and place p."""
    for place, literal in enumerate(built.used):
        for x in built.inside[place].values():
            at_most(built, [(x, 1), (literal, -1)], 0)


def devices(built: PulpStages, programme: PlaceProgramme) -> None:
    """Sum over places p of kind k of m[p] used[p] <= count[k], for every kind k."""
    for kind, count in enumerate(programme.graph.counts):
        own = ((used, way) for used, way in zip(built.used, programme.ways, strict=True) if way.kind == kind)
        at_most(built, ((used, way.devices) for used, way in own), count + HALF)


def few(built: PulpStages, programme: PlaceProgramme) -> None:
    """Sum over p of used[p] <= the stages that there may be."""
    most = programme.graph.most_stages
    if most is not None:
        at_most(built, ((used, 1) for used in built.used), most + HALF)


def stays(built: PulpStages, programme: PlaceProgramme) -> None:
    """Each of kept, touched and both, by the owner's and readers' x: see the module."""
    graph = programme.graph
    for (output, place), kept in built.kept.items():
        own, both = built.inside[place], built.both[output, place]
        owner, readers = own.get(int(graph.owners[output])), [own.get(reader) for reader in graph.readers[output]]
        for one in (owner, *readers):
            at_most(built, [(kept, 1)] if one is None else [(kept, 1), (one, -1)], 0)
        touched = built.touched.get((output, place))
        if touched is not None:
            at_most(built, [(both, 1), (touched, -1)], 0)
            at_most(built, [(both, 1)] if owner is None else [(both, 1), (owner, -1)], 0)
            at_most(built, [(both, 1), *((one, -1) for one in readers if one is not None)], 0)
            for one in readers:
                if one is not None:
                    at_most(built, [(one, 1), (touched, -1)], 0)


def takes(built: PulpStages, programme: PlaceProgramme) -> None:
    """T[p] >= what place p computes, reads and sends, in sum, or each where these overlap."""
    for place in range(len(programme.places)):
        parts = list(_parts(built, programme, place))
        together = parts if programme.graph.overlapped else [[term for part in parts for term in part]]
        for terms in map(_added, together):
            at_most(built, [*terms, (built.longest, -1)], 0)
            if built.times:
                at_most(built, [*terms, (built.times[place], -1)], 0)


def _parts(built: PulpStages, programme: PlaceProgramme, place: int) -> Iterator[Terms]:
    """Yield what a place computes, reads and sends."""
    graph, way, own = programme.graph, programme.ways[place], built.inside[place]
    every = ((x, way.time(group, number)) for group, ways in built.chosen[place].items() for x, number in ways)
    yield [(x, time) for x, time in every if time]
    reads, sends = [], []
    for output, owner in enumerate(graph.owners.tolist()):
        time, sent = way.transfers[output], way.sends[output]
        if not time and not sent:
            continue
        kept, readers = built.kept[output, place], graph.readers[output]
        touched = built.touched.get((output, place), own.get(readers[0]) if len(readers) == 1 else None)
        if touched is not None:
            reads += [(touched, time), (built.both[output, place], -time)]
        if owner in own:
            sends += [(own[owner], sent), (kept, -sent)]
    yield reads
    yield sends


def _added(terms: Terms) -> Terms:
    """Return every variable once, which is as PuLP takes them."""
    found: dict[Variable, int] = {}
    for variable, number in terms:
        found[variable] = found.get(variable, 0) + number
    return list(found.items())


def first_group(built: PulpStages, programme: PlaceProgramme) -> None:
    """x[g, p'] <= sum over g' < g of x[g', p], for places p, p' of an option one after the other: not contiguous."""
    if programme.graph.contiguous:
        return
    for own in programme.stages.series:
        for place, following in pairwise(own):
            for group, x in built.inside[following].items():
                earlier = [(other, -1) for before, other in built.inside[place].items() if before < group]
                at_most(built, [(x, 1), *earlier], 0)


def in_order(built: PulpStages, programme: PlaceProgramme) -> None:
    """Positions one after the other: each has one option, none follows an empty one, and none before a group's own.

    Before is as searches take stages, from the beginning or from the end. Sum over places up to position i of x[h, p]
    <= the same sum of x[g, p], for g before h and every i: contiguous.
    """
    graph = programme.graph
    if not graph.contiguous:
        return
    positions = programme.positions
    for own in positions:
        at_most(built, [(built.used[place], 1) for place in own], 1)
    for own, following in pairwise(positions):
        at_most(built, [*((built.used[p], 1) for p in following), *((built.used[p], -1) for p in own)], 0)
    for first, second in graph.search_order:
        terms: Terms = []
        for own in positions[:-1]:
            terms += [(built.inside[p][second], 1) for p in own if second in built.inside[p]]
            terms += [(built.inside[p][first], -1) for p in own if first in built.inside[p]]
            at_most(built, list(terms), 0)


def behind(built: PulpStages, programme: PlaceProgramme) -> None:
    """Sum over positions behind p of d used <= (n[p] - 1) d[p] if used[p], for places p with room for n[p] in flight.

    No more than all devices are behind any other.
    """
    most = programme.graph.devices
    for number, place in enumerate(programme.places):
        way = programme.ways[number]
        if place.in_flight is None or place.in_flight == programme.most_in_flight(place.position, way):
            continue
        room = (place.in_flight - 1) * way.replicas
        others = [one for own in programme.positions[: place.position] for one in own]
        terms = [(built.used[one], programme.ways[one].replicas) for one in others]
        at_most(built, [*terms, (built.used[number], most - room)], most + HALF)


FAMILIES: tuple[Family, ...] = (one_place, used, devices, few, stays, takes, first_group, in_order, behind)
"""All of them; those of an order say themselves whether they are for it."""
