"""Whether a plan is one: every layer has a strategy, made of its letters, that may be built."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.choices import halvings_of
from hypar_opt.instance.choices import uncut

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.network import WorkLayer, Workload
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class Split:
    """A dimension of a layer, and the parts that a plan splits it into.

    Parameters
    ----------
    layer
        Its name.
    dimension
        `batch`, `input`, `output` or `groups`.
    size
        Elements of the dimension.
    parts
        As many as the levels that split it make of it: two for every halving.
    """

    layer: str
    dimension: str
    size: int
    parts: int

    @property
    def is_even(self) -> bool:
        """Whether all parts are of one size."""
        return self.size % self.parts == 0

    @property
    def is_possible(self) -> bool:
        """Whether there is an element for every part."""
        return self.parts <= self.size

    def __str__(self) -> str:
        return f"{self.layer} splits its {self.dimension} of {self.size:,} into {self.parts:,} parts"


def sizes_of(layer: WorkLayer, batch: int) -> Mapping[str, tuple[int, ...]]:
    """Return the sizes of a layer's dimensions: of a join's input those of every input."""
    return {"batch": (batch,), "input": layer.in_sizes, "output": layer.out_sizes, "groups": (layer.groups,)}


def splits_of(layer: WorkLayer, word: str, batch: int, partition: Partition) -> Iterator[Split]:
    """Yield what a layer's word splits."""
    parts = dict.fromkeys(word, 1)
    for letter, axis in zip(word, partition.axes, strict=True):
        parts[letter] *= axis.size
    sizes = sizes_of(layer, batch)
    for letter, halving in halvings_of(layer).items():
        if halving.splits is not None and letter in parts:
            yield from (Split(layer.name, halving.splits, size, parts[letter]) for size in sizes[halving.splits])


def uneven_splits(work: Workload, strategies: Mapping[str, str], batch: int, partition: Partition) -> tuple[Split, ...]:
    """Return the splits of a plan that leave something over, in the order of the layers; each once."""
    found = (one for layer in work.layers for one in splits_of(layer, strategies[layer.name], batch, partition))
    return tuple(dict.fromkeys(one for one in found if not one.is_even))


def unbuildable_field(splits: Sequence[Split]) -> dict[str, list[str]]:
    """Return what documents say of those of more parts than elements, a sentence each; nothing where there are none."""
    beyond = [str(one) for one in splits if not one.is_possible]
    return {"unbuildable": beyond} if beyond else {}


def unbuildable_text(splits: Sequence[Split]) -> str:
    """Return a sentence of the splits of more parts than elements, or nothing where there are none.

    It says in how many layers there are some, and for every dimension and number of parts names the first of them.
    """
    layers: dict[tuple[str, int, int], list[str]] = {}
    for one in splits:
        if not one.is_possible:
            layers.setdefault((one.dimension, one.size, one.parts), []).append(one.layer)
    if not layers:
        return ""
    which = "; ".join(
        f"the {dimension} of {size:,} into {parts:,} parts by {_listed(names)}"
        for (dimension, size, parts), names in layers.items()
    )
    count = len({name for names in layers.values() for name in names})
    split = "1 layer splits" if count == 1 else f"{count:,} layers split"
    many = f"{split} a dimension into more parts than it has elements"
    return f"cannot be built as it stands: {many}: {which}; --splits divisible asks for a plan that can"


NAMED: Final = 3
"""Layers that a sentence names before it counts the others."""


def _listed(names: Sequence[str]) -> str:
    *others, last = names if len(names) <= NAMED + 1 else (*names[:NAMED], f"{len(names) - NAMED:,} more")
    return f"{', '.join(others)} and {last}" if others else last


LONGEST = 40
"""Letters of a strategy that a message shows."""


@dataclass(frozen=True)
class Rules:
    """What an instance allows.

    Parameters
    ----------
    batch, partition
        As in the instance.
    choices
        Letters.
    divisible
        Whether every dimension that is split has to divide by its number of parts.
    fix
        Strategies that are given, by layer; a `.` in the place of a letter leaves that to the plan.
    """

    batch: int
    partition: Partition
    choices: str
    divisible: bool
    fix: Mapping[str, str]


def incomplete(work: Workload, strategies: Mapping[str, str]) -> str | None:
    """Return which layer has no strategy, or which strategy no layer, or None."""
    names = {layer.name for layer in work.layers}
    missing = [layer.name for layer in work.layers if layer.name not in strategies]
    if missing:
        layers = "layer" if len(missing) == 1 else "layers"
        return f"the plan has no strategy for {layers} {', '.join(map(repr, missing))}"
    unknown = [name for name in strategies if name not in names]
    return f"the plan has a layer '{unknown[0]}', the instance has none" if unknown else None


def illegal(work: Workload, strategies: Mapping[str, str], rules: Rules) -> str | None:
    """Return the first strategy that its layer may not have, and why, or None."""
    faults = ((layer.name, forbidden(layer, strategies[layer.name], rules)) for layer in work.layers)
    return next((f"layer '{name}' {fault}" for name, fault in faults if fault is not None), None)


def impossible(work: Workload, rules: Rules) -> str | None:
    """Return a layer that no strategy is allowed for, or None: the layers' rules do not touch each other."""
    return next((layer.name for layer in impossible_layers(work, rules)), None)


def impossible_layers(work: Workload, rules: Rules) -> Iterator[WorkLayer]:
    """Yield the layers that no strategy is allowed for."""
    return (layer for layer in work.layers if next(allowed_words(layer, rules), None) is None)


def allowed_words(layer: WorkLayer, rules: Rules) -> Iterator[str]:
    """Yield a layer's allowed words, one of those that differ in the order of the letters that are not given only."""
    given = rules.fix.get(layer.name, "." * rules.partition.levels)
    mixed = combinations_with_replacement(_letters(layer, rules), given.count("."))
    words = (given.replace(".", "{}").format(*letters) for letters in mixed)
    return (word for word in words if forbidden(layer, word, rules) is None)


def _letters(layer: WorkLayer, rules: Rules) -> str:
    """Return those of an instance's letters that a layer may have."""
    return "".join(letter for letter in rules.choices if letter in halvings_of(layer))


def forbidden(layer: WorkLayer, word: str, rules: Rules) -> str | None:
    """Return why a layer may not have a word, as the rest of a sentence about it, or None."""
    letters, levels = _letters(layer, rules), rules.partition.levels
    if len(word) != levels or not set(word) <= set(letters):
        grouped = f" with {layer.groups:,} groups" if layer.groups > 1 else ""
        return f"has '{word[:LONGEST]}', expected {levels} letters of '{letters}'{grouped}"
    for letter, halving in halvings_of(layer).items():
        whole = uncut(layer.groups, letter, word.count(letter)) if halving.splits == "groups" else None
        if whole is not None:
            return f"has '{word}', expected {whole}"
    given = rules.fix.get(layer.name, word)
    if len(given) != levels or any(there not in (letter, ".") for letter, there in zip(word, given, strict=True)):
        return f"has '{word}', the instance gives '{given}'"
    return _indivisible(layer, word, rules) if rules.divisible else None


def _indivisible(layer: WorkLayer, word: str, rules: Rules) -> str | None:
    """Return which dimension does not divide by the parts that it is split in, or None."""
    for split in splits_of(layer, word, rules.batch, rules.partition):
        if not split.is_even:
            return f"has '{word}', and its {split.dimension} of {split.size} does not divide by {split.parts}"
    return None
