"""Functions of the elements of one tensor that are written out: GELU by tanh, hard swish and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.importers.rules import PURE, LayerMap

if TYPE_CHECKING:
    from hypar_opt.importers.draft import DraftLayer

KINDS = (*PURE, "add", "multiply")


def one_function(known: LayerMap, layer: DraftLayer) -> None:
    """Have one activation for what a module computes of the elements of one tensor."""
    if layer.kind not in KINDS or len(layer.inputs) < 2:
        return
    inside: set[str] = set()
    roots = {_root(known, name, layer, inside) for name in layer.inputs}
    if len(roots) == 1 and _are_alike(known, inside, layer):
        known.change(layer, "activation" if inside else "elementwise", {}, roots.pop())


def _root(known: LayerMap, name: str, top: DraftLayer, inside: set[str]) -> str:
    """Return of which tensor a layer of the same module is a function, noting what lies between."""
    layer = known.get(name)
    if layer is None or layer.kind not in KINDS or _scope(layer) != _scope(top):
        return name
    roots = {_root(known, one, top, inside) for one in layer.inputs}
    if len(roots) != 1:
        return name
    inside.add(name)
    return roots.pop()


def _scope(layer: DraftLayer) -> str:
    """Return the module within which functions are put together; names without a dot are those of operators alone."""
    return layer.module if "." in layer.module else ""


def _are_alike(known: LayerMap, inside: set[str], layer: DraftLayer) -> bool:
    """Return whether nothing else reads what lies between."""
    within = [name for one in (*inside, layer.name) for name in known[one].inputs]
    return all(known.readers(name) == within.count(name) for name in inside)
