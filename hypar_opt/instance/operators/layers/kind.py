"""What a kind of layer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value

Build: TypeAlias = "Callable[[Maker, Any, Sequence[Value]], Value | None]"
"""From what a layer is made with, its fields and what it reads to its output; raises `ShapeError`."""


def _one(_: Any) -> int:
    return 1


@dataclass(frozen=True)
class Kind:
    """A kind of layer.

    Parameters
    ----------
    name
        In instance files.
    about
        What it does, for the schema.
    spec
        Its fields, a `Spec`, or the type of what stands instead of fields.
    build
        Infers the shape of its output, and notes its operators; None is returned where nobody can read it.
    least, most
        How many tensors it reads; `most` is None where there may be any number.
    parts
        From its fields to how many outputs it has.
    """

    name: str
    about: str
    spec: Any
    build: Build
    least: int = 1
    most: int | None = 1
    parts: Callable[[Any], int] = _one

    def arity_fault(self, count: int) -> str | None:
        """Return why a layer cannot read so many tensors, or None."""
        if self.least <= count <= (count if self.most is None else self.most):
            return None
        words = {0: "no tensor", 1: "one tensor", 2: "two tensors", 3: "three tensors"}
        if self.most is None:
            return f"{self.name} reads {words[self.least]} or more, got {count}"
        between = (
            " to ".join(words[n].split()[0] for n in range(self.least, self.most)) if self.least < self.most else ""
        )
        return f"{self.name} reads {between + ' to ' if between else ''}{words[self.most]}, got {count}"
