"""Colours of arrays in pictures, to be told apart with any eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap

GROUPS: Final = ("#E69F00", "#F0E442", "#56B4E9", "#CC79A7")
"""Of the groups of the first two levels (Okabe and Ito's palette, its lighter half: black text can be read on it)."""
UNUSED: Final = "#FFFFFF"
SWITCH: Final = "#999999"
LINK: Final = "#555555"
IDLE: Final = "#BBBBBB"
DARKEST, LIGHTEST = 1.0, 0.12
"""Of the colour map the part that can be seen on white."""


def group_colour(leaf: int | None, levels: int) -> str:
    """Return the colour of the group that a leaf is in at the second level, or the first if there is but one."""
    if leaf is None:
        return UNUSED
    return GROUPS[leaf >> max(0, levels - 2)]


def map_of_loads(most: Fraction) -> tuple[Colormap, ScalarMappable]:
    """Return the colours of loads from none, light, to the most, dark; and the same for a colour bar."""
    import matplotlib as mpl
    import numpy as np
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    part = mpl.colormaps["viridis_r"](np.linspace(LIGHTEST, DARKEST, 256))
    colours = LinearSegmentedColormap.from_list("loads", [tuple(map(float, colour)) for colour in part])
    return colours, ScalarMappable(Normalize(0, float(most) or 1.0), colours)
