"""What a plan exchanges, by code that shares nothing with the encodings: boxes laid out, and what each lacks."""

from hypar_opt.evaluation.choices import Phase
from hypar_opt.evaluation.communication.breakdown import (
    LEAF_EXACT,
    PHASES,
    Breakdown,
    Bytes,
    ExchangeSetting,
    PhaseExchange,
    by_phase,
    whole,
)
from hypar_opt.evaluation.communication.change import Touching, touching_of, with_word
from hypar_opt.evaluation.communication.levels import communication, summed_elements
from hypar_opt.evaluation.communication.parts import parts_of_bytes

__all__ = [
    "LEAF_EXACT",
    "PHASES",
    "Breakdown",
    "Bytes",
    "ExchangeSetting",
    "Phase",
    "PhaseExchange",
    "Touching",
    "by_phase",
    "communication",
    "parts_of_bytes",
    "summed_elements",
    "touching_of",
    "whole",
    "with_word",
]
