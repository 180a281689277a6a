"""What a plan exchanges, by code that shares nothing with the encodings: boxes laid out, and what each lacks."""

from hypar_opt.boxes.breakdown import LEAF_EXACT, Breakdown, Bytes, Setting
from hypar_opt.boxes.legal import Rules, allowed_words, illegal, impossible, incomplete, letters_of, uncut
from hypar_opt.boxes.levels import communication, summed_elements
from hypar_opt.boxes.phases import PHASES, Part, Phase, by_phase
from hypar_opt.boxes.splits import Split, unbuildable_field, unbuildable_text, uneven_splits

__all__ = [
    "LEAF_EXACT",
    "PHASES",
    "Breakdown",
    "Bytes",
    "Part",
    "Phase",
    "Rules",
    "Setting",
    "Split",
    "allowed_words",
    "by_phase",
    "communication",
    "illegal",
    "impossible",
    "incomplete",
    "letters_of",
    "summed_elements",
    "unbuildable_field",
    "unbuildable_text",
    "uncut",
    "uneven_splits",
]
