"""Tables without some of their variables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.presolve.flat import ranges

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables


def without_variables(tables: Tables, gone: Array) -> Tables:
    """Return tables without variables that have neither edges nor memory."""
    numbers = np.cumsum(~gone) - 1
    memory = tables.memory
    return tables.replace(
        sizes=tables.sizes[~gone],
        unary=tables.unary[ranges(tables.starts[:-1][~gone], tables.sizes[~gone])],
        ends=numbers[tables.ends].reshape(-1, 2),
        memory=replace(memory, holders=numbers[memory.holders]),
    )
