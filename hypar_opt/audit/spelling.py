"""Plans, differences and commands as text."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from hypar_opt.plan_file import exact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.audit.claims import Case


def words_of(case: Case, strategies: Mapping[str, str] | None, others: str | None) -> dict[str, str]:
    """Return the word of every layer of which there is one."""
    given = strategies or {}
    names = case.instance.network.decision_names
    words = {name: given.get(name, others) for name in names}
    return {name: word for name, word in words.items() if word is not None}


def difference(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return both words of each layer in which the first plan, which may be a part of one, is unlike the other."""
    return {layer: (word, other[layer]) for layer, word in one.items() if other[layer] != word}


def as_text(words: Mapping[str, str]) -> str:
    """Return words in a line."""
    return ", ".join(f"{layer} {word}" for layer, word in words.items())


def in_full(number: int | Fraction) -> str:
    """Return a count with all its digits, in groups of three."""
    text = str(exact(number))
    whole, dot, rest = text.partition(".")
    return f"{int(whole):,}{dot}{rest}" if "/" not in text else text


def solve_command(case: Case, formulation: str) -> str:
    """Return the command that solves a case."""
    given = case.overrides.given()
    options = [text for name, value in given.items() for text in (f"--{name}", str(value))]
    return shlex.join(["hypar-opt", "solve", case.given, "-f", formulation, *options])
