"""What texts of a pipeline's plan say of its operators: their devices, and how they are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.pipeline import PlannedOperator
from hypar_opt.instance.pipeline.stage_devices import ANEW, WITHIN
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.pipeline import PipelineInstance


def planned_operators(instance: PipelineInstance, strategies: Mapping[str, str]) -> dict[str, PlannedOperator]:
    """Return every operator's devices, and whether it computes its activations anew.

    Raises
    ------
    InputError
        If an operator is missing or unknown, or there are no such devices.
    """
    names = [one.name for one in instance.operators]
    known = set(names)
    unknown = next((name for name in strategies if name not in known), None)
    if unknown is not None:
        hint = did_you_mean(unknown, names)
        raise InputError(f"the plan has an operator '{unknown}', the pipeline has none{hint}", field="plan")
    found = {}
    for name in names:
        text = strategies.get(name)
        if text is None:
            raise InputError(f"the plan has no devices for operator '{name}'", field="plan")
        one = PlannedOperator.read(text)
        if one is None or not one.devices.fit(instance.kinds):
            raise InputError(f"expected {_expected(instance)}, got {shown(text)}", field=f"plan.{name}")
        found[name] = one
    return found


def _expected(instance: PipelineInstance) -> str:
    """Return what texts there may be."""
    kind = min(one.name for one in instance.kinds)
    said = f"devices as '{kind} 1' or '{kind} 1-2'"
    if instance.has_machines:
        machine = next(one for one in instance.kinds if one.inside)
        levels = [machine]
        while levels[-1].inside:
            levels.append(levels[-1].inside[0])
        return f"devices as '{WITHIN.join(f'{one.name} 1' for one in levels)}'"
    if instance.degrees != (1,):
        degree = instance.degrees[1]
        said += f", or '{kind} 1-{2 * degree} tensor {degree}'"
    return said if instance.recompute == "never" else f"{said}, with '{ANEW}' behind them or not"
