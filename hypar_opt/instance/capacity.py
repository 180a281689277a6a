"""Whether an accelerator's memory is too small for a layer, however it is split."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.faults import Fault
from hypar_opt.network import workload

if TYPE_CHECKING:
    from hypar_opt.instance.instance import Instance


def capacity_fault(instance: Instance) -> Fault | None:
    """Return which layer's weights alone are more than an accelerator holds, split as far as they can be; or None."""
    accelerator = instance.accelerator
    if accelerator is None or accelerator.capacity is None:
        return None
    # dp leaves the weights whole, mp and op halve them
    parts = 1 << instance.levels if set(instance.choices) & {"m", "o"} else 1
    layers = [layer for layer in workload(instance.network).layers if not layer.is_join]
    worst = max(layers, key=lambda layer: layer.weight, default=None)
    if worst is None:
        return None
    least = Fraction(worst.weight * instance.bytes_per_element, parts)
    if least <= accelerator.capacity:
        return None
    message = (
        f"expected at least {float(least):,.0f} bytes, which the weights of '{worst.name}' alone take on each of "
        f"{1 << instance.levels:,} accelerators however they are split, got {float(accelerator.capacity):,.0f}"
    )
    return Fault(("array", "accelerator", "memory", "capacity"), message)
