"""Data parallelism as it is put beside model parallelism: without the factor that it has elsewhere."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.data_parallel import DATA_PARALLEL
from hypar_opt.studies.formulae.formula import SLIDES, Formula, FormulaSetting


def _printed(setting: FormulaSetting) -> Fraction:
    return setting.part(sum(width**2 for width in setting.written))


def _corrected(setting: FormulaSetting) -> Fraction:
    return 2 * setting.part(setting.parameters)


def model_is_less(batch: int, width: int, *, printed: bool = False) -> bool:
    """Return whether of a square layer 3 B d, for model parallelism, are fewer elements than those of its gradient.

    The gradient is 2 d^2, so that it is from d = 1.5 B on; as printed d^2, and from 3 B on.

    Parameters
    ----------
    batch, width
        B and d.
    printed
        Whether as it is printed.
    """
    return 3 * batch * width < (1 if printed else 2) * width**2


BESIDE_MODEL = Formula(
    "data-beside-model",
    "T(data), beside T(model)",
    f"{SLIDES}, model against data parallelism",
    "sum_i beta (P - 1) / P d_i^2",
    _printed,
    "of layers as wide as what they read half of the word d at every level",
    "2 sum_i beta (P - 1) / P d_i d_(i-1)",
    _corrected,
    "an all-reduce counts twice, as it does in T(batch): model parallelism is less from d = 1.5 B on, not 3 B",
    DATA_PARALLEL.counterpart,
)
"""The formula; latencies are left out, as in T(model)."""
