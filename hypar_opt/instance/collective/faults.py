"""What fields of a collective's file say that do not fit each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.instance.array import hint_of, names_of, own_fault
from hypar_opt.instance.collective.chunks import chunk_count
from hypar_opt.instance.objective.components import links_lack
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.collective.schema import CollectiveSpec

Misfit: TypeAlias = tuple[FieldPath, str]
"""Where, and what is wrong."""
MOST_ACCELERATORS: Final = 1024
"""Between every two of which the way is looked for."""
MOST_CHUNKS: Final = 2**20
"""In all, of which each has sends of its own."""


def misfit(spec: CollectiveSpec) -> Misfit | None:
    """Return the first thing that does not fit, or None."""
    return next(_misfits(spec), None)


def _misfits(spec: CollectiveSpec) -> Iterator[Misfit]:
    if spec.array.kinds:
        yield ("array", "accelerators"), "expected how many accelerators there are, got kinds: they move data alike"
    if spec.array.collectives is not None:
        yield ("array", "collectives"), "is how networks exchange partial sums; here the file says what is exchanged"
    wrong = own_fault(spec.array)
    if wrong is not None:
        yield wrong
        return
    found = names_of(spec.array)
    count = found if isinstance(found, int) else len(found)
    if count > MOST_ACCELERATORS:
        yield ("array",), f"expected at most {MOST_ACCELERATORS:,} accelerators, got {count:,}"
        return
    names = tuple(f"a{i}" for i in range(found)) if isinstance(found, int) else found
    yield from _of_group(spec, names, found)
    yield from _of_root(spec, names)
    members = count if spec.group is None else len(spec.group)
    chunks = chunk_count(spec.collective, members, spec.chunks)
    if chunks > MOST_CHUNKS:
        yield ("chunks",), f"expected at most {MOST_CHUNKS:,} chunks in all, got {chunks:,}"
    if chunks > spec.bytes_:
        yield ("bytes",), f"expected at least a byte for each of the {chunks:,} chunks, got {spec.bytes_:,} in all"
    if (spec.steps is None) == (spec.objective == "rounds"):
        said = "missing, and rounds are of so many steps" if spec.steps is None else "only rounds are of given steps"
        yield ("steps",), f"{said}; expected steps with the objective rounds, and with no other"
    timed = spec.objective in ("time", "bandwidth")
    lacking = links_lack(spec.array, "link", "bandwidth", spec.objective) if timed else None
    if lacking is not None:
        yield lacking


def _of_group(spec: CollectiveSpec, names: tuple[str, ...], found: tuple[str, ...] | int) -> Iterator[Misfit]:
    members = names if spec.group is None else spec.group
    if len(members) < 2:
        yield ("array" if spec.group is None else "group",), f"expected at least 2 accelerators, got {len(members)}"
    known = frozenset(names)
    for place, name in enumerate(spec.group or ()):
        if name not in known:
            yield ("group", place), f"expected an accelerator, got {shown(name)}{hint_of(name, found)}"
        if name in members[:place]:
            yield ("group", place), f"{shown(name)} is there twice"


def _of_root(spec: CollectiveSpec, names: tuple[str, ...]) -> Iterator[Misfit]:
    members = names if spec.group is None else spec.group
    if spec.collective != "broadcast":
        if spec.root is not None:
            yield ("root",), f"only a broadcast has a root, and this is {shown(spec.collective)}"
    elif spec.root is None:
        yield ("root",), "missing (the accelerator that has what is broadcast)"
    elif spec.root not in members:
        said = f"expected an accelerator of the group, got {shown(spec.root)}"
        yield ("root",), f"{said}{nearest(spec.root, members)}"
