"""Plans, differences and commands as text."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from hypar_opt.instance.overrides import OVERRIDES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.studies.claims.replacements import Case

_NO_LEVEL = '""'


def words_of(case: Case, strategies: Mapping[str, str] | None, others: str | None) -> dict[str, str]:
    """Return the word of every layer of which there is one."""
    given = strategies or {}
    names = case.instance.network.decision_names
    words = {name: given.get(name, others) for name in names}
    return {name: word for name, word in words.items() if word is not None}


def difference(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return both words of each layer in which the first plan, which may be a part of one, is unlike the other."""
    return {layer: (word, other[layer]) for layer, word in one.items() if other[layer] != word}


def worded(words: Mapping[str, str]) -> str:
    """Return words in a line, that of no level as a claims file has it."""
    return ", ".join(f"{layer} {word or _NO_LEVEL}" for layer, word in words.items())


def as_argument(path: Path | str) -> str:
    """Return a path as a command takes it: not as an option."""
    text = str(path)
    return f"./{text}" if text.startswith("-") else text


def solve_command(case: Case, formulation: str) -> str:
    """Return the command that solves a case; empty where an array is spelt out, which no option takes."""
    given = case.overrides.given() | ({"array": case.array} if case.array else {})
    if not isinstance(given.get("array", ""), str):
        return ""
    options = [text for name, value in given.items() for text in (OVERRIDES[name].option, str(value))]
    return shlex.join(["hypar-opt", "solve", case.given, "-f", formulation, *options])
