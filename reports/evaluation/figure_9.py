"""Figures 9 and 10: all plans of a corner of the search space."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from hypar_opt.evaluation.communication import by_phase
from hypar_opt.studies.sweep import explore

from .facts import PRINTED, costs, deviation, number, on_machine
from .figure_6 import seconds_a_byte
from .maps import figure_of
from .sheet import Sheet, fixed, percent

LEVELS, LAYERS = (1, 4), ("conv5_2", "fc1")
FRONT, BEHIND = "conv5_1 -> conv5_2", "conv5_2 -> fc1"


@cache
def of_lenet():
    """Return Figure 9's 256 plans: Lenet-c, levels 1 and 4 free."""
    return explore(on_machine("lenet-c"), levels=LEVELS, components=("time", "energy", "communication"))


@cache
def of_vgg():
    """Return Figure 10's 256 plans: VGG-A, conv5_2 and fc1 free."""
    return explore(on_machine("vgg-a"), LAYERS, components=("time", "energy", "communication"))


def at_level(strategies, level):
    """Return a level's choices as the figure writes them: a digit a layer, 0 dp, 1 mp."""
    return "".join("01"["dm".index(word[level - 1])] for word in strategies.values())


def digits(word):
    """Return a layer's choices as the figure writes them."""
    return "".join("01"["dm".index(letter)] for letter in word)


@dataclass(frozen=True)
class Guess:
    """Something that a plan of VGG-A exchanges, and may not have been charged."""

    what: str
    parts: tuple[tuple[str, str], ...]


GUESSES = (
    Guess("nothing", ()),
    Guess("in front of conv5_2, F and E", ((FRONT, "forward"), (FRONT, "backward"))),
    Guess("in front of conv5_2, F only", ((FRONT, "forward"),)),
    Guess("behind conv5_2, F and E", ((BEHIND, "forward"), (BEHIND, "backward"))),
    Guess("behind conv5_2, F only", ((BEHIND, "forward"),)),
    Guess("in front and behind", tuple((name, phase) for name in (FRONT, BEHIND) for phase in ("forward", "backward"))),
    Guess("conv5_2's partial sums", (("conv5_2", "forward"),)),
)


def spared(conv5_2, guess):
    """Return the bytes that a plan of VGG-A exchanges there, fc1 being mmmm."""
    problem = on_machine("vgg-a")
    strategies = _with(conv5_2)
    parts = by_phase(problem.work, strategies, problem.bytes_of(strategies))
    return sum((sum(part.levels) for part in parts if (part.name, part.phase) in guess.parts), start=Fraction(0))


def without(conv5_2, guess):
    """Return VGG-A's gain if that is not charged."""
    own = costs(on_machine("vgg-a"), _with(conv5_2))["time"]
    return of_vgg().reference["time"] / (own - spared(conv5_2, guess) * seconds_a_byte("vgg-a"))


def needed(conv5_2, gain):
    """Return the bytes that have to be left out for a gain."""
    own = costs(on_machine("vgg-a"), _with(conv5_2))["time"]
    return (own - of_vgg().reference["time"] / number(gain)) / seconds_a_byte("vgg-a")


def _with(conv5_2):
    found = of_vgg()
    return {**found.space.strategies(found.space.base_index), "conv5_2": conv5_2}


def rows(found):
    """Return a row a combination, the best first."""
    names = [found.space.problem.base.variables[i].name for i in found.space.free]
    return [
        {
            "rank": found.rank(index),
            **{name: found.space.strategies(index)[name] for name in names},
            "gain": found.gain("time", index),
            "time, s": found.value("time", index),
            "energy, J": found.value("energy", index),
            "communication, GB": found.value("communication", index) / 10**9,
        }
        for index in found.order(found.space.count)
    ]


