"""What can be decided: words of operators, and placements of tensors that several operands read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .archive import Array, expect

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from .exact import WorkRoom

MOST_VALUES = 4096  # words of an operator, or placements of a tensor
MOST_TRIED = 2**22  # letters behind all beginnings of words of one length
OPEN = "."  # in a word that is given: any
REPLICATED, SHARED_OUT = "replicated", "zero-3"  # how parameters are stored that nothing splits
FORWARD, GRADIENT, STORAGE = ":forward", ":gradient", ":storage"  # behind names, in plans


@dataclass(frozen=True, eq=False)
class WordDomain:
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
class SplitRules:
    """How operators may be split, and domains that were made, since operators that are alike have the same.

    Parameters
    ----------
    problem
        Of the header.
    room
        What may be computed.
    """

    problem: Mapping[str, Any]
    room: WorkRoom

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """Sizes, outermost first."""
        return tuple(one["size"] for one in self.problem["axes"])

    @cached_property
    def _known(self) -> dict[Any, WordDomain]:
        return {}

    def of_operator(self, operator: Mapping[str, Any], factors: Collection[str], *, trained: bool) -> WordDomain:
        """Return an operator's words: what it may be split along, and `none` where it may be left whole.

        Parameters
        ----------
        operator
            Of the header.
        factors
            Its dimensions that tensors have otherwise: parts have to divide them where all else is padded.
        trained
            Whether it has parameters.
        """
        choices = self.problem["choices"]
        offered = [one for one in operator["splits"] if choices is None or one in choices]
        if (operator["is_cheap"] if choices is None else "none" in choices) or not offered:
            offered.append("none")
        storages = tuple(self.problem["storages"]) if trained else (REPLICATED,)
        sizes = {one: operator["sizes"][one] for one in offered if one != "none"}
        splits = self.problem["splits"]
        divided = sizes if splits == "divisible" else factors if splits == "padded" else ()
        return self._domain(offered, sizes, operator["name"], divided, storages)

    def of_placement(self, dims: Sequence[str | None], sizes: Sequence[int], name: str, *, partial: bool) -> WordDomain:
        """Return where a tensor can lie for its readers, or its gradient, which may stay in partial sums."""
        named = {dim: size for dim, size in zip(dims, sizes, strict=True) if dim is not None}
        divided = named if self.problem["splits"] == "divisible" else ()
        letters = [*named, "whole", *(["partial"] if partial else [])]
        return self._domain(letters, named, name, divided, (REPLICATED,))

    def _domain(
        self,
        letters: Sequence[str],
        sizes: Mapping[str, int],
        name: str,
        divided: Collection[str],
        storages: tuple[str, ...],
    ) -> WordDomain:
        text = self.problem["fix"].get(name)
        given = (OPEN,) * len(self.axes) if text is None else tuple(text.split())
        key = tuple(letters), tuple(sizes.items()), frozenset(divided), given, storages
        if key not in self._known:
            expect(len(given) == len(self.axes), f"header.json: problem: fix: {name}: expected an entry an axis")
            words = self._words(letters, sizes, name, divided, given)
            expect(len(words), f"'{name}' has no word that is allowed: nothing to prove")
            self._known[key] = WordDomain(tuple(letters), np.repeat(words, len(storages), axis=0), storages)
        return self._known[key]

    def _words(
        self,
        letters: Sequence[str],
        sizes: Mapping[str, int],
        name: str,
        divided: Collection[str],
        given: Sequence[str],
    ) -> Array:
        """Return the words that sizes allow; a beginning that splits something into too many parts is left at once."""
        size = np.array([sizes.get(letter, 0) for letter in letters], np.int64)  # 0: nothing is split
        whole = np.array([letter in divided for letter in letters], bool)
        words, parts = np.zeros((1, 0), np.int64), np.ones((1, len(letters)), np.int64)
        for length, only in zip(self.axes, given, strict=True):
            open_ = np.array([number for number, one in enumerate(letters) if only in (OPEN, one)], np.int64)
            self.room.spend(len(words) * len(letters) * len(self.axes))
            row, last = np.repeat(np.arange(len(words)), len(open_)), np.tile(open_, len(words))
            into = parts[row, last] * length
            fits = np.where(whole[last], size[last] % into == 0, into <= size[last])
            row, last, into = (some[fits | (size[last] == 0)] for some in (row, last, into))
            is_so = len(row) <= 16 * MOST_VALUES and len(row) * len(letters) <= MOST_TRIED
            expect(is_so, f"'{name}' has more than {MOST_VALUES} words, or beginnings of words")
            words, parts = np.column_stack([words[row], last]), parts[row]
            parts[np.arange(len(row)), last] = into
        expect(len(words) <= MOST_VALUES, f"'{name}' has more than {MOST_VALUES} words")
        return words
