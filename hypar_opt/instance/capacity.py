"""Whether an accelerator's memory is too small for a layer, however it is split."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.boxes import letters_of
from hypar_opt.instance.faults import Fault
from hypar_opt.network import workload

if TYPE_CHECKING:
    from hypar_opt.instance.instance import Instance
    from hypar_opt.network import WorkLayer


def capacity_fault(instance: Instance) -> Fault | None:
    """Return which layer's weights alone are more than an accelerator holds, split as far as they can be; or None."""
    accelerator = instance.accelerator
    if accelerator is None or accelerator.capacity is None:
        return None
    kept = {layer.name: _least_weights(layer, instance) for layer in workload(instance.network).layers}
    worst = max(kept, key=lambda name: kept[name])
    least = kept[worst]
    if least <= accelerator.capacity:
        return None
    message = (
        f"expected at least {float(least):,.0f} bytes, which the weights of '{worst}' alone take on each of "
        f"{1 << instance.levels:,} accelerators however they are split, got {float(accelerator.capacity):,.0f}"
    )
    return Fault(("array", "accelerator", "memory", "capacity"), message)


def _least_weights(layer: WorkLayer, instance: Instance) -> Fraction:
    """Return the bytes of a layer's weights on an accelerator at the least: dp leaves them whole, mp and op halve them.

    Of a grouped convolution mp does as often as the groups can be halved.
    """
    halving = set(letters_of(layer, instance.choices)) & {"m", "o"}
    parts = 1 << instance.levels if halving else 1
    if layer.groups > 1:
        parts = min(parts, layer.groups & -layer.groups)
    return Fraction(layer.weight * instance.bytes_per_element, parts)
