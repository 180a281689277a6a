"""Random instances that no worker lived through: they have no rows, are in no tally, and are tried again next time."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class SetAside:
    """An instance whose measuring killed its workers.

    Parameters
    ----------
    index
        In its family.
    accountings
        Under which it was to be measured; one of them may be what kills, the first stands in the document.
    document
        The instance, everything inline.
    drawing
        A Python program of one line that prints the same instance as a file.
    why
        What became of the workers.
    """

    index: int
    accountings: tuple[str, ...]
    document: Mapping[str, Any]
    drawing: str
    why: str


def spelled(family: Any, presets: Mapping[str, Any], preset: str) -> str:
    """Return a Python expression of a family: by what it has other than the preset of its name.

    Parameters
    ----------
    family
        A dataclass with a name.
    presets
        By name, of the same class.
    preset
        The function that returns one by its name.
    """
    named = presets.get(family.name)
    if named is None:
        return repr(family)
    changed = [(one.name, getattr(family, one.name)) for one in fields(family)]
    told = "".join(f", {name}={value!r}" for name, value in changed if value != getattr(named, name))
    known = f"{preset}({family.name!r})"
    return f"replace({known}{told})" if told else known
