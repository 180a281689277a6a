"""What a plan of operators puts on the links of a graph, in tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.operators.standing import with_article
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.times import axes_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.operators import GraphLoads, OperatorStep
    from hypar_opt.instance.hardware import Hop, Link, Machine
    from hypar_opt.solver.operator_problem import OperatorProblem

MOST_NAMES: Final = 24
"""Accelerators that a line names."""
ASSUMED: Final = "collectives: each device sends each other one of its group as much, along the routes of the topology"
"""How a collective is carried out; what tables of links rest on."""


@dataclass(frozen=True)
class GroupTraffic:
    """What exchanges within groups along some axes come to.

    Parameters
    ----------
    groups
        The axes' names.
    bytes
        That all devices receive.
    hops
        Bytes times the links that they cross.
    """

    groups: str
    bytes: Fraction
    hops: Fraction


def group_traffic(step: OperatorStep) -> Iterator[GroupTraffic]:
    """Yield what is exchanged by set of axes, the outermost first; nothing where devices stand on no graph."""
    partition, takers = step.partition, dict[object, int]()
    found: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {}
    for exchange, one, times in () if step.crossed is None else step.crossed.parts:
        moved, hops = found.get(exchange.axes, (Fraction(0), Fraction(0)))
        for way, size in exchange.ways:
            if way not in takers:
                takers[way] = sum(1 for _ in way.pairs(partition))
            moved += size * takers[way]
        found[exchange.axes] = moved, hops + one.hops * times
    for axes, (moved, hops) in sorted(found.items()):
        yield GroupTraffic(axes_named(partition, axes), moved, hops)


def group_rows(step: OperatorStep) -> list[dict[str, Any]]:
    """Return a row a set of axes along which groups exchange: bytes, and the links that each crosses."""
    return [
        {
            "groups along": one.groups,
            "bytes": in_bytes(one.bytes),
            "links each": f"{float(one.hops / one.bytes):.3g}",
            "bytes x links": in_bytes(one.hops),
        }
        for one in group_traffic(step)
    ]


def kind_rows(crossed: GraphLoads | None) -> list[dict[str, Any]]:
    """Return a row a kind of link, by what it joins and its bandwidth: how many, their bytes, and the fullest."""
    if crossed is None:
        return []
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
