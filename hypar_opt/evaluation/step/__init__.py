"""The analytic model of a training step: what a plan costs in time and energy, layer by layer and phase by phase.

Written from the definitions, with every slice spelt out: it shares no code with the costs that plans are optimised by.

`phase_seconds` has how long every layer computes in every phase, for the simulation; `Step` adds the exchange, the
energies and the bounds for overlapped steps; `resident` has the bytes that stay in an accelerator's memory.
"""

from hypar_opt.evaluation.step.computing import PHASES, Stage, StepPhase, phase_seconds
from hypar_opt.evaluation.step.slices import StepSetting, kept_by_kind, least_resident, resident
from hypar_opt.evaluation.step.step import OverlapBounds, Step

__all__ = [
    "PHASES",
    "OverlapBounds",
    "Stage",
    "Step",
    "StepPhase",
    "StepSetting",
    "kept_by_kind",
    "least_resident",
    "phase_seconds",
    "resident",
]
