"""Functions of the elements of one tensor that are written out: GELU by tanh, hard swish and the like."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.rules import PURE, LayerMap

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hypar_opt.importers.draft import DraftLayer

KINDS = (*PURE, "add", "multiply")
TELLING: Final[Mapping[str, str]] = MappingProxyType(
    {"erf": "gelu", "tanh": "gelu_tanh", "sigmoid": "silu", "relu6": "hard_swish", "hard_sigmoid": "hard_swish"}
)
"""By a function inside, the activation that is written out with it."""


def one_function(known: LayerMap, layer: DraftLayer) -> None:
    """Have one activation for what a module computes of the elements of one tensor."""
    if layer.kind not in KINDS or len(layer.inputs) < 2:
        return
    inside: set[str] = set()
    roots = {_root(known, name, layer, inside) for name in layer.inputs}
    if len(roots) == 1 and _are_alike(known, inside, layer):
        kind, fields = ("activation", _written_out(known, inside)) if inside else ("elementwise", _of_itself(layer))
        known.change(layer, kind, fields, roots.pop())


def _of_itself(layer: DraftLayer) -> dict[str, str]:
    """Return the fields of what reads one tensor several times."""
    is_square = layer.kind == "multiply" and len(layer.inputs) == 2
    return {"function": "square"} if is_square else {}


def _written_out(known: LayerMap, inside: Collection[str]) -> dict[str, str]:
    """Return the fields of an activation that is written out, by the one function in it that tells which it is."""
    found = {said for name in inside for said in known[name].fields.values() if said in TELLING}
    kinds = {TELLING[one] for one in found}
    return {"kind": kinds.pop()} if len(kinds) == 1 else {}


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
