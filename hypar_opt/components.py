"""The components of a plan's cost that an objective can weigh."""

from __future__ import annotations

from typing import Final

COMMUNICATION: Final = "communication"
"""Bytes exchanged, over all levels and in both directions."""
HOP_BYTES: Final = "hop-bytes"
"""Every byte times the links that it crosses."""
COMM_TIME: Final = "comm-time"
"""Seconds: of every level its busiest link's, levels one after the other."""
COMM_ENERGY: Final = "comm-energy"
"""Joules: every byte times the energy of the links that it crosses."""
PLACED: Final = (HOP_BYTES, COMM_TIME, COMM_ENERGY)
"""Those that depend on where in the array the groups stand."""
COMPONENTS: Final = (COMMUNICATION, *PLACED)
