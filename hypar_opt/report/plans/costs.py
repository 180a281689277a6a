"""What a plan costs, in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.components import TOTALS
from hypar_opt.report.numbers import in_component

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


def cost_lines(costs: Mapping[str, Fraction]) -> list[str]:
    """Return a line for each total with its parts, then one for what is part of none.

    Parameters
    ----------
    costs
        By component.
    """
    left, lines = dict(costs), []
    for total, parts in TOTALS.items():
        if total in left:
            whole = in_component(total, left.pop(total))
            lines.append(f"{total} {whole}: " + _listed({part: left.pop(part) for part in parts}))
    return [*lines, _listed(left)] if left else lines


def _listed(costs: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} {in_component(name, cost)}" for name, cost in costs.items())
