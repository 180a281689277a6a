"""Maps that are divided along height, with rows of neighbours ("domain" or spatial parallelism)."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import SLIDES, Convolved, Formula, FormulaSetting


def _time(setting: FormulaSetting, halo: Fraction | None) -> Fraction:
    """Return the time of a step; half a kernel's rows forward and backward, unless a kernel has `halo` of itself."""
    batch, alpha, beta = setting.batch, setting.alpha, setting.beta
    total = Fraction(0)
    for one in setting.windows:
        rows = one.kernel * halo if halo is not None else Fraction(one.kernel // 2)
        for width, channels in ((one.width, one.channels), (one.written_width, one.filters)):
            total += (alpha if rows else 0) + beta * batch * width * channels * rows
        total += 2 * (alpha * (setting.processes - 1).bit_length() + setting.part(one.weight))
    return total


def halo_bytes(setting: FormulaSetting, window: Convolved) -> Fraction:
    """Return what all P parts read of their neighbours for one convolution, forward: both sides of every cut."""
    rows = 2 * (window.kernel // 2) * (setting.processes - 1)
    return setting.beta * setting.batch * window.width * window.channels * rows


DOMAIN = Formula(
    "domain",
    "T(domain), maps divided along height",
    f"{SLIDES}, spatial parallelism; Gholami et al. (SPAA 2018)",
    "sum_i (alpha + beta B X_W X_C k_h / 2) + sum_i (alpha + beta B Y_W Y_C k_w / 2) "
    "+ 2 sum_i (alpha log P + beta (P - 1) / P |W_i|)",
    lambda setting: _time(setting, Fraction(1, 2)),
    "halos of operators that are split along height, one side of a part; gradients as dp's",
    "floor(k / 2) rows, and no message where that is 0",
    lambda setting: _time(setting, None),
    "a window of 1 x 1 reads no row of others, one of 3 x 3 one row a side",
)
"""The formula."""
