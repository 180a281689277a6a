"""AccPar's average gains over data parallelism, from what its released code charges and one machine constant.

A step of a plan takes 2 B x (sum over levels of what one side of one group reads) / bandwidth, every level counted
once, and six operations for each multiply-accumulate / rate: forward, backward and gradient, two each. That is a
reading; the published averages do not say how they count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log
from typing import Final

from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

from .facts import PRINTED
from .sheet import Sheet, bars, canvas, fixed, short

BATCH: Final = 512
BYTES: Final = 2
"""Of a number in bfloat16."""
OPERATIONS: Final = 6
"""Of a multiply-accumulate, in the three phases of a step."""
NETWORKS: Final = (
    "lenet-c", "accpar-alexnet", "accpar-vgg-11", "vgg-b", "vgg-d", "vgg-e",
    "accpar-resnet-18", "accpar-resnet-34", "accpar-resnet-50",
)  # fmt: skip
PLANS: Final = {
    "DP": ("data-parallel", "dp,mp"),
    "OWT": ("one-weird-trick", "dp,mp"),
    "HyPar": ("accpar-dp", "dp,mp"),
    "AccPar": ("accpar-dp", "dp,mp,op"),
}
"""By the name in the tables: the formulation, and the types."""
PUBLISHED: Final = PRINTED["accpar"]
"""The averages of the abstract, by plan."""
LARGEST: Final = 1e12
"""Elements a second over which no mean changes any more, for the interval of constants."""


@dataclass(frozen=True)
class Machine:
    """An array of equal halves.

    Parameters
    ----------
    levels
        How often it is halved.
    constant
        Operations, of all, in the time that one side of a group takes to read an element; infinite where computing
        takes no time.
    what
        In words.
    """

    levels: int
    constant: float
    what: str


MACHINES: Final = (
    Machine(7, 128 * 420e12 * BYTES / 4e9, "128 x 420 TFLOPS (TPU-v3), 4 GB/s"),
    Machine(7, inf, "no computing"),
    Machine(8, 256 * 180e12 * BYTES / 4e9, "256 x 180 TFLOPS (TPU-v2), 4 GB/s"),
    Machine(8, 256 * 180e12 * BYTES / 2e9, "256 x 180 TFLOPS (TPU-v2), 2 GB/s"),
)


@dataclass(frozen=True)
class Amounts:
    """What a network's plans read and compute.

    Parameters
    ----------
    network
        A shipped instance.
    levels
        Of the array.
    """

    network: str
    levels: int

    @cached_property
    def elements(self) -> dict[str, float]:
        """By plan, what one side of one group reads at all levels together."""
        found = {}
        for name, (formulation, choices) in PLANS.items():
            instance = load(
                self.network, batch=BATCH, levels=self.levels, choices=choices, accounting="published", as_released=True
            )
            problem = NetworkProblem(instance)
            plan = solve(problem, formulation)
            bytes_of = problem.bytes_of(plan.strategies)
            every = ((bytes_of.level(h), 2 * instance.bytes_per_element << h) for h in range(self.levels))
            found[name] = sum(float(count) / unit for count, unit in every)
        return found

    @cached_property
    def operations(self) -> int:
        """Of a step."""
        layers = NetworkProblem(load(self.network, as_released=True, accounting="published")).work.layers
        return OPERATIONS * BATCH * sum(layer.macs for layer in layers)

    def gain(self, plan: str, constant: float) -> float:
        """Return how much faster a plan's step is than data parallelism's.

        Parameters
        ----------
        constant
            Operations in the time that an element takes; 0 where elements take none, infinite where operations do.
        """
        if constant == inf:
            return self.elements["DP"] / self.elements[plan]
        first, second = (self.elements[name] * constant + self.operations for name in ("DP", plan))
        return first / second


def amounts_of(levels: int) -> list[Amounts]:
    """Return all networks' on an array of so many levels."""
    return [Amounts(name, levels) for name in NETWORKS]


def mean(amounts: list[Amounts], plan: str, constant: float) -> float:
    """Return the geometric mean of all networks' gains."""
    return exp(sum(log(one.gain(plan, constant)) for one in amounts) / len(amounts))


