"""Bytes of a plan by the formulas of the model, written a third time: closed forms, tables by hand.

Shares nothing with hypar_opt.cost, which compiles terms, nor with hypar_opt.boxes, which cuts boxes.
"""

from __future__ import annotations

from fractions import Fraction

QUARTERS = {  # of F[l+1] and of E[l+1] between two weighted layers
    "dd": (0, 0), "dm": (1, 1), "do": (2, 0),
    "md": (0, 2), "mm": (0, 2), "mo": (0, 0),
    "od": (1, 1), "om": (0, 0), "oo": (2, 0),
}  # fmt: skip
AFTER_JOIN = {  # a join in m lays out channel halves, as op does
    "dd": (0, 0), "dm": (1, 1), "do": (2, 0),
    "md": (1, 1), "mm": (0, 0), "mo": (2, 0),
}  # fmt: skip
JOINS = ("add", "concat")


def count(word, letters):
    return sum(word.count(letter) for letter in letters)


def intra(layer, word, batch, element):
    """Bytes at each level: groups x both sides x the tensor that ends in partial sums, halved by choices above."""
    if layer.kind in JOINS:
        return [0] * len(word)
    rows = []
    for h, letter in enumerate(word):
        size, halved_by = {
            "d": (layer.weight, "mo"),
            "m": (batch * layer.feature_out, "do"),
            "o": (batch * layer.feature_in, "dm"),
        }[letter]
        rows.append(Fraction(size * 2**h * 2 * element, 2 ** count(word[:h], halved_by)))
    return rows


def inter(feature, producer, reader, words, accounting, element):
    """Bytes at each level: quarters of F, boxed by the reader, and of E, boxed by the reader or the receiver."""
    before, after = words
    joins = producer.kind in JOINS
    rows = []
    for h, pair in enumerate(zip(before, after, strict=True)):
        of_f, of_e = (AFTER_JOIN if joins else QUARTERS)["".join(pair)]
        if accounting == "as-evaluated" and pair[0] == "m" and not joins:
            of_f = of_e = 0
        by_reader = 2 ** count(after[:h], "dm")
        by_producer = 2 ** count(before[:h], "dm" if joins else "do")
        e_box = by_producer if accounting == "receiver" else by_reader
        amount = Fraction(of_f * feature, 4 * by_reader) + Fraction(of_e * feature, 4 * e_box)
        rows.append(amount * 2**h * 2 * element)
    return rows


def by_parts(problem, strategies):
    """Return the bytes at each level of every layer, and of every boundary."""
    work, instance = problem.work, problem.instance
    element, batch = instance.bytes_per_element, instance.batch
    layers = [intra(layer, strategies[layer.name], batch, element) for layer in work.layers]
    boundaries = []
    for edge in work.boundaries:
        ends = work.layers[edge.producer], work.layers[edge.reader]
        words = [strategies[layer.name] for layer in ends]
        boundaries.append(inter(batch * edge.feature, *ends, words, instance.accounting, element))
    return layers, boundaries
