"""One front of (sums, moved, turned) a network: what it says of every pair of machines, and of every share."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Final

from hypar_opt.instance import Instance, load
from hypar_opt.instance.objective.components import EXCHANGES
from hypar_opt.solver.front import ParetoFront
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.one_front import Served, TwoMachines, served

from .accpar import BATCH
from .accpar_shares import Halves
from .sheet import Sheet, fixed

NETWORKS: Final = ("sfc", "lenet-c", "accpar-alexnet", "accpar-vgg-11", "vgg-b", "vgg-d", "vgg-e")
SEARCHED: Final = {"accpar-alexnet": "mixed-alexnet", "accpar-vgg-11": "mixed-vgg-11"}
"""Networks that are shipped on a board of TPU-v3 and one of TPU-v2, and how these instances are called."""
RATES: Final = (420 * 10**12, 180 * 10**12)
LINKS: Final = ((2, 1), (2, 2), (16, 8), (1, 8))
"""GB/s of the faster board and of the slower one."""
SHOWN: Final = (2, 1)
PARTS: Final = 512
ELEMENT: Final = 2
"""Bytes."""


class Network:
    """A network and its front at one level.

    Parameters
    ----------
    name
        A shipped instance.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def front(self) -> ParetoFront:
        """On two accelerators that are alike."""
        return pareto_front(self.instance, EXCHANGES)

    @cached_property
    def instance(self) -> Instance:
        """On these."""
        return load(self.name, batch=BATCH, levels=1, choices="dp,mp,op", accounting="published")

    def on(self, links: tuple[int, int]) -> Served:
        """Return the best plan and share on two boards, which count two bytes an element."""
        operations = Halves(self.name).operations
        seconds = Fraction(operations, RATES[0]), Fraction(operations, RATES[1])
        read = [Fraction(link * 10**9 * self.instance.bytes_per_element, ELEMENT) for link in links]
        return served(self.front, TwoMachines(seconds, (read[0], read[1])), PARTS)

    @cached_property
    def searched(self) -> bool:
        """Whether a search over words and shares on the shipped boards finds the same time."""
        return solve(MixedProblem(load(SEARCHED[self.name]))).objective == self.on(SHOWN).seconds

    def word(self, place: int) -> str:
        """Return a point's plan, a letter a layer."""
        return "".join(self.front.points[place].strategies.values())

    def vectors(self) -> list[tuple[int, int, int]]:
        """Return the elements of sums, moved and turned that one side is charged: whole, times b, and times a b."""
        size = self.instance.bytes_per_element
        return [
            (int(sums / 2 / size), int(moved / size), int(2 * turned / size))
            for sums, moved, turned in (point.values for point in self.front.points)
        ]

    def rows(self) -> list[dict[str, str]]:
        """Return the points, with the machines on which each is best."""
        best = {links: self.on(links) for links in LINKS}
        return [
            {
                "network": self.name if place == 0 else "",
                "plan": self.word(place),
                "sums": f"{sums:,}",
                "moved": f"{moved:,}",
                "turned": f"{turned:,}",
            }
            | {
                _links(links): f"{fixed(1000 * one.seconds)} ms at {one.share * PARTS}" if one.place == place else ""
                for links, one in best.items()
            }
            for place, (sums, moved, turned) in enumerate(self.vectors())
        ]


def _links(links: tuple[int, int]) -> str:
    return f"{links[0]} and {links[1]} GB/s"


def sheet() -> Sheet:
    """Return the page."""
    every = [Network(name) for name in NETWORKS]
    sizes = [len(one.front.points) for one in every]
    assert all(one.front.complete for one in every)
    agree = all(one.searched for one in every if one.name in SEARCHED)
    summary = (
        f"At one level and one share, {min(sizes)} to {max(sizes)} plans a network are all that any two machines, at "
        f"any share, can need. A search over words and shares {'finds the same' if agree else 'finds other times'} on "
        f"{len(SEARCHED)} shipped arrays."
    )
    rows = [
        {"network": one.name, "plan": one.word(place), "sums": sums, "moved": moved, "turned": turned}
        for one in every
        for place, (sums, moved, turned) in enumerate(one.vectors())
    ]
    return Sheet(
        "accpar-front",
        "AccPar: one front for all pairs of machines",
        summary,
        rows,
        [
            f"Batch {BATCH}, one level, three types. Elements that one side reads: all of the sums, b = 1 - a of what "
            "is moved and ab of what is turned, where it has the share a. No plan that is left out is better on any "
            "two machines. On the right boards of 420 and 180 TFLOPS with some bandwidths, two bytes an element: the "
            f"least time of a step, beside the best plan, and the faster board's share of {PARTS}.",
            [row for one in every for row in one.rows()],
            "`hypar-opt pareto accpar-alexnet --levels 1 --components sums,moved,turned` is such a front, in bytes "
            "that equal halves read together; `hypar-opt solve mixed-alexnet` is the search on the first of these "
            "pairs.",
        ],
        None,
    )