def shown(found, count):
    """Return the first of them for the page."""
    return [
        {
            "rank": str(row["rank"]),
            **{name: row[name] for name in row if isinstance(row[name], str)},
            "gain": fixed(row["gain"], 4),
            "time": f"{float(row['time, s']):.5g} s",
            "communication": f"{float(row['communication, GB']):.5g} GB",
        }
        for row in rows(found)[:count]
    ]


def sheet_9():
    """Return Figure 9's page."""
    found, printed = of_lenet(), PRINTED["figure_9"]
    best = found.space.strategies(found.winner)
    gain = found.gain("time", found.winner)
    return Sheet(
        "figure-9",
        "Figure 9: all plans of Lenet-c with levels 1 and 4 free",
        f"Reproduced: the peak is HyPar's plan and the only one: level 1 {at_level(best, 1)}, level 4 "
        f"{at_level(best, 4)} (printed {printed['level 1']} and {printed['level 4']}), gain {fixed(gain)} (printed "
        f"{printed['performance']}, {percent(deviation(gain, printed['performance']))}).",
        rows(found),
        [
            "256 combinations of dp and mp for four layers at two levels, levels 2 and 3 as in hypar-dp's plan for "
            "the least communication; performance over data parallelism. The same with the command `hypar-opt "
            "explore lenet-c --array hypar-16 --accounting as-evaluated --levels-free 1,4`.",
            shown(found, 10),
        ],
        figure_of(found),
    )


def _beside(gain, printed):
    return f"{fixed(gain)} ({percent(deviation(gain, printed))})"


def sheet_10():
    """Return Figure 10's page."""
    found, printed = of_vgg(), PRINTED["figure_10"]
    own, peak = printed["hypar"]["performance"], printed["peak"]["performance"]
    gain = found.gain("time", found.winner)
    tied = [found.space.strategies(index)["conv5_2"] for index in found.best]
    words = ("dddm", "mddd", "dddd")
    guesses = [
        {
            "not charged": guess.what,
            "MB of mddd": f"{float(spared('mddd', guess)) / 1e6:.2f}",
            **{f"conv5_2 {word}": _beside(without(word, guess), peak) for word in words},
        }
        for guess in GUESSES
    ]
    return Sheet(
        "figure-10",
        "Figure 10: all plans of VGG-A with conv5_2 and fc1 free",
        f"Half reproduced: HyPar's plan has {fixed(gain)} (printed {own}), but the model has no better one. It ties "
        f"{len(tied)} plans, conv5_2 being {', '.join(tied)} and fc1 mmmm, among them HyPar's and the one that the "
        f"figure shows as the peak of {peak}.",
        rows(found),
        [
            "256 combinations of dp and mp for two layers at four levels, the rest as in hypar-dp's plan for the "
            "least communication. The same with the command `hypar-opt explore vgg-a --array hypar-16 --accounting "
            "as-evaluated --layers conv5_2,fc1`.",
            shown(found, 8),
            "## The printed peak",
            f"The model cannot tell {digits('dddm')} from {digits('mddd')}: what a level exchanges in all is the "
            "groups times what each exchanges, and a group's tensors halve with every dp above, so that one mp among "
            f"three dp costs the same wherever it stands. For exactly {peak} the peak's plan has to be charged "
            f"{float(needed('mddd', peak)) / 1e6:.1f} MB less than it exchanges "
            f"({float(needed('mddd', '5.045')) / 1e6:.1f} to {float(needed('mddd', '5.055')) / 1e6:.1f} for what "
            "rounds to it). None of what stands around conv5_2 is that much. Nearest are 51.38 MB, what one of the "
            "two tensors in front of it takes (as does the sum of its partial results): "
            f"{fixed(without('mddd', GUESSES[2]))}, {percent(deviation(without('mddd', GUESSES[2]), peak))}, within "
            "what the model is off Figure 6, though it rounds to 5.04. The whole exchange in front, or behind, is "
            "too much. And it would have to be left out for this plan alone, not for HyPar's. In parentheses: the "
            f"deviation from {peak}.",
            guesses,
        ],
        figure_of(found),
    )
