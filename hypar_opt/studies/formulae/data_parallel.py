"""All-reduces of gradients by a ring."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import SLIDES, Counterpart, Formula, FormulaSetting, word_of


def _time(setting: FormulaSetting) -> Fraction:
    rounds = setting.alpha * (setting.processes - 1)
    return 2 * sum((rounds + setting.part(weight) for weight in setting.weights), start=Fraction(0))


DATA_PARALLEL = Formula(
    "data-parallel",
    "T(batch), a step of data parallelism",
    f"{SLIDES}, data parallel training",
    "2 sum_i (alpha (P - 1) + beta (P - 1) / P |W_i|)",
    _time,
    "the word d at every level, P processes together",
    counterpart=Counterpart("d at every level", word_of("d")),
)
"""The formula."""
