"""Names of layers: those of the framework's modules where they have one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.limits import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.importers.graph import Node

ODD: Final = re.compile(r"[^A-Za-z0-9_.\-/\[\]]+")
VIEWS: Final = ("reshape", "transpose", "expand", "split", "part")
"""Layers that move numbers about only, which no module is called after."""
TAKEN: Final = ("input", "block")
"""What means something else where layers are read."""


@dataclass
class Names:
    """Names that are taken, and modules that have others inside.

    Parameters
    ----------
    leaves
        Modules that have no other inside.
    """

    leaves: frozenset[str]
    taken: Counter[str] = field(default_factory=Counter)

    def layer(self, node: Node | None, what: str) -> str:
        """Return a name for a layer that is not taken."""
        module = "" if node is None else clean(node.module)
        is_own = module in self.leaves and module not in self.taken and what not in VIEWS
        wanted = module if is_own else _joined(module, clean(what))
        wanted = wanted[-(LONGEST_NAME - 8) :]
        name, number = wanted, 2
        while name in self.taken or name in TAKEN:
            name, number = f"{wanted}_{number}", number + 1
        return name

    def take(self, name: str) -> None:
        """Note that a layer has a name."""
        self.taken[name] += 1


def names_of(nodes: Iterable[Node]) -> Names:
    """Return names for the layers of operators."""
    modules = {clean(node.module) for node in nodes} - {""}
    inner = {module[:place] for module in modules for place, letter in enumerate(module) if letter == "."}
    return Names(frozenset(modules - inner))


def clean(text: str) -> str:
    """Return a name without characters that mean something else, as `:` does in plans."""
    return ODD.sub("_", text).strip("._/")


def _joined(module: str, what: str) -> str:
    return f"{module}.{what}" if module else what
