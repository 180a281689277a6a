"""What unequal shares can make of AccPar's average: TPU-v3 beside TPU-v2, apart at the root.

Both halves of the array have 128 accelerators. At the root the half of TPU-v3 gets a share of whatever is split, the
same for all layers, and seven levels below halve what each half has. A step ends when the slower half is done; it is
set beside data parallelism at equal shares. Plans are those of the released code at equal halves, its adds, which it
does not decide, completed best; or, below the root, what its search finds for what each half has, adds decided as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp, log
from typing import Final

import numpy as np

from hypar_opt.cost.mixed.compile import Compiler
from hypar_opt.cost.mixed.model import MixedModel
from hypar_opt.evaluation.mixed import MixedSetting, stints
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance import load
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.hardware.accelerator import OPTIMISERS, Accelerator
from hypar_opt.instance.hardware.mixed import AcceleratorKind, MixedArray
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.partition import halves

from .accpar import BATCH, BYTES, NETWORKS, OPERATIONS, PLANS, PUBLISHED
from .sheet import Sheet, canvas, fixed

LEVELS: Final = 8
EACH: Final = 128
"""Accelerators of a kind."""
RATES: Final = (420e12, 180e12)
"""Operations a second of a TPU-v3, and of a TPU-v2."""
SHARES: Final = tuple(map(Fraction, ("1/2", "2/3", "7/10", "4/5", "17/20", "9/10", "19/20")))
"""Of TPU-v3."""
LINKS: Final = {"v3 twice v2": (2e9, 1e9), "equal": (1e9, 1e9)}
"""Bytes a second at which a half reads."""
FINENESS: Final = 512
"""Shares are looked at in steps of one over this for the best one."""


def released_words(network: str, plan: str, levels: int = LEVELS) -> dict[str, str]:
    """Return the words of one of the released code's plans, its adds completed best."""
    formulation, choices = PLANS[plan]
    instance = load(network, batch=BATCH, levels=levels, choices=choices, accounting="published")
    problem = NetworkProblem(instance)
    names = [layer.name for layer in problem.work.layers]
    if formulation == "data-parallel":
        return dict.fromkeys(names, "d" * levels)
    as_released = replaced(network, levels, choices)
    found = solve(NetworkProblem(as_released), formulation).strategies
    assert found is not None  # there is no capacity
    if set(found) == set(names):
        return dict(found)
    completed = solve(NetworkProblem(instance.changed(fix={name: found[name] for name in names if name in found})))
    assert completed.strategies is not None
    return dict(completed.strategies)


def replaced(network, levels, choices):
    """Return an instance as the released code has it."""
    return load(network, batch=BATCH, levels=levels, choices=choices, accounting="published", as_released=True)


@dataclass(frozen=True)
class Halves:
    """What the two halves of the array do of a network's plans.

    Parameters
    ----------
    network
        A shipped instance.
    """

    network: str

    @cached_property
    def work(self):
        """Its layers."""
        return NetworkProblem(load(self.network, accounting="published")).work

    @cached_property
    def operations(self) -> int:
        """Of a step."""
        return OPERATIONS * BATCH * sum(layer.macs for layer in self.work.layers)

    @cached_property
    def words(self) -> dict[str, dict[str, str]]:
        """By plan, at equal halves."""
        return {plan: released_words(self.network, plan) for plan in ("DP", "AccPar")}

    @cached_property
    def own(self) -> dict[Fraction, tuple[float, float]]:
        """By share, the bytes that a leaf of each half reads where each half has words of its own below the root."""
        found = {}
        for share in SHARES:
            first, second = (self._bytes(self._words_of(side, share), share)[side] for side in (0, 1))
            found[share] = (first, second)
        return found

    def _words_of(self, side: int, share: Fraction) -> dict[str, str]:
        """Return what the search level by level finds for one half, below the root."""
        root = {name: word[0] + "." * (LEVELS - 1) for name, word in self.words["AccPar"].items()}
        here = setting()
        model = MixedModel(BATCH, here.array, here.barrier, here.optimiser, "published", "dmo", BYTES, root)
        graph = Compiler(self.work, model, (share,)).of_time(((Fraction(1 - side), Fraction(side)),))
        choices = load_formulation("accpar-dp").solve(graph, Run("accpar-dp")).choices
        assert choices is not None  # there is no capacity
        return {
            layer.name: model.words(layer).word(choice) for layer, choice in zip(self.work.layers, choices, strict=True)
        }

    @cached_property
    def read(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """By plan, the bytes that a leaf of each half reads, as polynomials of degree two in the share."""
        nodes = [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)]
        found = {}
        for plan in ("DP", "AccPar"):
            words = self.words[plan]
            rows = np.array([self._bytes(words, share) for share in nodes])
            first, second = (np.polyfit(list(map(float, nodes)), rows[:, side], 2) for side in (0, 1))
            found[plan] = (first, second)
        return found

    def _bytes(self, words: dict[str, str], share: Fraction) -> tuple[float, float]:
        total = np.zeros(2)
        for one in stints(self.work, words, {"root": share}, setting()):
            if one.doing != "computing":
                total += list(map(float, one.seconds))
        return float(total[0]), float(total[1])

    def seconds(self, plan: str, share: float, links: tuple[float, float]) -> float:
        """Return what a step takes: as long as the slower half."""
        first, second = (float(np.polyval(side, share)) for side in self.read[plan])
        return self._longer((first, second), share, links)

    def _longer(self, read: tuple[float, float], share: float, links: tuple[float, float]) -> float:
        parts = (share, 1 - share)
        return max(read[side] / links[side] + self.operations * parts[side] / (EACH * RATES[side]) for side in (0, 1))

    def gain(self, share: float, links: tuple[float, float]) -> float:
        """Return how much faster the plan's step at a share is than data parallelism's at equal shares."""
        return self.seconds("DP", 0.5, links) / self.seconds("AccPar", share, links)

    def own_gain(self, share: Fraction, links: tuple[float, float]) -> float:
        """Return the same where each half has words of its own."""
        return self.seconds("DP", 0.5, links) / self._longer(self.own[share], float(share), links)

    def best(self, links: tuple[float, float]) -> tuple[float, float]:
        """Return the largest gain, and its share."""
        return max((self.gain(k / FINENESS, links), k / FINENESS) for k in range(1, FINENESS))


