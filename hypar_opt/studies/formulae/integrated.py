"""Model and data parallelism on a grid of processes ("1.5D")."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import Counterpart, Formula, FormulaSetting


def _time(setting: FormulaSetting, gathered: tuple[int, ...]) -> Fraction:
    """Return the time of a step; rounds are those of recursive doubling, as the paper has them."""
    one, beta = setting, setting.beta
    by_rows = beta * Fraction(one.batch * (one.rows - 1), one.columns * one.rows)
    by_columns = beta * Fraction(one.columns - 1, one.columns * one.rows)
    late, wide = setting.alpha * _rounds(one.rows), setting.alpha * _rounds(one.columns)
    gathers = sum((late + by_rows * width for width in gathered), start=Fraction(0))
    errors = sum((late + by_rows * width for width in one.read[1:]), start=Fraction(0))
    gradients = sum((wide + by_columns * weight for weight in one.weights), start=Fraction(0))
    return gathers + 2 * errors + 2 * gradients


def _rounds(processes: int) -> int:
    """Return log2 of a number of processes, rounded up."""
    return (processes - 1).bit_length()


INTEGRATED = Formula(
    "integrated",
    "T(integrated), a grid of P_r x P_c",
    "Gholami, Azad, Jin, Keutzer and Buluc (SPAA 2018); the slides name it",
    "sum_(i=1..L) (alpha lg P_r + beta B / P_c (P_r - 1) / P_r d_i) "
    "+ 2 sum_(i=2..L) (alpha lg P_r + beta B / P_c (P_r - 1) / P_r d_(i-1)) "
    "+ 2 sum_(i=1..L) (alpha lg P_c + beta (P_c - 1) / P_c |W_i| / P_r)",
    lambda setting: _time(setting, setting.written),
    "the word of lg P_c times d, then lg P_r times o, in every layer",
    "the first sum from i = 2, of d_(i-1)",
    lambda setting: _time(setting, setting.read[1:]),
    "the last layer's output is gathered for the loss, and no layer reads it",
    Counterpart("d lg P_c times, o lg P_r times"),
)
"""The formula."""
