"""From the words that a plan says to the choices that they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from hypar_opt.costgraph import Words


def choices_of_words(known: Mapping[str, Words | None], strategies: Mapping[str, str]) -> tuple[int, ...]:
    """Return the positions of a plan's words among those of every layer.

    Parameters
    ----------
    known
        By layer, its words; None where it has none.
    strategies
        By layer.

    Raises
    ------
    InputError
        If a layer is missing or unknown, or a word does not fit.
    """
    if not isinstance(strategies, Mapping):
        raise InputError(f"expected a word by layer, got {type(strategies).__name__}", field="plan")
    for name in strategies:
        if name not in known:
            raise InputError(f"the plan has a layer '{name}', the instance has none{did_you_mean(name, known)}")
    found = []
    for name, words in known.items():
        if name not in strategies:
            raise InputError(f"the plan has no strategy for layer '{name}'", field="plan")
        word = strategies[name]
        if words is None or not _spells(words, word):
            need = f"{words.length} letters of '{words.alphabet}'" if words is not None else "no word"
            raise InputError(f"expected {need}, got {word!r}", field=f"plan.{name}")
        found.append(words.index(word))
    return tuple(found)


def _spells(words: Words, word: object) -> bool:
    return isinstance(word, str) and len(word) == words.length and set(word) <= set(words.alphabet)
