"""collective: against programs that are run on numbers, element by element, and against each stage by itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from helpers import each

from hypar_opt.evaluation.choices import HALVINGS
from hypar_opt.evaluation.communication.collectives import needed, placed, received

OF = HALVINGS["weighted"]


def halvings(word):
    return [OF[letter] for letter in word]


def forward(producer, reader):
    return placed(halvings(producer), "written"), needed(halvings(reader), "read")


def backward(producer, reader):
    return placed(halvings(reader), "read"), needed(halvings(producer), "written")


class Program:
    """Leaves that hold numbers of a tensor of 2^H x 2^H, and what each is sent while they convert it, one by one."""

    def __init__(self, left, rng):
        self.levels = len(left)
        self.left = list(left)
        bits = list(product((0, 1), repeat=self.levels))
        self.leaves, self.elements = bits, list(product(bits, bits))
        self.values = {element: rng.randrange(1000) for element in self.elements}
        self.sent = [0] * self.levels
        self.held = {leaf: {} for leaf in self.leaves}
        for element, value in self.values.items():
            for group in self._summing(element):
                shares = [rng.randrange(100) for _ in group[1:]]
                for leaf, share in zip(group, [value - sum(shares), *shares], strict=True):
                    self.held[leaf][element] = share

    def _summing(self, element):
        """The leaves that hold an element, by what they differ in where nothing is summed."""
        groups = {}
        for leaf in self.leaves:
            if self.has(leaf, element, self.left):
                fixed = tuple(bit for bit, one in zip(leaf, self.left, strict=True) if one != "partial")
                groups.setdefault(fixed, []).append(leaf)
        return groups.values()

    @staticmethod
    def has(leaf, element, placement):
        """Whether a leaf has the element: its bits are those of the index that is cut."""
        index = {"batch": element[0], "channel": element[1]}
        return all(one not in index or index[one][h] == leaf[h] for h, one in enumerate(placement))

    def send(self, sender, leaf):
        """Count one number at the topmost level where the two differ."""
        self.sent[next(h for h, (a, b) in enumerate(zip(sender, leaf, strict=True)) if a != b)] += 1

    def slice(self, after):
        self.held = {
            leaf: {element: value for element, value in own.items() if self.has(leaf, element, after)}
            for leaf, own in self.held.items()
        }

    def scatter(self, before, after):
        """Every leaf adds up what it keeps of what those that share its sums hold."""
        found = {leaf: {} for leaf in self.leaves}
        for leaf, other in product(self.leaves, repeat=2):
            if any(a != b and one != "partial" for a, b, one in zip(leaf, other, before, strict=True)):
                continue
            for element in self.elements:
                if self.has(leaf, element, after) and element in self.held[other]:
                    found[leaf][element] = found[leaf].get(element, 0) + self.held[other][element]
                    if other != leaf:
                        self.send(other, leaf)
        self.held = found

    def fetch(self, before, after):
        """Every leaf gets what it lacks from one that has it, and differs from it where the placement changes only."""
        found = {}
        for leaf in self.leaves:
            own = {element: value for element, value in self.held[leaf].items() if self.has(leaf, element, after)}
            for element in self.elements:
                if self.has(leaf, element, after) and element not in own:
                    (sender,) = [
                        other
                        for other in self.leaves
                        if element in self.held[other]
                        and all(a == b or x != y for a, b, x, y in zip(leaf, other, before, after, strict=True))
                    ]
                    own[element] = self.held[sender][element]
                    self.send(sender, leaf)
            found[leaf] = own
        self.held = found

    def run(self, needs, along):
        """Convert; return what was sent by stage and level. What nobody asks for is scattered along a dimension."""
        sliced = [need if has == "whole" else has for has, need in zip(self.left, needs, strict=True)]
        aims = [along if need == "whole" else need for need in needs]
        scattered = [aim if has == "partial" else has for has, aim in zip(sliced, aims, strict=True)]
        swapped = [has if need == "whole" else need for has, need in zip(scattered, needs, strict=True)]
        self.slice(sliced)
        found = []
        for change, before, after in (
            (self.scatter, sliced, scattered), (self.fetch, scattered, swapped), (self.fetch, swapped, needs),
        ):  # fmt: skip
            self.sent = [0] * self.levels
            change(before, after)
            found.append(tuple(self.sent))
        return tuple(found)

    def is_right(self, needs):
        """Whether every leaf holds just what it needs, and the sums."""
        return all(
            own == {element: value for element, value in self.values.items() if self.has(leaf, element, needs)}
            for leaf, own in self.held.items()
        )


def check(left, needs, along, seed=0):
    program = Program(left, Random(seed))
    sent = program.run(needs, along)
    assert program.is_right(needs)
    assert received(left, needs) == tuple(tuple(Fraction(n, 4 ** len(left)) for n in row) for row in sent)


@pytest.mark.parametrize("along", ["batch", "channel"])
@pytest.mark.parametrize("direction", [forward, backward])
@pytest.mark.parametrize("levels", [1, 2])
def test_a_program_that_moves_single_numbers_ends_right_and_moves_as_many(levels, direction, along):
    words = list(map("".join, product("dmo", repeat=levels)))
    for pair in product(words, repeat=2):
        check(*direction(*pair), along)


@each("seed", range(30), quick=4)
def test_so_it_does_on_eight_leaves(seed):
    rng = Random(seed)
    producer, reader = ("".join(rng.choices("dmo", k=3)) for _ in "FE")
    check(*rng.choice([forward, backward])(producer, reader), rng.choice(["batch", "channel"]), seed)


@pytest.mark.parametrize(
    ("left", "needs", "stages"),
    [
        ("batch", "batch", (0, 0, 0)),
        ("batch", "channel", (0, 1 / 2, 0)),
        ("channel", "whole", (0, 0, 1)),
        ("whole", "channel", (0, 0, 0)),
        ("whole", "whole", (0, 0, 0)),
        ("partial", "channel", (1, 0, 0)),
        ("partial", "whole", (1, 0, 1)),
    ],
)
def test_one_level_in_shares_of_the_tensor(left, needs, stages):
    """What a reduce-scatter, an all-to-all and an all-gather of two move, both together: T, T / 2 and T."""
    assert received([left], [needs]) == tuple((share,) for share in stages)
    check([left], [needs], "batch")


@each("levels", range(1, 7))
def test_groups_of_two_to_the_power_of_h(levels):
    """(a - 1) T for a reduce-scatter or an all-gather, (a - 1) / a T for an all-to-all; a = 2^H."""
    groups = 2**levels
    both = received(["partial"] * levels, ["whole"] * levels)
    assert [sum(row) for row in both] == [groups - 1, 0, groups - 1]
    swapped = received(["batch"] * levels, ["channel"] * levels)
    assert [sum(row) for row in swapped] == [0, Fraction(groups - 1, groups), 0]
