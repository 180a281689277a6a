"""A box of one open share decided where groups wait for every layer: at the shares where a table's maximum changes.

The maximum over classes then stands in the tables, cell by cell, so that a step's time is a sum of maxima of concave
functions. Between two shares next to each other at which some cell changes its class, every plan's time is concave, and
so least at one of them or at an end of the box. At a fraction tables of fractions say which plan is best. At a root
x + y sqrt(n) every plan takes X + Y sqrt(n), which is between X + Y s and X + Y t for fractions s < sqrt(n) < t: of the
plans none of which is better in both one is the best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:

    pass

MOST_SHARES: Final = 12
"""Shares at which cells change, up to which a box is decided: one with more is cut first."""
FINE: Final = 2**40
"""Roots are between fractions of this denominator."""
"""As a part of what"""
