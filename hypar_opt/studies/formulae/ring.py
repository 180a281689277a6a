"""A ring's all-reduce."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.data_parallel import DATA_PARALLEL
from hypar_opt.studies.formulae.formula import SLIDES, Formula

RING_TOTAL = Formula(
    "ring",
    "A ring: what all send",
    f"{SLIDES}, ring all-reduce",
    "2 (P - 1) N",
    lambda setting: 2 * setting.beta * (setting.processes - 1) * setting.parameters,
    "the bytes of the word d at every level; the algorithm ring",
    counterpart=DATA_PARALLEL.counterpart,
    of_all=True,
)
"""The formula, N the elements of all gradients."""
RING_TIME = Formula(
    "ring-time",
    "A ring: time",
    f"{SLIDES}, complexity summary",
    "2 ((P - 1) alpha + (P - 1) / P N beta)",
    lambda setting: 2 * (setting.alpha * (setting.processes - 1) + setting.part(setting.parameters)),
    "the algorithm ring, on rings; beta is seconds an element, not a bandwidth",
    counterpart=DATA_PARALLEL.counterpart,
)
"""The formula."""
RING_ROUNDS = Formula(
    "ring-rounds",
    "A ring: rounds",
    f"{SLIDES}, ring all-reduce",
    "P - 1",
    lambda setting: Fraction(setting.processes - 1),
    "steps of the algorithm ring",
    "2 (P - 1)",
    lambda setting: Fraction(2 * (setting.processes - 1)),
    "P - 1 is one of two phases; the slides' own time has both",
    unit="rounds",
    of_all=True,
)
"""The formula."""
