"""Checks of the strategies that an instance gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import did_you_mean
from hypar_opt.instance.wording import shown
from hypar_opt.network import Add, Concat

if TYPE_CHECKING:
    from collections.abc import Container

    from hypar_opt.errors import InputError
    from hypar_opt.instance.instance import Instance
    from hypar_opt.instance.sources import Sources


def check_fix(instance: Instance, sources: Sources) -> None:
    """Check that every fixed layer is one that a plan decides, and has a word that a plan could give it.

    Raises
    ------
    InputError
        At the first that is not.
    """
    if not instance.spec.fix:
        return
    decided = frozenset(instance.network.decision_names)
    joins = {layer.name for layer in instance.network.layers if isinstance(layer.op, Add | Concat)}
    for name, word in instance.spec.fix.items():
        if name not in decided:
            raise _unknown(name, instance, sources)
        given = f" (--levels {instance.levels})" if "levels" in instance.overrides else ""
        problem = word_fault(word, instance, is_join=name in joins, given=given)
        if problem:
            raise sources.error(problem, ("fix", name))


def _unknown(name: str, instance: Instance, sources: Sources) -> InputError:
    there: Container[str] = {layer.name for layer in instance.network.layers}
    what = "has no weights and joins nothing, so there is nothing to fix" if name in there else "is no layer"
    hint = did_you_mean(name, instance.network.decision_names)
    return sources.error(f"{shown(name)} {what}{hint}", ("fix", name), of_key=True)


def word_fault(word: str, instance: Instance, *, is_join: bool, given: str = "") -> str | None:
    """Return why a layer cannot have a word, or None; `given` says where the number of levels comes from."""
    if len(word) != instance.levels:
        return f"expected {instance.levels} letters, one a level{given}, got {shown(word)}"
    allowed = [letter for letter in instance.choices if not (is_join and letter == "o")]
    if any(letter not in allowed for letter in word):
        letters = ", ".join(allowed) or "no letter"
        return f"expected letters from {letters}{' in a join' if is_join else ''}, got {shown(word)}"
    return None