def setting() -> MixedSetting:
    """Return the array, reading one byte a second: seconds are bytes."""
    chip = Accelerator("as-evaluated", Fraction(1), utilisation=Fraction(1))
    kinds = tuple(AcceleratorKind(name, chip, Fraction(1)) for name in ("v3", "v2"))
    partition = replace(halves(LEVELS), types=(0,) * EACH + (1,) * EACH)
    array = MixedArray(kinds, partition, "group")
    return MixedSetting(BATCH, array, "published", BYTES, OPTIMISERS["sgd"], BARRIERS["step"])


def geometric(values: list[float]) -> float:
    """Return the geometric mean."""
    return exp(sum(map(log, values)) / len(values))


def sheet() -> Sheet:
    """Return the page."""
    every = [Halves(name) for name in NETWORKS]
    first = []
    for name, links in LINKS.items():
        same = [geometric([one.gain(float(share), links) for one in every]) for share in SHARES]
        own = [geometric([one.own_gain(share, links) for one in every]) for share in SHARES]
        most = geometric([one.best(links)[0] for one in every])
        best = geometric([max(one.own_gain(share, links) for share in SHARES) for one in every])
        first += [_row(name, "the same in both halves", same, most), _row(name, "each half's own", own, best)]
    links = LINKS["v3 twice v2"]
    second = [
        {"network": one.network, "equal": fixed(one.gain(0.5, links), 2), "7/10": fixed(one.gain(0.7, links), 2)}
        | {"best": fixed(one.best(links)[0], 2), "its share": fixed(one.best(links)[1], 3)}
        | {f"own, {share}": fixed(one.own_gain(share, links), 2) for share in SHARES[-2:]}
        for one in every
    ]
    rows = [
        {"network": one.network, "links": name, "share": str(share), "gain": one.gain(float(share), speeds)}
        | {"gain, own words": one.own_gain(share, speeds)}
        for one in every
        for name, speeds in LINKS.items()
        for share in SHARES
    ]
    said = first[0], first[1]
    summary = (
        f"Where TPU-v3 reads twice as fast, shares reach {said[0]['best']} with the same words in both halves, and "
        f"{said[1]['best']} with each half's own: AccPar's {PUBLISHED['AccPar']} lies between. Which rule gives it is "
        "not known."
    )
    return Sheet(
        "accpar-shares",
        "AccPar: what unequal shares can make of its average",
        summary,
        rows,
        [
            "Geometric means over nine networks of a step's time under data parallelism at equal shares over that of "
            "the released code's plan with three types, of which 128 TPU-v3 get the share at the root and 128 TPU-v2 "
            "the rest. Seven levels below halve. Each half reads at 2 GB/s and 1 GB/s, or both at 1 GB/s; a step ends "
            "with the slower half. Bandwidths are without a source. The best is over shares of each network: of 512ths "
            "with the same words, of those named with own ones.",
            first,
            "## By network, v3 twice v2",
            second,
        ],
        picture(every, links),
    )


def _row(links: str, words: str, means: list[float], best: float) -> dict[str, str]:
    each = {str(share): fixed(mean, 2) for share, mean in zip(SHARES, means, strict=True)}
    return {"links": links, "words": words} | each | {"best": fixed(best, 2)}


def picture(every: list[Halves], links: tuple[float, float]) -> object:
    """Return the mean over the share, and the published one."""
    figure = canvas(8, 4)
    axes = figure.add_subplot()
    places = [k / 64 for k in range(16, 64)]
    for name, speeds in LINKS.items():
        axes.plot(places, [geometric([one.gain(share, speeds) for one in every]) for share in places], label=name)
    own = [geometric([one.own_gain(share, links) for one in every]) for share in SHARES]
    axes.plot(list(map(float, SHARES)), own, "o-", label="v3 twice v2, each half's own words")
    axes.axhline(float(PUBLISHED["AccPar"]), color="black", linestyle="dashed", label="abstract")
    axes.set_xlabel("share of TPU-v3")
    axes.set_ylabel("gain over data parallelism")
    axes.legend()
    return figure
