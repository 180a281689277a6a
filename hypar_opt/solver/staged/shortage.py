"""Why no stages of a network fit into the memory of accelerators."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.instance.parts import on_leaves
from hypar_opt.instance.text import cut
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from hypar_opt.instance import Instance


def stage_shortage(instance: Instance) -> str | None:
    """Return which layer keeps too much on the whole array, or that all together do; None where memory is no limit."""
    evaluator = Evaluator(on_leaves(instance, 0, instance.levels))
    capacity, least = evaluator.capacity, evaluator.least_resident
    if capacity is None or least is None:
        return None
    worst = max(least, key=lambda name: least[name])
    has = in_full(capacity)
    if least[worst] > capacity:
        return f"memory: '{cut(worst)}' alone keeps {in_full(least[worst])} bytes on every accelerator, which has {has}"
    needed = sum(least.values(), start=Fraction(0))
    return (
        f"memory: on the whole array the layers keep {in_full(needed)} bytes on every accelerator at least, and "
        f"however they are put into stages one of these keeps more than an accelerator has, {has}"
    )
