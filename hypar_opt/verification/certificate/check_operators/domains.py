"""What can be decided: words of operators, and placements of tensors that several operands read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .archive import Array, expect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .exact import Room

MOST_VALUES = 4096  # words of an operator, or placements of a tensor
OPEN = "."  # in a word that is given: any
REPLICATED, SHARED_OUT = "replicated", "zero-3"  # how parameters are stored that nothing splits
FORWARD, GRADIENT, STORAGE = ":forward", ":gradient", ":storage"  # behind names, in plans


@dataclass(frozen=True, eq=False)
class Domain:
    """Words, each with every way of storing parameters.

    Parameters
    ----------
    letters
        What an entry of a word can be.
    words
        By value, numbers of letters, an entry an axis; shape (values, axes).
    storages
        The ways, the fastest to vary of a value.
    """

    letters: tuple[str, ...]
    words: Array
    storages: tuple[str, ...] = (REPLICATED,)

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.words)

    @cached_property
    def numbers(self) -> Mapping[tuple[str, str], int]:
        """By word, as plans have it, and storage: the value's number."""
        texts = (" ".join(self.letters[letter] for letter in word) for word in self.words.tolist())
        ways = (self.storages[number % len(self.storages)] for number in range(self.size))
        return {pair: number for number, pair in enumerate(zip(texts, ways, strict=True))}

    @cached_property
    def shared_out(self) -> Array:
        """By value, whether parameters are shared out."""
        return np.array([one == SHARED_OUT for one in self.storages] * (self.size // len(self.storages)))


@dataclass(frozen=True, eq=False)
class Rules:
    """How operators may be split, and domains that were made, since operators that are alike have the same.

    Parameters
    ----------
    problem
        Of the header.
    room
        What may be computed.
    """

    problem: Mapping[str, Any]
    room: Room

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """Sizes, outermost first."""
        return tuple(one["size"] for one in self.problem["axes"])

    @cached_property
    def _known(self) -> dict[Any, Domain]:
        return {}

    def of_operator(self, operator: Mapping[str, Any], *, trained: bool) -> Domain:
        """Return an operator's words: what it may be split along, and `none` where it may be left whole.

        Parameters
        ----------
        operator
            Of the header.
        trained
            Whether it has parameters.
        """
        choices = self.problem["choices"]
        offered = [one for one in operator["splits"] if choices is None or one in choices]
        if (operator["is_cheap"] if choices is None else "none" in choices) or not offered:
            offered.append("none")
        given = self.problem["fix"].get(operator["name"])
        storages = tuple(self.problem["storages"]) if trained else (REPLICATED,)
        sizes = {one: operator["sizes"][one] for one in offered if one != "none"}
        return self._domain(offered, sizes, operator["name"], None if given is None else given.split(), storages)

    def of_placement(self, dims: Sequence[str | None], sizes: Sequence[int], name: str, *, partial: bool) -> Domain:
        """Return where a tensor can lie for its readers, or its gradient, which may stay in partial sums."""
        named = {dim: size for dim, size in zip(dims, sizes, strict=True) if dim is not None}
        return self._domain([*named, "whole", *(["partial"] if partial else [])], named, name, None, (REPLICATED,))

    def _domain(
        self,
        letters: Sequence[str],
        sizes: Mapping[str, int],
        name: str,
        given: Sequence[str] | None,
        storages: tuple[str, ...],
    ) -> Domain:
        key = tuple(letters), tuple(sizes.items()), None if given is None else tuple(given), storages
        if key not in self._known:
            expect(given is None or len(given) == len(self.axes), f"'{name}': fix: expected an entry an axis")
            words = np.array([*self._words(letters, sizes, name, given or [OPEN] * len(self.axes))], np.int64)
            expect(len(words), f"'{name}' has no word that is allowed: nothing to prove")
            self._known[key] = Domain(tuple(letters), np.repeat(words, len(storages), axis=0), storages)
        return self._known[key]

    def _words(
        self, letters: Sequence[str], sizes: Mapping[str, int], name: str, given: Sequence[str]
    ) -> Iterator[list[int]]:
        """Yield the words that sizes allow; a beginning that splits something into too many parts is left at once."""
        found: list[list[int]] = [[]]
        for axis, only in enumerate(given):
            open_ = [number for number, letter in enumerate(letters) if only in (OPEN, letter)]
            self.room.spend(len(found) * (len(open_) + 1) * (axis + 1))
            longer = ([*word, number] for word in found for number in open_)
            found = [word for word in longer if self._fits(word, letters, sizes)]
            text = f"'{name}' has more than {MOST_VALUES} words, or beginnings of words"
            expect(len(found) <= MOST_VALUES * len(self.axes), text)
        expect(len(found) <= MOST_VALUES, f"'{name}' has more than {MOST_VALUES} words")
        yield from found

    def _fits(self, word: Sequence[int], letters: Sequence[str], sizes: Mapping[str, int]) -> bool:
        """Return whether the last entry of a word splits its dimension into parts that it has."""
        size = sizes.get(letters[word[-1]])
        if size is None:  # nothing is split
            return True
        parts = prod(length for length, one in zip(self.axes, word, strict=False) if one == word[-1])
        return size % parts == 0 if self.problem["splits"] == "divisible" else parts <= size
