"""What a pipeline's file says of devices, and of devices in machines, that does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.instance.pipeline.schema import MOST_DEVICES
from hypar_opt.instance.pipeline.stage_devices import WITHIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.instance.pipeline.schema import DeviceKindSpec, PipelineSpec

Where: TypeAlias = "tuple[Any, ...]"
OF_DEVICES_INSIDE: Final = ("speed", "memory")
"""Fields that a machine has none of."""
NEEDED: Final = (
    ("objective", "slowest-stage"),
    ("contiguous", "true"),
    ("schedule", "none"),
    ("recompute", "never"),
    ("gradients", "each-sample"),
)
"""What fields of the pipeline say where devices are in machines."""
NOT_BESIDE: Final = ("tensor", "recompute", "read_bytes", "sent_bytes")
"""Fields of operators that are not told of machines."""


def misfits_of_devices(spec: PipelineSpec) -> Iterator[tuple[Where, str]]:
    """Yield where, and what is wrong."""
    every = list(_every(spec.devices, ("devices",)))
    seen: set[str] = set()
    for path, one in every:
        if one.kind in seen:
            yield (*path, "kind"), f"the kind '{one.kind}' is there twice"
        seen.add(one.kind)
    devices = sum(map(_count, spec.devices))
    if devices > MOST_DEVICES:
        yield ("devices",), f"expected at most {MOST_DEVICES:,} devices, got {devices:,}"
    if any(one.inside for _, one in every):
        yield from _of_machines(spec, every)


def _of_machines(spec: PipelineSpec, every: Sequence[tuple[Where, DeviceKindSpec]]) -> Iterator[tuple[Where, str]]:
    for path, one in every:
        if WITHIN in one.kind:
            said = f"expected a name without '{WITHIN}', which plans have between machines and devices"
            yield (*path, "kind"), said
        for field in OF_DEVICES_INSIDE if one.inside else ():
            if field in one.model_fields_set:
                yield (*path, field), f"is of the devices inside: expected it there, not at '{one.kind}'"
    for field, expected in NEEDED:
        found = str(getattr(spec, field)).lower()
        if found != expected:
            yield (field,), f"expected {expected} where devices are in machines, got {found}"
    for place, operator in enumerate(spec.operators):
        given = next((field for field in NOT_BESIDE if field in operator.model_fields_set), None)
        if given is not None:
            yield ("operators", place, given), "is not told of devices in machines"


def _every(devices: Sequence[DeviceKindSpec], path: Where) -> Iterator[tuple[Where, DeviceKindSpec]]:
    """Yield kinds of devices at any depth with their places."""
    for place, one in enumerate(devices):
        yield (*path, place), one
        yield from _every(one.inside, (*path, place, "inside"))


def _count(devices: DeviceKindSpec) -> int:
    """Return how many devices there are that have no others inside."""
    return devices.count * (sum(map(_count, devices.inside)) or 1)
