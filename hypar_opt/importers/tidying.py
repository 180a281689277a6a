"""Layers that stand for one: functions of the same elements, softmax and normalisations written out, packed matrices.

Frameworks write functions out that they have no operator for. Each rule finds one such in what was read, and leaves a
layer that has the name of the last, which others read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.importers.rules import LayerMap
from hypar_opt.importers.rules.called import called_after_modules
from hypar_opt.importers.rules.functions import one_function
from hypar_opt.importers.rules.norms import layer_norm, rms_norm, scaled_norm
from hypar_opt.importers.rules.packed import unpacked
from hypar_opt.importers.rules.softmax import softmax
from hypar_opt.importers.rules.views import one_view

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.importers.draft import DraftLayer

RULES: Final[tuple[Callable[[LayerMap, DraftLayer], None], ...]] = (
    one_function,
    softmax,
    rms_norm,
    layer_norm,
    scaled_norm,
    unpacked,
    one_view,
)
"""In the order in which they are tried, each of every layer."""


def tidied(layers: Sequence[DraftLayer], outputs: Sequence[str]) -> tuple[DraftLayer, ...]:
    """Return layers of which none stands for a part of what one says.

    Parameters
    ----------
    layers
        Each after those that it reads.
    outputs
        Those that the model returns.
    """
    known = LayerMap(layers, outputs)
    for rule in RULES:
        for layer in known.all():
            if layer.name in known:
                rule(known, known[layer.name])
        known.prune()
    return called_after_modules(known.all(), outputs)
