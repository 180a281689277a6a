"""Whether a plan is one: every layer has a strategy, made of its letters, that may be built."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.network import WorkLayer, Workload

LONGEST = 40
"""Letters of a strategy that a message shows."""


@dataclass(frozen=True)
class Rules:
    """What an instance allows.

    Parameters
    ----------
    batch, levels
        As in the instance.
    choices
        Letters.
    divisible
        Whether every dimension that is split has to divide by its number of parts.
    fix
        Strategies that are given, by layer.
    """

    batch: int
    levels: int
    choices: str
    divisible: bool
    fix: Mapping[str, str]


def incomplete(work: Workload, strategies: Mapping[str, str]) -> str | None:
    """Return which layer has no strategy, or which strategy no layer, or None."""
    names = {layer.name for layer in work.layers}
    missing = [layer.name for layer in work.layers if layer.name not in strategies]
    if missing:
        more = f" (and {len(missing) - 1} more)" if missing[1:] else ""
        return f"the plan has no strategy for layer '{missing[0]}'{more}"
    unknown = [name for name in strategies if name not in names]
    return f"the plan has a layer '{unknown[0]}', the instance has none" if unknown else None


def illegal(work: Workload, strategies: Mapping[str, str], rules: Rules) -> str | None:
    """Return the first strategy that its layer may not have, and why, or None."""
    for layer in work.layers:
        fault = _fault(layer, strategies[layer.name], rules)
        if fault is not None:
            return f"layer '{layer.name}' {fault}"
    return None


def impossible(work: Workload, rules: Rules) -> str | None:
    """Return a layer that no strategy is allowed for, or None: the layers' rules do not touch each other."""
    for layer in work.layers:
        if next(allowed_words(layer, rules), None) is None:
            return layer.name
    return None


def allowed_words(layer: WorkLayer, rules: Rules) -> Iterator[str]:
    """Yield a layer's allowed words, one of those that differ in the order of their letters only."""
    given = rules.fix.get(layer.name)
    letters = letters_of(layer, rules.choices)
    mixed = map("".join, combinations_with_replacement(letters, rules.levels))
    words = mixed if given is None else iter((given,))
    return (word for word in words if _fault(layer, word, rules) is None)


def letters_of(layer: WorkLayer, choices: str) -> str:
    """Return those of an instance's letters that a layer may have: joins and grouped convolutions have no o."""
    return choices.replace("o", "") if layer.keeps_layout else choices


def uncut(layer: WorkLayer, word: str) -> str | None:
    """Return how often m may be in a grouped convolution's word that has it more often, or None: groups stay whole."""
    if layer.groups == 1 or layer.groups % 2 ** word.count("m") == 0:
        return None
    most = next(times for times in range(len(word)) if layer.groups % 2 ** (times + 1))
    often = ("no m", "m at most once")[most] if most < 2 else f"m at most {most} times"
    return f"{often}, as it halves the {layer.groups:,} groups"


def _fault(layer: WorkLayer, word: str, rules: Rules) -> str | None:
    letters = letters_of(layer, rules.choices)
    if len(word) != rules.levels or not set(word) <= set(letters):
        grouped = f" with {layer.groups:,} groups" if layer.groups > 1 else ""
        return f"has '{word[:LONGEST]}', expected {rules.levels} letters of '{letters}'{grouped}"
    whole = uncut(layer, word)
    if whole is not None:
        return f"has '{word}', expected {whole}"
    given = rules.fix.get(layer.name, word)
    if word != given:
        return f"has '{word}', the instance gives '{given}'"
    return _indivisible(layer, word, rules.batch) if rules.divisible else None


def _indivisible(layer: WorkLayer, word: str, batch: int) -> str | None:
    """Return which dimension does not divide by the parts that it is split in, or None."""
    parts = {letter: 2**times for letter, times in Counter(word).items()}
    dimensions: list[tuple[str, str, tuple[int, ...]]] = [("d", "batch", (batch,))]
    if layer.groups == 1:  # whose whole groups go to the parts, however many channels they have
        dimensions += [("m", "input", layer.in_sizes), ("o", "output", layer.out_sizes)]
    for letter, name, sizes in dimensions:
        for size in sizes:
            if size % parts.get(letter, 1):
                return f"has '{word}', and its {name} of {size} does not divide by {parts[letter]}"
    return None
