"""Both collectives of model parallelism together."""

from __future__ import annotations

from hypar_opt.studies.formulae.formula import SLIDES, Counterpart, Formula, word_of
from hypar_opt.studies.formulae.model_forward import MODEL_FORWARD
from hypar_opt.studies.formulae.model_inputs import MODEL_INPUTS

MODEL_PARALLEL = Formula(
    "model-parallel",
    "T(model), a step of model parallelism",
    f"{SLIDES}, model parallelism",
    "sum_(i=1..L) beta (P - 1) B d_i / P + 2 sum_(i=2..L) beta (P - 1) B d_i / P",
    lambda setting: MODEL_FORWARD.printed(setting) + MODEL_INPUTS.printed(setting),
    "the word o at every level",
    "3 sum_(i=2..L) beta (P - 1) B d_(i-1) / P",
    lambda setting: MODEL_FORWARD.corrected(setting) + MODEL_INPUTS.corrected(setting),
    "both of the above",
    Counterpart("o at every level", word_of("o")),
)
"""The formula."""
