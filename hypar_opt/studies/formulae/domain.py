"""Maps that are divided along height, with rows of neighbours ("domain" or spatial parallelism)."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.studies.formulae.formula import SLIDES, Convolved, Formula, FormulaSetting


def _gradients(setting: FormulaSetting) -> Fraction:
    """Return what all-reduces of gradients take, in lg P rounds."""
    rounds = setting.alpha * (setting.processes - 1).bit_length()
    return 2 * sum((rounds + setting.part(one.weight) for one in setting.convolutions), start=Fraction(0))


def _printed(setting: FormulaSetting) -> Fraction:
    halos = Fraction(0)
    for one in setting.convolutions:
        for width, channels in ((one.width, one.channels), (one.written_width, one.filters)):
            rows = Fraction(one.kernel, 2)
            halos += setting.alpha + setting.beta * setting.batch * width * channels * rows
    return halos + _gradients(setting)


def halo_bytes(setting: FormulaSetting, one: Convolved) -> Fraction:
    """Return what all P parts read of their neighbours for one convolution, one way: both sides of every cut."""
    rows = 2 * (one.kernel // 2) * (setting.processes - 1)
    return setting.beta * setting.batch * one.width * one.channels * rows


def _corrected(setting: FormulaSetting) -> Fraction:
    halos = Fraction(0)
    for one in setting.convolutions[1:]:
        message = setting.alpha if one.kernel > 1 else 0
        halos += 2 * (message + halo_bytes(setting, one) / setting.processes)
    return halos + _gradients(setting)


DOMAIN = Formula(
    "domain",
    "T(domain), maps divided along height",
    f"{SLIDES}, spatial parallelism; Gholami et al. (SPAA 2018)",
    "sum_i (alpha + beta B X_W X_C k_h / 2) + sum_i (alpha + beta B Y_W Y_C k_w / 2) "
    "+ 2 sum_i (alpha log P + beta (P - 1) / P |W_i|)",
    _printed,
    "operators that are split along height: halos both ways, and gradients",
    "2 sum_(i=2..L) (alpha + 2 (P - 1) / P beta B X_W X_C floor(k_h / 2)) and the last sum",
    _corrected,
    "a window reads floor(k / 2) rows a side, and one of 1 x 1 none; P parts have 2 (P - 1) sides together; "
    "the input is loaded with its halo, and what goes back is the error of what was read",
)
"""The formula."""
