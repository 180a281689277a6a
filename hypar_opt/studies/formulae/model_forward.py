"""All-gathers of outputs, forward, in model parallelism."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import SLIDES, Counterpart, Formula, FormulaSetting, forward_bytes, word_of


def gathered(setting: FormulaSetting) -> Fraction:
    """Return what a process gets of the outputs of all layers, as printed."""
    return sum((setting.part(setting.batch * width) for width in setting.written), start=Fraction(0))


def gathered_for_layers(setting: FormulaSetting) -> Fraction:
    """Return the same of what layers read: the last output is read by none."""
    return sum((setting.part(setting.batch * width) for width in setting.read[1:]), start=Fraction(0))


OUTPUTS = Counterpart("o at every level, forward", word_of("o"), forward_bytes)
"""What the word o passes from layer to layer."""
MODEL_FORWARD = Formula(
    "model-forward",
    "Model parallelism, forward: all-gather",
    f"{SLIDES}, model parallelism",
    "sum_(i=1..L) beta (P - 1) B d_i / P",
    gathered,
    "maps of the word o at every level",
    "sum_(i=2..L) beta (P - 1) B d_(i-1) / P",
    gathered_for_layers,
    "the last layer's output is gathered for the loss, and no layer reads it",
    OUTPUTS,
)
"""The formula."""
