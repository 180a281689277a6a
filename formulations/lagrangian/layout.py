"""Tables as the loops of the decomposition read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.windows.layout import layout_of
from hypar_opt.costgraph import FORBIDDEN

if TYPE_CHECKING:
    from formulations.windows.layout import Layout
    from hypar_opt.costgraph import Tables


def penalised(tables: Tables) -> Layout:
    """Return the layout of tables in which what is forbidden costs more than any two assignments differ by.

    With infinity instead, messages would be infinite, and their differences no numbers.
    """
    return layout_of(tables, float(min(tables.span + 1, FORBIDDEN)))
