"""Checks of the strategies that an instance gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.boxes import letters_of, uncut
from hypar_opt.errors import did_you_mean
from hypar_opt.instance.faults import Fault
from hypar_opt.instance.wording import shown
from hypar_opt.network import workload

if TYPE_CHECKING:
    from collections.abc import Container

    from hypar_opt.instance.instance import Instance
    from hypar_opt.network import WorkLayer


def fix_fault(instance: Instance) -> Fault | None:
    """Return the first fixed layer that no plan decides, or that no plan could give its word, and why; or None."""
    if not instance.spec.fix:
        return None
    decided = {layer.name: layer for layer in workload(instance.network).layers}
    given = f" (--levels {instance.levels})" if "levels" in instance.overrides else ""
    for name, word in instance.spec.fix.items():
        if name not in decided:
            return _unknown(name, instance)
        problem = word_fault(word, instance, decided[name], given)
        if problem:
            return Fault(("fix", name), problem)
    return None


def _unknown(name: str, instance: Instance) -> Fault:
    there: Container[str] = {layer.name for layer in instance.network.layers}
    what = "has no weights and joins nothing, so there is nothing to fix" if name in there else "is no layer"
    hint = did_you_mean(name, instance.network.decision_names)
    return Fault(("fix", name), f"{shown(name)} {what}{hint}", of_key=True)


def word_fault(word: str, instance: Instance, layer: WorkLayer, given: str = "") -> str | None:
    """Return why a layer cannot have a word, or None; `given` says where the number of levels comes from."""
    if len(word) != instance.levels:
        return f"expected {instance.levels} letters, one a level{given}, got {shown(word)}"
    allowed = letters_of(layer, instance.choices)
    if any(letter not in allowed for letter in word):
        kind = " in a join" if layer.is_join else f" in a convolution with {layer.groups:,} groups"
        where = kind if layer.keeps_layout else ""
        return f"expected letters from {', '.join(allowed) or 'no letter'}{where}, got {shown(word)}"
    whole = uncut(layer, word)
    return None if whole is None else f"expected {whole}, got {shown(word)}"
