"""Strategies that are given: by layer or by a pattern of layers' names, as words in which levels may be left open."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection

OPEN: Final = "."
"""Stands for a level that is left open."""
WILDCARDS: Final = "*?["
"""As in a shell."""


def is_pattern(name: str) -> bool:
    """Return whether a name that no layer has may stand for several."""
    return any(one in name for one in WILDCARDS)


def nearest(pattern: str, names: Collection[str]) -> str:
    """Return the name, of at least one, that is most like a pattern without its wildcards."""
    letters = pattern.translate(dict.fromkeys(map(ord, WILDCARDS)))[:100]
    return get_close_matches(letters, names, n=1, cutoff=0.0)[0]


def matched(pattern: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the names that a pattern stands for; a layer's own name, whatever it is made of, stands for that layer."""
    return (pattern,) if pattern in names else tuple(name for name in names if fnmatchcase(name, pattern))


def clash(one: str, other: str) -> int | None:
    """Return the first level, from 1, at which two words give different letters; None where they agree."""
    pairs = enumerate(zip(one, other, strict=False), start=1)
    return next((level for level, (a, b) in pairs if a != b and OPEN not in (a, b)), None)


def joined(one: str, other: str) -> str:
    """Return what two words of one length that agree give together."""
    return "".join(b if a == OPEN else a for a, b in zip(one, other, strict=True))


def resolved(fix: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Return what is given by layer; nothing of a layer whose levels are all left open.

    Parameters
    ----------
    fix
        Words by pattern, which agree.
    names
        Of the layers that may have one.
    """
    known, by_layer = dict.fromkeys(names), dict[str, str]()
    for pattern, word in fix.items():
        for name in matched(pattern, known):
            by_layer[name] = joined(by_layer.get(name, word), word)
    return {name: word for name, word in by_layer.items() if word.strip(OPEN) or not word}


def contradiction(pattern: str, word: str, before: Mapping[str, str], layer: str) -> str | None:
    """Return how a pattern contradicts one of those before it that stand for the same layer, or None."""
    for other, given in before.items():
        level = clash(given, word)
        if level is not None:
            return (
                f"{shown(pattern)} gives layer '{layer}' {shown(word)} and {shown(other)} gives it {shown(given)}: "
                f"they contradict each other at level {level}"
            )
    return None


def added(fix: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Return what is given with what is added to it.

    Raises
    ------
    InputError
        If both have words of one pattern that do not agree.
    """
    both = dict(fix)
    for pattern, word in more.items():
        given = both.get(pattern, word)
        level = clash(given, word)
        if len(given) != len(word):
            raise InputError(f"{shown(pattern)} is given {shown(given)} already, got {shown(word)} of another length")
        if level is not None:
            what = f"{shown(pattern)} is given {shown(given)} already, and {shown(word)} contradicts it"
            raise InputError(f"{what} at level {level}")
        both[pattern] = joined(given, word)
    return both


def fix_text(fix: object) -> str | None:
    """Return as JSON what is given as a mapping, or as texts of the form `PATTERN=WORD`; None where it is nothing.

    Raises
    ------
    InputError
        If it is neither, or two words of one pattern do not agree.
    """
    given = fix if isinstance(fix, Mapping) else [fix] if isinstance(fix, str) else fix
    try:
        if not isinstance(given, Mapping):
            if not isinstance(given, Sequence | None) or not all(isinstance(text, str) for text in given or ()):
                raise InputError(f"expected a mapping of layers or patterns to words, got {shown(fix)}")
            given = entries_of(given or ())
        for pattern, word in given.items():
            if not (isinstance(pattern, str) and isinstance(word, str)):
                raise InputError(f"expected text, got {shown(word if isinstance(pattern, str) else pattern)}")
    except InputError as error:
        raise InputError(error.message, field="--fix") from None
    return json.dumps(dict(given)) if given else None


def entry_of(text: str) -> dict[str, str]:
    """Return what is given as `PATTERN=WORD`.

    Raises
    ------
    InputError
        If it is not of this form.
    """
    pattern, equals, word = text.rpartition("=")
    if not equals or not pattern.strip():
        raise InputError(f"expected PATTERN=WORD, for example 'conv*=d...', got {shown(text)}")
    return {pattern.strip(): word.strip()}


def entries_of(texts: Sequence[str]) -> dict[str, str]:
    """Return what several texts of the form `PATTERN=WORD` give together.

    Raises
    ------
    InputError
        If one is not of this form, or two of one pattern do not agree.
    """
    found: dict[str, str] = {}
    for text in texts:
        found = added(found, entry_of(text))
    return found
