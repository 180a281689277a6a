"""The components of a plan's cost that an objective can weigh."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

COMMUNICATION: Final = "communication"
"""Bytes exchanged, over all levels and in both directions."""
HOP_BYTES: Final = "hop-bytes"
"""Every byte times the links that it crosses."""
COMM_TIME: Final = "comm-time"
"""Seconds: of every level its busiest link's, levels one after the other."""
COMM_ENERGY: Final = "comm-energy"
"""Joules: every byte times the energy of the links that it crosses."""
COMPUTE_TIME: Final = "compute-time"
"""Seconds: every layer's phases one after the other, each as long as its slowest accelerator."""
TIME: Final = "time"
"""Seconds of a training step: computing, then communicating, nothing overlapped."""
MULTIPLY_ENERGY: Final = "multiply-energy"
"""Joules: of all multiplications."""
ADD_ENERGY: Final = "add-energy"
"""Joules: of all additions."""
SRAM_ENERGY: Final = "sram-energy"
"""Joules: of all accesses to the buffers on the chips."""
DRAM_ENERGY: Final = "dram-energy"
"""Joules: of all accesses to the memories, those of exchanged words among them."""
ENERGY: Final = "energy"
"""Joules of a training step: operations, accesses and links."""
TOTAL: Final = "total"
"""Of a strategy graph: whatever its costs count, summed; no component of a network's plan."""
PLACED: Final = (HOP_BYTES, COMM_TIME, COMM_ENERGY)
"""Those that depend on where in the array the groups stand."""
COMPUTED: Final = (COMPUTE_TIME, MULTIPLY_ENERGY, ADD_ENERGY, SRAM_ENERGY, DRAM_ENERGY)
"""Those that depend on what an accelerator can do."""
TOTALS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        TIME: (COMPUTE_TIME, COMM_TIME),
        ENERGY: (MULTIPLY_ENERGY, ADD_ENERGY, SRAM_ENERGY, DRAM_ENERGY, COMM_ENERGY),
    }
)
"""Components that are sums of others."""
COMPONENTS: Final = (COMMUNICATION, *PLACED, *COMPUTED, *TOTALS)
"""All of them."""
LEVELLED: Final = (*PLACED, *TOTALS)
"""Those in which a byte of one level may weigh more than one of another."""
SECONDS: Final = frozenset((COMM_TIME, COMPUTE_TIME, TIME))
"""Those that are times; what is neither that nor bytes is joules."""


def parts_of(component: str) -> tuple[str, ...]:
    """Return the components that one is the sum of: itself, unless it is a total."""
    return TOTALS.get(component, (component,))


def depends_on(component: str, others: Collection[str]) -> bool:
    """Return whether a component, or a part of it, is among others."""
    return any(part in others for part in parts_of(component))
