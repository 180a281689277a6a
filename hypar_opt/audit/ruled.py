"""Plans that follow a rule, spelt from the rule: no formulation is asked for them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.network import Linear

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.problem import Problem

RULES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"data-parallel": ("d", "d"), "model-parallel": ("m", "m"), "one-weird-trick": ("d", "m")}
)
"""By formulation, the letter of convolutions and joins, and that of linear layers; at every level."""


def ruled(problem: Problem, formulation: str) -> dict[str, str] | None:
    """Return the words of a rule's plan, given strategies left as they are; None for a formulation that searches."""
    rule = RULES.get(formulation)
    if rule is None:
        return None
    usual, linear = rule
    levels = problem.instance.levels
    return {
        layer.name: problem.instance.fix.get(layer.name, (linear if layer.kind == Linear.kind else usual) * levels)
        for layer in problem.work.layers
    }
