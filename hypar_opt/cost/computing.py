"""Time, energy and memory of an accelerator, as costs by letters: components beside the communication."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.cost.counting import WORD, Counter, StepWork
from hypar_opt.costgraph import Capacity, Counts, LetterCounts, Words, WordUnary, all_counts
from hypar_opt.instance.objective.components import ADD_ENERGY, COMPUTE_TIME, DRAM_ENERGY, MULTIPLY_ENERGY, SRAM_ENERGY

if TYPE_CHECKING:
    from hypar_opt.instance.hardware.accelerator import Accelerator
    from hypar_opt.instance.network import WorkLayer, Workload

MEMORY: Final = "memory"
"""The name of the capacity."""
ACCESSES: Final[Mapping[str, int]] = MappingProxyType({"as-evaluated": 3, "row-stationary": 2})
"""DRAM accesses for a word that is exchanged, by model: it is read and written, at the least."""
Values: TypeAlias = "Mapping[Counts, Fraction]"
"""Of a layer, by how often each letter occurs."""


@dataclass(frozen=True)
class Computed:
    """Components of a CostGraph that depend on what an accelerator can do.

    Parameters
    ----------
    unary
        For every layer, costs by component.
    units
        By component: how many of its units make a second or a joule.
    """

    unary: tuple[Mapping[str, WordUnary], ...]
    units: Mapping[str, int]


def compute_costs(work: Workload, words: Sequence[Words], counter: Counter) -> Computed:
    """Count what every layer computes; seconds of one accelerator, joules of all."""
    # layers that differ in their names only are of one kind: deep networks have few kinds
    kinds = [(replace(layer, name=""), word.alphabet) for layer, word in zip(work.layers, words, strict=True)]
    levels = counter.partition.levels
    found = {
        (layer, letters): {counts: counter.work(layer, letters, counts) for counts in all_counts(len(letters), levels)}
        for layer, letters in dict.fromkeys(kinds)
    }
    unary: list[dict[str, WordUnary]] = [{} for _ in words]
    units = {}
    for component, rated in _components(counter).items():
        values = {kind: {counts: rated(one) for counts, one in by.items()} for kind, by in found.items()}
        units[component] = lcm(*(value.denominator for by in values.values() for value in by.values()))
        whole = {kind: _in_units(by, units[component]) for kind, by in values.items()}
        for costs, word, kind in zip(unary, words, kinds, strict=True):
            costs[component] = WordUnary(word, (), whole[kind])
    return Computed(tuple(unary), units)


def exchanged_energy(accelerator: Accelerator) -> Fraction:
    """Return the joules that the memories spend on an exchanged byte."""
    assert accelerator.energies is not None  # asked for where the objective weighs it
    return ACCESSES[accelerator.model] * accelerator.energies.dram / WORD


EXCHANGED: Final[Mapping[str, Callable[[Accelerator], Fraction]]] = MappingProxyType({DRAM_ENERGY: exchanged_energy})
"""By component: what it counts for an exchanged byte, however far that goes, beside what is computed."""


def memory_capacity(work: Workload, words: Sequence[Words], counter: Counter) -> Capacity | None:
    """Return the constraint that what stays resident fits, in bytes / 2^H; None where everything fits.

    Of every weighted layer W[l], its gradient, what the optimiser keeps, and F[l] from forward to backward.
    """
    limit = counter.accelerator.capacity
    if limit is None:
        return None
    unit = counter.partition.leaves
    usages = {
        position: WordUnary(word, (), _in_units(_resident(layer, word, counter), unit))
        for position, (layer, word) in enumerate(zip(work.layers, words, strict=True))
    }
    return Capacity(MEMORY, floor(limit * unit), usages, unit)


def _resident(layer: WorkLayer, word: Words, counter: Counter) -> Values:
    return {
        counts: counter.resident(layer, word.alphabet, counts) for counts in all_counts(len(word.alphabet), word.length)
    }


def _components(counter: Counter) -> dict[str, Callable[[StepWork], Fraction]]:
    """Return what each component makes of the work of one accelerator, all being alike."""
    array = counter.partition.leaves
    rated: dict[str, Callable[[StepWork], Fraction]] = {
        COMPUTE_TIME: lambda one: one.seconds,
    }
    joules = counter.accelerator.energies
    if joules is None:
        return rated
    word = array * Fraction(counter.bytes_per_element, WORD)
    return rated | {
        MULTIPLY_ENERGY: lambda one: array * joules.multiply * one.multiplies,
        ADD_ENERGY: lambda one: array * joules.add * one.adds,
        SRAM_ENERGY: lambda one: word * joules.sram * one.sram,
        DRAM_ENERGY: lambda one: word * joules.dram * one.dram,
    }


def _in_units(values: Values, unit: int) -> LetterCounts:
    return LetterCounts({counts: int(value * unit) for counts, value in values.items()})
