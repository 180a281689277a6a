"""The best plan on an array of several kinds by trying all words and all shares k of N, for all layers or for each.

What one layer, or one boundary, adds to the waits depends on the words of its own layers alone, and is never negative:
layers are given their words in order, and given up when what they add up to is not below the best.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from operator import add
from typing import NamedTuple

from hypar_opt.evaluation.mixed import forbidden, share_fault, time_of, too_fine
from hypar_opt.evaluation.mixed.division import Division
from hypar_opt.evaluation.mixed.exchanges import of_boundary, of_layer
from hypar_opt.evaluation.mixed.memory import kept
from hypar_opt.evaluation.mixed.waiting import computing, reading
from hypar_opt.instance.shares import GivenShares, GridShares, own_share


class Best(NamedTuple):
    """A plan of least cost: seconds, or bytes."""

    cost: Fraction
    strategies: dict[str, str]
    shares: dict[str, Fraction]


def best_plan(work, setting, rules, objective="time"):
    """Return the plan of least `time` or `communication` that the rules allow and memories hold, or None.

    Shares are as the rules have them: given, or so many of N equal parts, or that by layer.
    """
    words = [words_of(layer, setting, rules) for layer in work.layers]
    best = None
    for shares in [{}] if isinstance(rules.shares, GridShares) else all_shares(setting, rules.shares):
        values = [[(word, shares) for word in own] for own in words]
        if isinstance(rules.shares, GridShares):
            values = [
                list(with_own_shares(*one, setting, rules.shares.grid)) for one in zip(work.layers, words, strict=True)
            ]
        found = _Search(work, setting, values, objective).least(None if best is None else best.cost)
        if found is not None:
            names = (layer.name for layer in work.layers)
            chosen, own = zip(*found[1], strict=True)
            best = Best(found[0], dict(zip(names, chosen, strict=True)), {k: v for one in own for k, v in one.items()})
    return best


def with_own_shares(layer, words, setting, grid):
    """Yield words with every share that a layer may have of its own."""
    levels = dict(zip(setting.array.splits, setting.array.split_levels, strict=True))
    for word in words:
        cut = [split for split, level in levels.items() if word[level] != "n"]
        if any(too_fine(layer, word[levels[split]], setting, grid) for split in cut):
            continue
        for shares in product(_parts(grid), repeat=len(cut)):
            yield word, {own_share(layer.name, split): share for split, share in zip(cut, shares, strict=True)}


def words_of(layer, setting, rules):
    """Return the words that a layer may have."""
    words = map("".join, product(rules.choices, repeat=setting.levels))
    return [word for word in words if forbidden(layer, word, setting, rules) is None]


def all_shares(setting, told):
    """Yield the shares that splits may have."""
    splits = setting.array.splits
    each = [told.first] if isinstance(told, GivenShares) else product(_parts(told.parts), repeat=len(splits))
    for first in each:
        shares = dict(zip(splits, first, strict=True))
        assert share_fault(shares, setting, told) is None
        yield shares


def _parts(count):
    return [Fraction(k, count) for k in range(1, count)]


class _Search:
    """All words, with shares."""

    def __init__(self, work, setting, values, objective):
        self.work, self.setting = work, setting
        self.words, self.amounts = values, {"time": self._seconds, "communication": self._bytes}[objective]
        classes, kinds = self.setting.array.classes, self.setting.array.kinds
        self.capacities = [kinds[one.kind].accelerator.capacity for one in classes]
        waits = self.setting.barrier.waits(work, self.setting.levels)
        self.empty = [[Fraction(0)] * len(classes)] * waits if objective == "time" else [[Fraction(0)]]
        self.own = [[self._own(i, *value) for value in own] for i, own in enumerate(values)]
        self.between = [{} for _ in work.boundaries]

    def least(self, below):
        """Return the least cost below a bound, and the words that have it."""
        self.best, self.found = below, None
        self._extend((), self.empty, [Fraction(0)] * len(self.capacities))
        return None if self.found is None else (self.best, self.found)

    def _extend(self, chosen, rows, held):
        cost = time_of(rows)
        if self.best is not None and cost >= self.best:
            return
        at = len(chosen)
        if at == len(self.work.layers):
            self.best, self.found = cost, chosen
            return
        for value, (own, kept_here) in zip(self.words[at], self.own[at], strict=True):
            more = list(map(add, held, kept_here))
            if all(most is None or need <= most for need, most in zip(more, self.capacities, strict=True)):
                self._extend((*chosen, value), self._with_boundaries((*chosen, value), _sum(rows, own)), more)

    def _with_boundaries(self, chosen, rows):
        """Add what lies between the last layer and those before it."""
        last = len(chosen) - 1
        for at, edge in enumerate(self.work.boundaries):
            if max(edge.producer, edge.reader) == last:
                (first, here), (second, there) = chosen[edge.producer], chosen[edge.reader]
                key = first, id(here), second, id(there)
                if key not in self.between[at]:
                    layers = self.work.layers[edge.producer], self.work.layers[edge.reader]
                    found = of_boundary(at, edge, layers, (first, second), Division(self.setting, here | there))
                    self.between[at][key] = self.amounts(found)
                rows = _sum(rows, self.between[at][key])
        return rows

    def _own(self, at, word, shares):
        layer, classes, division = self.work.layers[at], self.setting.array.classes, Division(self.setting, shares)
        rows = self.amounts(of_layer(at, layer, word, division), computing(at, layer, word, division))
        return rows, [kept(layer, word, one.path, division) for one in classes]

    def _seconds(self, exchanges, *stints):
        rows = list(self.empty)
        for one in (*stints, *(reading(each, self.setting) for each in exchanges)):
            wait = self.setting.barrier.wait(self.work, one.part)
            rows[wait] = list(map(add, rows[wait], one.seconds))
        return rows

    def _bytes(self, exchanges, *stints):
        halves = self.setting.halves
        read = (n * halves[one.part.level][path] for one in exchanges for path, n in one.halves.items())
        return [[sum(read, start=Fraction(0))]]


def _sum(rows, others):
    return [list(map(add, row, other)) for row, other in zip(rows, others, strict=True)]
