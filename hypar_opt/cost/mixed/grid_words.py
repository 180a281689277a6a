"""What a layer may have that has shares of its own: words, with a share on a grid at every split.

At a level with splits a letter that cuts comes with so many parts of the grid for the first half of each split; one
that cuts nothing comes alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hypar_opt.instance.choices import Dimension, choices_of
from hypar_opt.instance.mixed_grid import too_fine_letters
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from hypar_opt.cost.mixed.model import MixedModel
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.network import WorkLayer

MOST_WORDS: Final = 2**14
"""Words with shares that one layer may have."""
BEHIND: Final = "@"
"""Stands between a word and its shares, where these are written as one."""


class GridLetter(NamedTuple):
    """A letter, with the shares at its level.

    Parameters
    ----------
    letter
        Its position in the alphabet.
    splits
        What it splits.
    parts
        By split of the level, what the first half gets, in parts of the grid.
    """

    letter: int
    splits: Dimension
    parts: Mapping[int, int]


@dataclass(frozen=True, eq=False)
class Letters:
    """What may stand at a level.

    Parameters
    ----------
    all
        In order.
    """

    all: tuple[GridLetter, ...]


@dataclass(frozen=True, eq=False)
class GridWords:
    """All words of a layer with all their shares, in lexicographic order.

    Parameters
    ----------
    alphabet
        The letters.
    grid
        Equal parts of what is cut at a split.
    levels
        By level, what may stand there.
    rows
        By word with shares and level, which of these it has; shape (size, H).
    """

    alphabet: str
    grid: int
    levels: tuple[Letters, ...]
    rows: Array

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.rows)

    def at(self, index: int) -> tuple[str, dict[int, Fraction]]:
        """Return a word, and by split that it cuts what the first half gets."""
        found = [level.all[place] for level, place in zip(self.levels, self.rows[index], strict=True)]
        shares = {split: Fraction(k, self.grid) for one in found for split, k in one.parts.items()}
        return "".join(self.alphabet[one.letter] for one in found), shares

    def word(self, index: int) -> str:
        """Return a word and its shares written as one, as a search names them."""
        word, shares = self.at(index)
        return BEHIND.join((word, *(f"{split}:{share}" for split, share in shares.items())))

    def index(self, spelt: str) -> int | None:
        """Return which word and shares are written so, of a word alone with shares in the middle; None for no word."""
        return self._places.get(spelt) if BEHIND in spelt else self.middle(spelt)

    def middle(self, word: str) -> int | None:
        """Return a word with shares in the middle of those that it may have; None if it may not be."""
        known = [index for index in range(self.size) if self.at(index)[0] == word]
        return known[len(known) // 2] if known else None

    @cached_property
    def _places(self) -> dict[str, int]:
        return {self.word(index): index for index in range(self.size)}

    def read(self, spelt: str) -> tuple[str, dict[int, Fraction]]:
        """Return the word and the shares that are written so."""
        word, *shares = spelt.split(BEHIND)
        pairs = (one.split(":") for one in shares)
        return word, {int(split): Fraction(share) for split, share in pairs}


def words_on_grid(layer: WorkLayer, model: MixedModel, grid: int) -> GridWords:
    """Return what a layer may have: where there are splits no letters that would cut finer than a dimension is.

    Raises
    ------
    InputError
        If nothing is left.
    Refusal
        If it is too much.
    """
    words, split = model.words(layer), choices_of(layer)
    allowed, splits = _allowed(layer, model, grid), model.array.split_levels
    count = prod(
        sum((grid - 1) ** (splits.count(level) * (split[letter] is not Dimension.NOTHING)) for letter in here)
        for level, here in enumerate(allowed)
    )
    if count > MOST_WORDS:
        raise Refusal(
            f"'{layer.name}' has {count:,} words with shares of its own, and {MOST_WORDS:,} can be in tables; "
            f"try a coarser grid than {grid:,}, or one share for all layers (parts={grid})"
        )
    levels = [_letters(here, words.alphabet, split, splits, level, grid) for level, here in enumerate(allowed)]
    rows = np.indices([len(level) for level in levels]).reshape(len(levels), -1).T
    spelt = np.zeros(len(rows), dtype=np.int64)
    for level, places in zip(levels, rows.T, strict=True):
        spelt = spelt * len(words.alphabet) + np.array([one.letter for one in level])[places]
    found = rows[words.mask[spelt]]
    if not len(found):
        raise InputError(
            f"'{layer.name}' has no word that is allowed, of letters that split as finely as {grid:,} parts"
        )
    return GridWords(words.alphabet, grid, tuple(map(Letters, map(tuple, levels))), found)


def same_words(layer: WorkLayer, model: MixedModel, grid: int) -> Hashable:
    """Return what layers have in common that may have the same words with the same shares."""
    return model.words(layer), layer.role, _fine(layer, model, grid)


def _fine(layer: WorkLayer, model: MixedModel, grid: int) -> str:
    return too_fine_letters(layer, model.words(layer).alphabet, model.batch, grid)


def _allowed(layer: WorkLayer, model: MixedModel, grid: int) -> Sequence[str]:
    """Return by level the letters that may stand there."""
    words, fine = model.words(layer), _fine(layer, model, grid)
    every = words.letters_at or (words.alphabet,) * words.length
    splits = set(model.array.split_levels)
    return ["".join(one for one in here if level not in splits or one not in fine) for level, here in enumerate(every)]


def _letters(
    here: str, alphabet: str, split: Mapping[str, Dimension], split_levels: Sequence[int], level: int, grid: int
) -> list[GridLetter]:
    """Return the letters of a level with every vector of shares there."""
    splits = [place for place, other in enumerate(split_levels) if other == level]
    found = []
    for letter in here:
        own = splits if split[letter] is not Dimension.NOTHING else []
        for parts in product(range(1, grid), repeat=len(own)):
            found.append(GridLetter(alphabet.index(letter), split[letter], dict(zip(own, parts, strict=True))))
    return found
