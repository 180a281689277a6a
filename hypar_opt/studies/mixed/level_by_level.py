"""A search level by level over words and shares, as AccPar's abstract has it: our reading.

At each level types and shares are decided in turn, beginning at some shares, until nothing changes: types by dynamic
programming over the layers, shares by a rule. The best that was seen at the level is kept, then the next is decided.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.mixed import step_time
from hypar_opt.studies.mixed.level_types import level_types
from hypar_opt.studies.mixed.levels_above import first_levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.evaluation.mixed import MixedRules, MixedSetting
    from hypar_opt.instance.network import Workload
    from hypar_opt.studies.mixed.share_rules import ShareRule

ROUNDS: Final = 20
"""In which types and shares of a level are decided in turn, at most."""


def level_by_level(
    work: Workload,
    setting: MixedSetting,
    rules: MixedRules,
    allowed: Mapping[str, Sequence[Fraction]],
    starts: Sequence[Mapping[str, Fraction]],
    rule: ShareRule,
) -> tuple[dict[str, str], dict[str, Fraction]]:
    """Return words and shares.

    Parameters
    ----------
    allowed
        By split, the shares that it may have.
    starts
        Shares of all splits; those of a level are where its turns begin, once each.
    rule
        Decides a share where types are given.
    """
    words: dict[str, str] = {layer.name: "" for layer in work.layers}
    shares: dict[str, Fraction] = {}
    for level in range(setting.levels):
        here = replace(setting, array=first_levels(setting.array, level + 1))
        given = {name: word and word[: level + 1] for name, word in rules.fix.items()}
        here_rules = replace(rules, fix=given)
        new = [name for name in here.array.splits if name not in shares]
        found = [
            turn
            for start in starts
            for turn in _turns(work, words, shares | {name: start[name] for name in new}, here, here_rules, new, allowed, rule)
        ]
        _, words, shares = min(found, key=lambda one: one[0])
    return words, shares


def _turns(
    work: Workload,
    words: Mapping[str, str],
    shares: dict[str, Fraction],
    setting: MixedSetting,
    rules: MixedRules,
    new: Sequence[str],
    allowed: Mapping[str, Sequence[Fraction]],
    rule: ShareRule,
) -> list[tuple[Fraction, dict[str, str], dict[str, Fraction]]]:
    """Return what was seen of one level: how long a step takes, words and shares."""
    seen = []
    for _ in range(ROUNDS):
        longer = level_types(work, words, shares, setting, rules)
        before = dict(shares)
        for name in new:
            shares = shares | {name: rule(work, longer, shares, setting, name, allowed[name])}
        entry = (step_time(work, longer, shares, setting), longer, shares)
        if entry in seen:
            break
        seen.append(entry)
        if shares == before:
            break
    return seen
