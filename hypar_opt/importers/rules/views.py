"""Views of views."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.importers.draft import DraftLayer
    from hypar_opt.importers.rules import LayerMap


def one_view(known: LayerMap, layer: DraftLayer) -> None:
    """Have a reshape of a reshape read what that reads: the numbers are the same, in the same order."""
    above = known.get(layer.inputs[0]) if layer.kind == "reshape" else None
    if above is not None and above.kind == "reshape":
        known.change(layer, "reshape", layer.fields, *above.inputs)
