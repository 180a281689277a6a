"""Which operators a layer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hypar_opt.instance.operators.layers.value import Value


@dataclass(frozen=True)
class MadeLayer:
    """A layer with the operators that were made of it.

    Parameters
    ----------
    layer, kind
        Its name in full, and its kind as in instance files.
    fields
        What the instance says of it under its kind.
    inputs
        What it reads.
    operators
        Their positions in the graph.
    """

    layer: str
    kind: str
    fields: Any
    inputs: tuple[Value, ...]
    operators: range
