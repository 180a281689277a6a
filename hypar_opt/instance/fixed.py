"""Checks of the strategies that an instance gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import did_you_mean
from hypar_opt.instance.faults import Fault
from hypar_opt.instance.wording import shown
from hypar_opt.network import Add, Concat

if TYPE_CHECKING:
    from collections.abc import Container

    from hypar_opt.instance.instance import Instance


def fix_fault(instance: Instance) -> Fault | None:
    """Return the first fixed layer that no plan decides, or that no plan could give its word, and why; or None."""
    if not instance.spec.fix:
        return None
    decided = frozenset(instance.network.decision_names)
    joins = {layer.name for layer in instance.network.layers if isinstance(layer.op, Add | Concat)}
    given = f" (--levels {instance.levels})" if "levels" in instance.overrides else ""
    for name, word in instance.spec.fix.items():
        if name not in decided:
            return _unknown(name, instance)
        problem = word_fault(word, instance, is_join=name in joins, given=given)
        if problem:
            return Fault(("fix", name), problem)
    return None


def _unknown(name: str, instance: Instance) -> Fault:
    there: Container[str] = {layer.name for layer in instance.network.layers}
    what = "has no weights and joins nothing, so there is nothing to fix" if name in there else "is no layer"
    hint = did_you_mean(name, instance.network.decision_names)
    return Fault(("fix", name), f"{shown(name)} {what}{hint}", of_key=True)


def word_fault(word: str, instance: Instance, *, is_join: bool, given: str = "") -> str | None:
    """Return why a layer cannot have a word, or None; `given` says where the number of levels comes from."""
    if len(word) != instance.levels:
        return f"expected {instance.levels} letters, one a level{given}, got {shown(word)}"
    allowed = [letter for letter in instance.choices if not (is_join and letter == "o")]
    if any(letter not in allowed for letter in word):
        letters = ", ".join(allowed) or "no letter"
        return f"expected letters from {letters}{' in a join' if is_join else ''}, got {shown(word)}"
    return None
