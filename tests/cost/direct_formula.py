"""Bytes of a plan by the formulas of the model, written a third time: closed forms, tables by hand.

Shares nothing with hypar_opt.cost, which compiles terms, nor with hypar_opt.evaluation.communication, which cuts boxes.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod

QUARTERS = {  # of F[l+1] and of E[l+1] between two weighted layers
    "dd": (0, 0), "dm": (1, 1), "do": (2, 0),
    "md": (0, 2), "mm": (0, 2), "mo": (0, 0),
    "od": (1, 1), "om": (0, 0), "oo": (2, 0),
    "dr": (2, 0), "mr": (0, 0), "or": (2, 0),
}  # fmt: skip
BEHIND_CHANNELS = {  # a join or a grouped convolution in m lays out channel halves, as op does
    "dd": (0, 0), "dm": (1, 1), "do": (2, 0),
    "md": (1, 1), "mm": (0, 0), "mo": (2, 0),
    "dr": (2, 0), "mr": (2, 0),
    "rd": (0, 2), "rm": (0, 2), "ro": (0, 0), "rr": (0, 0),  # a join in r has, and needs, all on both sides
}  # fmt: skip
JOINS = ("add", "concat")


def keeps(layer):
    """Whether the output lies as the input: in a join, and in a grouped convolution, whose m splits the groups."""
    return layer.kind in JOINS or layer.groups > 1


def count(word, letters):
    return sum(word.count(letter) for letter in letters)


def intra(layer, word, batch, element, accounting, input_error=True):
    """Bytes at each level: groups x both sides x the tensor that ends in partial sums, halved by choices above."""
    out = layer.macs * layer.out_sizes[0] // layer.weight if accounting == "leaf-exact" and layer.macs else 0
    sums = {
        "d": (layer.weight, "mo"),
        "m": (batch * (out or layer.feature_out), "do"),
        "o": (batch * layer.feature_in * (input_error or not layer.reads_input), "dm"),
    }
    if keeps(layer):
        sums |= {"m": (0, "dm"), "r": (0, "")}
    rows = []
    for h, letter in enumerate(word):
        size, halved_by = sums[letter]
        rows.append(Fraction(size * 2**h * 2 * element, 2 ** count(word[:h], halved_by)))
    return rows


def inter(feature, producer, reader, words, accounting, element):
    """Bytes at each level: quarters of F, boxed by the reader, and of E, boxed by the reader or the receiver."""
    before, after = words
    joins = keeps(producer)
    rows = []
    for h, pair in enumerate(zip(before, after, strict=True)):
        of_f, of_e = (BEHIND_CHANNELS if joins else QUARTERS)["".join(pair)]
        if accounting == "as-evaluated" and pair[0] == "m" and not joins:
            of_f = of_e = 0
        by_reader = 2 ** count(after[:h], "dm")
        by_producer = 2 ** count(before[:h], "dm" if joins else "do")
        e_box = by_producer if accounting == "receiver" else by_reader
        amount = Fraction(of_f * feature, 4 * by_reader) + Fraction(of_e * feature, 4 * e_box)
        rows.append(amount * 2**h * 2 * element)
    return rows


NEEDED = {"B": Fraction(1, 2), "C": Fraction(1, 2), "R": Fraction(1)}
COMMON = {  # of what is needed and had, by what a leaf has and needs at one level
    "BB": Fraction(1, 2), "CC": Fraction(1, 2), "RR": Fraction(1), "BC": Fraction(1, 4), "CB": Fraction(1, 4),
    "BR": Fraction(1, 2), "RB": Fraction(1, 2), "CR": Fraction(1, 2), "RC": Fraction(1, 2),
}  # fmt: skip


def over_leaves(feature, producer, words, element):
    """Bytes of F and E over all leaves: 2^H x (prod n_h - prod i_h) x size."""
    out = ["BCR"["dmr".index(x)] if keeps(producer) else {"d": "B", "m": "R", "o": "C"}[x] for x in words[0]]
    into = [{"d": "B", "m": "C", "o": "R", "r": "R"}[x] for x in words[1]]
    total = Fraction(0)
    for has, needs in ((out, into), (into, out)):
        needed = prod(NEEDED[x] for x in needs)
        total += needed - prod(COMMON[a + b] for a, b in zip(has, needs, strict=True))
    return total * feature * element * 2 ** len(out)


def added_by_levels(feature, producer, words, element):
    """What every level adds to an array of the levels above: arrays of 1, 2, ... levels, subtracted."""
    arrays = range(len(words[0]) + 1)
    totals = [over_leaves(feature, producer, [word[:h] for word in words], element) for h in arrays]
    return [after - before for before, after in pairwise(totals)]


def by_parts(problem, strategies):
    """Return the bytes at each level of every layer, and of every boundary; of leaf-exact boundaries what it adds."""
    work, instance = problem.work, problem.instance
    element, batch = instance.bytes_per_element, instance.batch
    rules = instance.accounting, instance.input_error
    layers = [intra(layer, strategies[layer.name], batch, element, *rules) for layer in work.layers]
    boundaries = []
    for edge in work.boundaries:
        ends = work.layers[edge.producer], work.layers[edge.reader]
        words = [strategies[layer.name] for layer in ends]
        if instance.accounting == "leaf-exact":
            boundaries.append(added_by_levels(batch * edge.feature, ends[0], words, element))
            continue
        boundaries.append(inter(batch * edge.feature, *ends, words, instance.accounting, element))
    return layers, boundaries
