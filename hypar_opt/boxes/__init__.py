"""What a plan exchanges, by code that shares nothing with the encodings: boxes laid out, and what each lacks."""

from hypar_opt.boxes.breakdown import LEAF_EXACT, Breakdown, Bytes, Setting
from hypar_opt.boxes.legal import Rules, illegal, impossible, incomplete
from hypar_opt.boxes.levels import communication

__all__ = [
    "LEAF_EXACT",
    "Breakdown",
    "Bytes",
    "Rules",
    "Setting",
    "communication",
    "illegal",
    "impossible",
    "incomplete",
]
