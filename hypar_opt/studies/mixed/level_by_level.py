"""A search level by level over words and shares, as AccPar's abstract has it: our reading.

At each level types and shares are decided in turn, beginning at some shares, until nothing changes: types by dynamic
programming over the layers, shares by a rule. The best that was seen at the level is kept, then the next is decided.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.evaluation.mixed import step_time
from hypar_opt.studies.mixed.level_types import level_types
from hypar_opt.studies.mixed.levels_above import first_levels
from hypar_opt.studies.mixed.share_rules import OpenShare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.evaluation.mixed import MixedRules, MixedSetting
    from hypar_opt.instance.network import Workload
    from hypar_opt.studies.mixed.share_rules import ShareRule

ROUNDS: Final = 20
"""In which types and shares of a level are decided in turn, at most."""


class PrefixPlan(NamedTuple):
    """Words of the first levels and shares of their splits, with what a step takes."""

    seconds: Fraction
    words: dict[str, str]
    shares: dict[str, Fraction]


@dataclass(frozen=True)
class LevelSearch:
    """A search level by level.

    Parameters
    ----------
    work, setting, rules
        What plans are of, and judged by.
    allowed
        By split, the shares that it may have.
    rule
        Decides a share where types are given.
    """

    work: Workload
    setting: MixedSetting
    rules: MixedRules
    allowed: Mapping[str, Sequence[Fraction]]
    rule: ShareRule

    def found(self, starts: Sequence[Mapping[str, Fraction]]) -> tuple[dict[str, str], dict[str, Fraction]]:
        """Return words and shares.

        Parameters
        ----------
        starts
            Shares of all splits; those of a level are where its turns begin, once each.
        """
        words: dict[str, str] = {layer.name: "" for layer in self.work.layers}
        shares: dict[str, Fraction] = {}
        for level in range(self.setting.levels):
            here = self._first(level + 1)
            new = [name for name in here.setting.array.splits if name not in shares]
            begins = [shares | {name: start[name] for name in new} for start in starts]
            seen = [one for begin in begins for one in here._turns(words, begin, new)]
            _, words, shares = min(seen, key=lambda one: one.seconds)
        return words, shares

    def _first(self, levels: int) -> LevelSearch:
        """Return the search over the first levels alone."""
        setting = replace(self.setting, array=first_levels(self.setting.array, levels))
        given = {name: word[:levels] for name, word in self.rules.fix.items()}
        return replace(self, setting=setting, rules=replace(self.rules, fix=given))

    def _turns(self, words: Mapping[str, str], shares: dict[str, Fraction], new: Sequence[str]) -> Iterator[PrefixPlan]:
        """Yield what is seen while the last level's types and shares are decided in turn."""
        before = []
        for _ in range(ROUNDS):
            longer = level_types(self.work, words, shares, self.setting, self.rules)
            old = shares
            for name in new:
                share = self.rule(OpenShare(self.work, longer, shares, self.setting, name, self.allowed[name]))
                shares = shares | {name: share}
            one = PrefixPlan(step_time(self.work, longer, shares, self.setting), longer, shares)
            if one in before:
                return
            yield one
            before.append(one)
            if shares == old:
                return
