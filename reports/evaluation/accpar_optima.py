"""AccPar's search beside the joint optimum, and what its abstract says of the search.

By the bytes of all groups, on every network, with three types and with two: the search level by level as its released
code does it, with adds completed best; the same search with adds decided, each level exact; and the optimum. On
ResNets the same where adds may also lie whole on both halves.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from hypar_opt.instance import load
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve

from .accpar import BATCH, NETWORKS
from .accpar_adds import NETWORKS as WITH_ADDS
from .accpar_adds import Adds, span
from .accpar_shares import released_words, replaced
from .sheet import Sheet, bars, canvas, fixed, percent

LEVELS: Final = 7
TYPES: Final = {"three": ("AccPar", "dp,mp,op"), "two": ("HyPar", "dp,mp")}
"""By how many types: whose plan, and the choices."""
RESNETS: Final = NETWORKS[-3:]
MACHINES: Final = ("mixed-alexnet", "mixed-vgg-11")
"""Two boards, one of TPU-v3 and one of TPU-v2."""


@dataclass(frozen=True)
class Searches:
    """What several searches find for a network.

    Parameters
    ----------
    network
        A shipped instance.
    types
        How many.
    """

    network: str
    types: str

    @cached_property
    def problem(self) -> NetworkProblem:
        """With adds decided."""
        choices = TYPES[self.types][1]
        return NetworkProblem(load(self.network, batch=BATCH, levels=LEVELS, choices=choices, accounting="published"))

    @cached_property
    def optimum(self) -> Plan:
        """Proven."""
        return solve(self.problem, "joint-dp")

    @cached_property
    def costs(self) -> dict[str, Fraction]:
        """Bytes by search."""
        words = released_words(self.network, TYPES[self.types][0], LEVELS)
        found = {
            "released": self.problem.objective_of(self.problem.bytes_of(words)),
            "levels": solve(self.problem, "accpar-dp").objective,
            "optimum": self.optimum.objective,
        }
        return {name: Fraction(cost) for name, cost in found.items() if cost is not None}

    def row(self) -> dict[str, object]:
        """Return the costs, and how much more than the optimum."""
        best = self.costs["optimum"]
        more = {f"{name}, more": float(self.costs[name] / best - 1) for name in ("released", "levels")}
        return {"network": self.network, "types": self.types, "status": self.optimum.status.value} | self.costs | more


def statements() -> list[dict[str, str]]:
    """Return what the abstract says of the search, with what is found."""
    rows = [
        {
            "statement": "the search is linear in the number of layers",
            "found": "of one level, on a chain: 9 sums a layer; on the blocks of ResNets, by elimination, 27 at most; "
            "of all levels together 3^H words a layer",
            "verdict": "true of a level",
            "command": "hypar-opt solve accpar-resnet-50 -f accpar-dp --levels 1",
        }
    ]
    for name in MACHINES:
        three, four = (_milliseconds(name, choices) for choices in ("dp,mp,op", "dp,mp,op,none"))
        rows.append(
            {
                "statement": f"three types are the complete space, {name}",
                "found": f"{fixed(three)} ms with the best share; {fixed(four)} ms where a board may do all of a layer",
                "verdict": "refuted" if four < three else "true here",
                "command": f"hypar-opt solve {name} --choices dp,mp,op,none --shares parts=16",
            }
        )
    for name in RESNETS:
        problem = NetworkProblem(replaced(name, 1, "dp,mp,op"))
        found, best = (solve(problem, one).objective for one in ("accpar-dp", "joint-dp"))
        assert found is not None and best is not None  # there is no capacity
        rows.append(
            {
                "statement": f"multi-path search, {name} at one level, as released",
                "found": f"{percent(float(found / best - 1))} more than the least of the same costs",
                "verdict": "exact here" if found == best else "refuted",
                "command": f"hypar-opt compare {name} -f accpar-dp,joint-dp --levels 1 --as-released",
            }
        )
    return rows


def _milliseconds(name: str, choices: str) -> float:
    found = solve(MixedProblem(load(name, choices=choices, shares="parts=16"))).objective
    assert found is not None  # what was found first fits
    return 1000 * float(found)


def sheet() -> Sheet:
    """Return the page."""
    every = [Searches(name, types) for types in TYPES for name in NETWORKS]
    adds = [Adds(name) for name in WITH_ADDS]
    rows = [one.row() for one in every]
    rows += [{"network": one.network, "types": "three, adds", "status": "OPTIMAL"} | one.costs for one in adds]
    first = [
        {"network": one.network, "types": one.types, "optimum": f"{int(one.costs['optimum']):,}"}
        | {"released": _more(one, "released"), "level by level": _more(one, "levels")}
        | {"command": f"`hypar-opt compare {one.network} -f accpar-dp,joint-dp --batch {BATCH} --levels {LEVELS} "
           f"--choices {TYPES[one.types][1]} --accounting published`"}
        for one in every
    ]  # fmt: skip
    worst = max(every, key=lambda one: one.costs["levels"] / one.costs["optimum"])
    released = max(every, key=lambda one: one.costs["released"] / one.costs["optimum"])
    lost = sum(one.costs["levels"] > one.costs["optimum"] for one in every)
    summary = (
        f"Level by level, each level exact, misses the optimum in {lost} of {len(every)} cases, by "
        f"{_more(worst, 'levels')} at most ({worst.network}, {worst.types} types); the released code's plans by "
        f"{_more(released, 'released')} at most ({released.network}). Where adds may also lie whole on both halves, "
        f"{span(adds, 'whole', 'cut')} less has to be exchanged, and the released code's plans, completed so, are "
        f"{span(adds, 'released, whole', 'whole')} above that."
    )
    return Sheet(
        "accpar-optima",
        "AccPar: the search level by level beside the joint optimum",
        summary,
        rows,
        [
            f"Bytes of all groups, batch {BATCH}, H = {LEVELS}; what searches find beside it in per cent more. "
            "Released: the plan of the released code, its adds completed best. Every optimum is proven by joint-dp.",
            first,
            "## Adds that may lie whole on both halves",
            "The same with three types, where the choice `replicate` leaves an add whole on both halves. Beside the "
            "optima the plans of the released code, their adds completed best without it and with it, in per cent more "
            "than the optimum of the same choices.",
            [one.row() for one in adds],
            "## Statements of the abstract",
            statements(),
        ],
        picture(every),
    )


def _more(one: Searches, search: str) -> str:
    return percent(float(one.costs[search] / one.costs["optimum"] - 1))


def picture(every: list[Searches]) -> object:
    """Return bars: what searches lose with three types."""
    three = [one for one in every if one.types == "three"]
    figure = canvas(10, 4.2)
    axes = figure.add_subplot()
    names = [one.network.removeprefix("accpar-") for one in three]
    series = {
        what: ([100 * float(one.costs[name] / one.costs["optimum"] - 1) for one in three], colour)
        for what, name, colour in (("released", "released", "#9ecae1"), ("level by level", "levels", "#08519c"))
    }
    bars(axes, names, series)
    axes.set_ylabel("per cent more than the optimum, H = 7")
    return figure
