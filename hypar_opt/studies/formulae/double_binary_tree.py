"""Two overlaid binary trees."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import SLIDES, Formula

DOUBLE_TREE = Formula(
    "double-binary-tree",
    "A double binary tree: rounds",
    f"{SLIDES}, double binary tree all-reduce",
    "log P",
    lambda setting: Fraction((setting.processes - 1).bit_length()),
    "messages of the algorithm double-binary-tree are O(lg P) on a way; no time is printed",
    unit="rounds",
    of_all=True,
)
"""The formula; base 2, rounded up."""
