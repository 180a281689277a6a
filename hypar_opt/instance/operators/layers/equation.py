"""Equations of einsum in named dimensions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hypar_opt.instance.operators.layers.value import BATCH
from hypar_opt.util.errors import did_you_mean

WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FORM: Final = "'batch sequence in, in out -> batch sequence out'"
TAKEN: Final = ("none", "whole", "partial")
"""Words of plans that are no dimensions."""


@dataclass(frozen=True)
class Equation:
    """Dimensions of operands and output; those that the output lacks are summed over."""

    operands: tuple[tuple[str, ...], ...]
    output: tuple[str, ...]

    def __str__(self) -> str:
        return f"{', '.join(map(' '.join, self.operands))} -> {' '.join(self.output)}"

    @property
    def dims(self) -> tuple[str, ...]:
        """All of them, those of the output first."""
        return tuple(dict.fromkeys((*self.output, *(name for one in self.operands for name in one))))


def parse(text: str) -> Equation:
    """Return what an equation says.

    Raises
    ------
    ValueError
        If it says nothing that could be computed; with what was expected.
    """
    left, arrow, right = text.partition("->")
    if not arrow or "->" in right or "," in right:
        raise ValueError(f"expected operands, `->` and one output, as in {FORM}, got '{text}'")
    equation = Equation(tuple(tuple(one.split()) for one in left.split(",")), tuple(right.split()))
    for side in (*equation.operands, equation.output):
        _check(side, text)
    if equation.output[0] != BATCH:
        raise ValueError(f"expected an output that begins with batch, got '{' '.join(equation.output)}'")
    known = {name for one in equation.operands for name in one}
    for name in equation.output:
        if name not in known:
            raise ValueError(
                f"expected a dimension of an operand in the output, got '{name}'{did_you_mean(name, known)}"
            )
    return equation


def _check(side: tuple[str, ...], text: str) -> None:
    """Raise `ValueError` where an operand or the output has no dimensions, bad names, or one twice."""
    if not side:
        raise ValueError(f"expected dimensions of every operand and of the output, as in {FORM}, got '{text}'")
    for name in side:
        if name in TAKEN:
            raise ValueError(
                f"expected another name of a dimension than '{name}', which stands for something else in plans"
            )
        if not WORD.fullmatch(name):
            raise ValueError(f"expected names of dimensions, of letters, digits and underscores, got '{name}'")
        if side.count(name) > 1:
            raise ValueError(
                f"expected every dimension once in '{' '.join(side)}', got '{name}' {side.count(name)} times"
            )
