"""Where a chunk belongs: it begins there, is summed up there, or has its name from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.instance.collective import CollectiveInstance


def home_of(instance: CollectiveInstance, chunk: int) -> int:
    """Return the position of the accelerator that a chunk belongs to."""
    one = instance.chunks[chunk]
    if instance.collective == "all-reduce":
        return instance.group[chunk // instance.chunks_each]
    return one.targets[0] if instance.collective == "reduce-scatter" else one.sources[0]
