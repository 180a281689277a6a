"""What adds that may lie whole on both halves save on ResNets, and what AccPar's released plans then lose."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

from .accpar import BATCH
from .accpar import NETWORKS as OF_AVERAGES
from .accpar_shares import released_words
from .sheet import percent

RELEASED: Final = OF_AVERAGES[-3:]
"""In the shapes of the released code, whose plans are known."""
NETWORKS: Final = {**dict.fromkeys(RELEASED, 7), "resnet-18": 7} | {
    "accpar-resnet-50": 6,
    "resnet-34": 6,
    "resnet-50": 6,
}
"""The levels: seven, as of the other rows, but for those that take long."""


@dataclass(frozen=True)
class Adds:
    """What adds that may lie whole on both halves make of a network's plans of three types.

    Parameters
    ----------
    network
        A shipped instance.
    """

    network: str

    @property
    def levels(self) -> int:
        """H."""
        return NETWORKS[self.network]

    @cached_property
    def costs(self) -> dict[str, Fraction]:
        """Bytes: the optima without and with the choice, and of the released code's plan completed best in both."""
        found = {}
        words = released_words(self.network, "AccPar", self.levels) if self.network in RELEASED else None
        for name, choices in (("cut", "dp,mp,op"), ("whole", "dp,mp,op,replicate")):
            given = load(self.network, batch=BATCH, levels=self.levels, choices=choices, accounting="published")
            problem = NetworkProblem(given)
            found[name] = solve(problem, "joint-dp")
            if words is not None:
                weighted = {one.name: words[one.name] for one in problem.work.layers if not one.is_join}
                found[f"released, {name}"] = solve(NetworkProblem(given.changed(fix=weighted)), "joint-dp")
        assert all(plan.proven for plan in found.values())
        return {name: Fraction(plan.objective) for name, plan in found.items() if plan.objective is not None}

    def more(self, name: str, best: str) -> str:
        """Return how much more one of them is than another, or nothing where it is not known."""
        return percent(float(self.costs[name] / self.costs[best] - 1)) if name in self.costs else ""

    def row(self) -> dict[str, object]:
        """Return them as the page has them."""
        return {
            "network": self.network,
            "H": str(self.levels),
            "adds cut": f"{int(self.costs['cut']):,}",
            "or whole": f"{int(self.costs['whole']):,}",
            "less": percent(float(self.costs["whole"] / self.costs["cut"] - 1)),
            "released, adds cut": self.more("released, cut", "cut"),
            "released, or whole": self.more("released, whole", "whole"),
            "command": f"`hypar-opt solve {self.network} --batch {BATCH} --levels {self.levels} --accounting published "
            "--choices dp,mp,op,replicate`",
        }


def span(adds: list[Adds], name: str, best: str) -> str:
    """Return the least and the largest of what costs differ by."""
    found = [abs(float(one.costs[name] / one.costs[best] - 1)) for one in adds if name in one.costs]
    return f"{100 * min(found):.2f} to {100 * max(found):.2f} %"