def interval(amounts: list[Amounts], plan: str) -> tuple[float, float] | None:
    """Return the constants at which the mean has the published digits; None if there are none.

    The mean rises with the constant, since data parallelism reads more than any plan here.
    """
    published, half = float(PUBLISHED[plan]), 0.005
    if mean(amounts, plan, inf) < published - half:
        return None
    return tuple(_crossing(amounts, plan, limit) for limit in (published - half, published + half))


def _crossing(amounts: list[Amounts], plan: str, value: float) -> float:
    """Return the constant at which a mean reaches a value, by bisection; infinite if it does not."""
    if mean(amounts, plan, inf) < value:
        return inf
    low, high = 0.0, LARGEST
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(amounts, plan, middle) < value else (low, middle)
    return high


def sheet() -> Sheet:
    """Return the page."""
    every = {levels: amounts_of(levels) for levels in {one.levels for one in MACHINES}}
    plans = [plan for plan in PLANS if plan != "DP"]
    first = [
        {"H": str(one.levels), "machine": one.what, "constant": "" if one.constant == inf else f"{one.constant:.3g}"}
        | {plan: fixed(mean(every[one.levels], plan, one.constant)) for plan in plans}
        for one in MACHINES
    ]
    first.append({"machine": "abstract, heterogeneous"} | dict(PUBLISHED))
    second = [
        {"H": str(levels), "plan": plan, "published": PUBLISHED[plan], "at constants": _shown(interval(amounts, plan))}
        for levels, amounts in sorted(every.items())
        for plan in plans
    ]
    rows = [
        {"network": one.network, "H": one.levels, "plan": plan, "elements": one.elements[plan]}
        | {"operations": one.operations, "gain, no computing": one.gain(plan, inf)}
        for amounts in every.values()
        for one in amounts
        for plan in PLANS
    ]
    third = [{"network": one.network} | {plan: fixed(one.gain(plan, inf), 2) for plan in plans} for one in every[7]]
    eight = every[8]
    summary = (
        f"Two of three: {mean(eight, 'OWT', MACHINES[2].constant):.2f} and "
        f"{mean(eight, 'HyPar', MACHINES[3].constant):.2f} for OWT and HyPar (abstract: {PUBLISHED['OWT']}, "
        f"{PUBLISHED['HyPar']}) follow from the released code's reckoning at H = 8 and TPU-v2's rate, at two constants "
        f"a factor of two apart. AccPar's {PUBLISHED['AccPar']} does not at equal shares: "
        f"{mean(eight, 'AccPar', inf):.2f} is the most. One constant is fitted."
    )
    return Sheet(
        "accpar",
        "AccPar: average gains over data parallelism",
        summary,
        rows,
        [
            "Geometric means over nine networks of a step's time under data parallelism over that of a plan, batch "
            "512. A step takes 2 bytes x what one side of one group reads at all levels, each counted once, / "
            "bandwidth, and six operations for each multiply-accumulate / rate. The constant is operations in the time "
            "of an element. This reading was found by trying; the abstract names three averages and no rule.",
            first,
            "## Which constants give the published digits",
            second,
            "## By network, H = 7, where computing takes no time",
            third,
        ],
        picture(every[7]),
    )


def _shown(found: tuple[float, float] | None) -> str:
    if found is None:
        return "none"
    return " to ".join("infinite" if one == inf else f"{short(one / 1e7, 3)}e7" for one in found)


def picture(amounts: list[Amounts]) -> object:
    """Return bars: the gains of each network."""
    figure = canvas(10, 4.2)
    axes = figure.add_subplot()
    colours = {"OWT": "#9ecae1", "HyPar": "#4292c6", "AccPar": "#08519c"}
    series = {plan: ([one.gain(plan, inf) for one in amounts], colour) for plan, colour in colours.items()}
    bars(axes, [one.network.removeprefix("accpar-") for one in amounts], series)
    axes.set_ylabel("gain over data parallelism, H = 7, no computing")
    return figure
