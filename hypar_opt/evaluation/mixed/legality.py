"""Whether words and shares are a plan for an array of several kinds of accelerators."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from hypar_opt.evaluation.choices import halvings_of
from hypar_opt.evaluation.legality import LONGEST, incomplete
from hypar_opt.evaluation.mixed.boxes import NONE
from hypar_opt.evaluation.mixed.memory import resident
from hypar_opt.evaluation.mixed.own_shares import own_share_fault
from hypar_opt.evaluation.mixed.wholeness import unwhole
from hypar_opt.instance.choices import uncut
from hypar_opt.instance.shares import ExactShares, GivenShares, GridShares, WholeShares
from hypar_opt.util.numbers import decimal, in_full, is_whole
from hypar_opt.util.surd import Surd

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.network import WorkLayer, Workload
    from hypar_opt.instance.shares import Shares


@dataclass(frozen=True)
class MixedRules:
    """What an instance allows.

    Parameters
    ----------
    choices
        Letters.
    shares
        What decides them.
    fix
        Strategies that are given, by layer; a `.` in the place of a letter leaves that to the plan.
    divisible
        Whether every part of what is cut has to be a whole number of elements.
    """

    choices: str
    shares: Shares
    fix: Mapping[str, str]
    divisible: bool = False


def fault_of(
    work: Workload,
    strategies: Mapping[str, str],
    shares: Mapping[str, Number],
    setting: MixedSetting,
    rules: MixedRules,
) -> str | None:
    """Return what keeps words and shares from being a plan, or None.

    Parameters
    ----------
    strategies
        By layer.
    shares
        By split, what its first half gets; by layer and split where layers have shares of their own.
    """
    told = rules.shares
    return (
        incomplete(work, strategies)
        or next(filter(None, (_of_word(layer, strategies[layer.name], setting, rules) for layer in work.layers)), None)
        or (
            own_share_fault(work, strategies, shares, setting, told.grid)
            if isinstance(told, GridShares)
            else share_fault(shares, setting, told)
        )
        or (_left_over(work, strategies, shares, setting) if rules.divisible else None)
        or overflow(work, strategies, shares, setting)
    )


def _left_over(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> str | None:
    each = ((layer.name, unwhole(layer, strategies[layer.name], shares, setting)) for layer in work.layers)
    return next((f"layer '{name}' {fault}" for name, fault in each if fault is not None), None)


def _of_word(layer: WorkLayer, word: str, setting: MixedSetting, rules: MixedRules) -> str | None:
    fault = forbidden(layer, word, setting, rules)
    return None if fault is None else f"layer '{layer.name}' {fault}"


def forbidden(layer: WorkLayer, word: str, setting: MixedSetting, rules: MixedRules) -> str | None:
    """Return why a layer may not have a word, as the rest of a sentence about it, or None."""
    known = {*halvings_of(layer), NONE}
    letters = "".join(letter for letter in rules.choices if letter in known)
    if len(word) != setting.levels or not set(word) <= set(letters):
        grouped = f" with {layer.groups:,} groups" if layer.groups > 1 else ""
        return f"has '{word[:LONGEST]}', expected {setting.levels} letters of '{letters}'{grouped}"
    for level, letter in enumerate(word):
        if letter == NONE and not is_split(setting, level):
            where = "some" if any(path[-1].split is not None for path in setting.halves[level]) else "all"
            return (
                f"has '{word}', and no '{NONE}' can stand at level {level + 1}: {where} groups there have like halves"
            )
    for letter, halving in halvings_of(layer).items():
        whole = uncut(layer.groups, letter, word.count(letter)) if halving.splits == "groups" else None
        if whole is not None:
            return f"has '{word}', expected {whole}"
    given = rules.fix.get(layer.name, word)
    if len(given) != len(word) or any(there not in (letter, ".") for letter, there in zip(word, given, strict=True)):
        return f"has '{word}', the instance gives '{given}'"
    return None


def is_split(setting: MixedSetting, level: int) -> bool:
    """Return whether every group that a level cuts has unlike halves: one of the two can be told to do nothing."""
    return all(path[-1].split is not None for path in setting.halves[level])


def share_fault(shares: Mapping[str, Number], setting: MixedSetting, told: Shares) -> str | None:
    """Return which split has no share for all layers, or one that it may not have, or None."""
    splits = setting.array.splits
    unknown = [name for name in shares if name not in splits]
    if unknown:
        return f"the plan has a share of split '{unknown[0]}', the array has {_listed(splits)}"
    missing = [name for name in splits if name not in shares]
    if missing:
        return f"the plan has no share of split '{missing[0]}'"
    for place, name in enumerate(splits):
        share = shares[name]
        if not 0 < share < 1:
            return f"split '{name}' has share {_text(share)}, expected a number between 0 and 1, both left out"
        other = _other_than(told, place, share, setting.batch)
        if other is not None:
            return f"split '{name}' has share {_text(share)}, {other}"
    return None


def _other_than(told: Shares, place: int, share: Number, batch: int) -> str | None:
    """Return what the share of a split was told to be, where it is something else."""
    match told:
        case GivenShares(first):
            return None if share == first[place] else f"the instance gives {first[place]}"
        case WholeShares(parts):
            whole = is_whole(share * parts)
            return None if whole else f"expected so many of {parts:,} equal parts"
        case ExactShares():
            low, high = told.ends(batch)
            return None if low <= share <= high else f"expected {low} to {high}, a sample of the batch at least"
        case GridShares():  # of each layer
            return None


def overflow(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> str | None:
    """Return which accelerators have less memory than what a plan keeps there, or None."""
    kept = resident(work, strategies, shares, setting)
    for one, layers in zip(setting.array.classes, kept, strict=True):
        kind = setting.array.kinds[one.kind]
        capacity, need = kind.accelerator.capacity, reduce(add, layers.values(), Fraction(0))
        if capacity is not None and need > capacity:
            which = f"accelerator of kind '{kind.name}'" + ("" if one.name == kind.name else f" in class '{one.name}'")
            return f"the plan needs {_text(need)} bytes on every {which}, which has {in_full(capacity)}"
    return None


def _text(value: Number) -> str:
    """Return a number in full, or what it is close to where no fraction is it."""
    return f"about {decimal(value)}" if isinstance(value, Surd) else in_full(value)


def _listed(splits: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in splits) or "none"
