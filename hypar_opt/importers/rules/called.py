"""Names of modules for layers that alone are left of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.importers.naming import VIEWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.importers.draft import DraftLayer


def called_after_modules(layers: Sequence[DraftLayer], outputs: Sequence[str]) -> tuple[DraftLayer, ...]:
    """Return layers that have the name of their module where no other layer of it, or within it, is left.

    Parameters
    ----------
    outputs
        Those that the model returns, which keep their names.
    """
    count = Counter(one.module for one in layers)
    inner = {one.module[:place] for one in layers for place, letter in enumerate(one.module) if letter == "."}
    taken = {one.name for one in layers}
    alone = [one for one in layers if one.module and count[one.module] == 1 and one.module not in taken | inner]
    names = {one.name: one.module for one in alone if one.kind not in VIEWS and one.name not in outputs}
    return tuple(
        replace(
            one,
            name=names.get(one.name, one.name),
            inputs=tuple(names.get(name, name) for name in one.inputs),
            shared=None if one.shared is None else names.get(one.shared, one.shared),
        )
        for one in layers
    )
