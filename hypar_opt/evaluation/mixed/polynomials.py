"""How a plan's waits depend on one share: polynomials of degree two, exactly.

A path takes the share at one level alone. There it decides how much is read: at most the product of both halves' parts,
where a tensor is cut along different dimensions before and behind. Below it decides how large a group's box is, by one
factor. So three values of an entry decide all.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from hypar_opt.evaluation.mixed.waiting import waits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.network import Workload

AT: Final = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


class Quadratic(NamedTuple):
    """A polynomial constant + linear x + square x^2."""

    constant: Number
    linear: Number
    square: Number

    def at(self, share: Number) -> Number:
        """Return its value."""
        return self.constant + share * (self.linear + share * self.square)


Quadratics: TypeAlias = tuple[tuple[Quadratic, ...], ...]
"""By wait and by class of leaves, seconds as a function of a share."""


def quadratics(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting, split: str
) -> Quadratics:
    """Return how the waits depend on the share of one split.

    Parameters
    ----------
    strategies
        By layer.
    shares
        Of the other splits.
    split
        Whose share is left open.
    """
    rows = [waits(work, strategies, {**shares, split: share}, setting) for share in AT]
    return tuple(
        tuple(_through(*values) for values in zip(*of_wait, strict=True)) for of_wait in zip(*rows, strict=True)
    )


def _through(low: Number, middle: Number, high: Number) -> Quadratic:
    """Return the polynomial that has these values at one, two and three quarters."""
    square = 8 * (low - 2 * middle + high)
    linear = 2 * (high - low) - square
    return Quadratic(middle - linear * AT[1] - square * AT[0], linear, square)
