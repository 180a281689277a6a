"""Gradients of parameters in model parallelism."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import SLIDES, Formula

MODEL_WEIGHTS = Formula(
    "model-weights",
    "Model parallelism, backward: weights",
    f"{SLIDES}, model parallelism",
    "0",
    lambda setting: Fraction(0),
    "the word o leaves no sums of gradients",
)
"""The formula."""
