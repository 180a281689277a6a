"""What a plan of operators puts on the links of a graph, in tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.operators import OnGraph, on_graph
from hypar_opt.instance.operators.standing import with_article
from hypar_opt.report.numbers import in_bytes, in_si
from hypar_opt.report.operators.phases import shown_phases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.hardware import Hop, Link, Machine
    from hypar_opt.solver.operator_problem import OperatorProblem

MOST_NAMES: Final = 24
"""Accelerators that a line names."""
ASSUMED: Final = "collectives: each device sends each other one of its group as much, along the routes of the topology"
"""How a collective is carried out; what tables of links rest on."""


def crossed_by(problem: OperatorProblem, strategies: Mapping[str, str]) -> OnGraph | None:
    """Return what a plan puts on the links of the graph that devices stand on; None where they do not."""
    walks = problem.walks
    return None if walks is None else on_graph(problem.instance.graph, problem.plan_of(strategies), walks)


@dataclass
class _Sums:
    """What exchanges within groups along the same axes come to."""

    bytes: Fraction = Fraction(0)
    hops: Fraction = Fraction(0)
    seconds: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))


def group_rows(problem: OperatorProblem, crossed: OnGraph) -> list[dict[str, Any]]:
    """Return a row a set of axes along which groups exchange: bytes, links that each crosses, and seconds by phase."""
    partition, found = problem.instance.partition, defaultdict[tuple[int, ...], _Sums](_Sums)
    takers: dict[object, int] = {}
    for exchange, one, times in crossed.parts:
        sums = found[tuple(sorted({axis for way, _ in exchange.ways for axis in way.axes}))]
        for way, size in exchange.ways:
            if way not in takers:
                takers[way] = sum(1 for _ in way.pairs(partition))
            sums.bytes += size * takers[way]
        sums.hops += one.hops * times
        sums.seconds[exchange.phase] += (one.seconds or 0) * times
    names = [axis.name for axis in partition.axes]
    phases = shown_phases(phase for sums in found.values() for phase in sums.seconds)
    rows = []
    for axes, sums in sorted(found.items()):
        row = {
            "groups along": " x ".join(names[axis] for axis in axes),
            "bytes": in_bytes(sums.bytes),
            "links each": f"{float(sums.hops / sums.bytes):.3g}",
            "bytes x links": in_bytes(sums.hops),
        }
        if crossed.seconds is not None:
            row |= {phase: in_si(float(sums.seconds[phase]), "s") for phase in phases}
        rows.append(row)
    return rows


def kind_rows(crossed: OnGraph) -> list[dict[str, Any]]:
    """Return a row a kind of link, by what it joins and its bandwidth: how many, their bytes, and the fullest."""
    machine, kinds = crossed.machine, defaultdict[tuple[str, Fraction | None], list["Link"]](list)
    for link in machine.links:
        kinds[_ends(machine, link), link.bandwidth].append(link)
    rows = []
    for (ends, bandwidth), links in kinds.items():
        loads = {hop: crossed.loads.get(hop, Fraction(0)) for link in links for hop in (link.ends, link.ends[::-1])}
        fullest: Hop = max(loads, key=lambda hop: loads[hop])
        row = {"links": ends, "count": len(links)}
        row |= {} if bandwidth is None else {"bandwidth": f"{in_bytes(bandwidth)}/s"}
        row |= {"bytes": in_bytes(sum(loads.values(), start=Fraction(0)))}
        row |= {"fullest": machine.path(fullest), "its bytes": in_bytes(loads[fullest])}
        rows.append(row)
    return rows


def _ends(machine: Machine, link: Link) -> str:
    count = len(machine.accelerators)
    kinds = sorted("accelerator" if end < count else "switch" for end in link.ends)
    return " - ".join(kinds)


def placement_text(problem: OperatorProblem) -> str:
    """Return on which graph devices stand, and how."""
    standing, array = problem.instance.standing, problem.instance.spec.array
    if standing is None:
        return ""
    how = "identity" if standing.sites == tuple(range(len(standing.sites))) else f"on {names_text(standing.names)}"
    return f"on {with_article(array.topology or '')}, placement {how}\n{ASSUMED}"


def names_text(names: Sequence[str]) -> str:
    """Return accelerators by device, the first of very many."""
    return " ".join(names[:MOST_NAMES]) + (f" ... ({len(names):,})" if len(names) > MOST_NAMES else "")
