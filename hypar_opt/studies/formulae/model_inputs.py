"""All-reduces of errors, backward, in model parallelism."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import SLIDES, Counterpart, Formula, FormulaSetting, summed_bytes, word_of


def _printed(setting: FormulaSetting) -> Fraction:
    return 2 * sum((setting.part(setting.batch * width) for width in setting.written[1:]), start=Fraction(0))


def reduced(setting: FormulaSetting) -> Fraction:
    """Return what a process gets of the errors of what layers read, but for the network's input."""
    return 2 * sum((setting.part(setting.batch * width) for width in setting.read[1:]), start=Fraction(0))


MODEL_INPUTS = Formula(
    "model-inputs",
    "Model parallelism, backward: inputs, all-reduce",
    f"{SLIDES}, model parallelism",
    "2 sum_(i=2..L) beta (P - 1) B d_i / P",
    _printed,
    "partial sums of the word o at every level",
    "2 sum_(i=2..L) beta (P - 1) B d_(i-1) / P",
    reduced,
    "the error of what layer i reads has d_(i-1) features",
    Counterpart("o at every level, its sums", word_of("o"), summed_bytes),
)
"""The formula."""
