"""How kinds of accelerators fill the leaves of the partition: by groups of it, by nodes of the topology, by counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.instance.mixed_kinds import KindSpec, Node

_BITS: Final = re.compile("[01]*")
_NUMBERED: Final = re.compile(r"a(0|[1-9][0-9]{,18})")
_ALL: Final = ("root", "")
"""How the group of all leaves is addressed."""


class KindsMisfit(NamedTuple):
    """Why kinds do not fill the leaves: where in the array, and what is wrong."""

    path: FieldPath
    message: str


def types_of(
    kinds: Sequence[KindSpec], levels: int, standing: Sequence[tuple[Node, ...]]
) -> tuple[int, ...] | KindsMisfit:
    """Return by leaf the position of its kind; or why the kinds do not fill the leaves, once each.

    Parameters
    ----------
    standing
        By leaf, what the accelerator that it stands on may be called: its name, and its position where that is known.
    """
    leaves: list[int | None] = [None] * 2**levels
    misfit = (
        _by_groups(kinds, levels, leaves) or _by_nodes(kinds, standing, leaves) or _by_counts(kinds, levels, leaves)
    )
    if misfit is not None:
        return misfit
    return tuple(kind for kind in leaves if kind is not None)


def node_misfit(kinds: Sequence[KindSpec], names: tuple[str, ...] | int) -> KindsMisfit | None:
    """Return which node of a kind is no accelerator, or is one that was named before; or None.

    Parameters
    ----------
    names
        Of the accelerators; how many there are where they are called a0, a1, ...
    """
    count = names if isinstance(names, int) else len(names)
    position = None if isinstance(names, int) else {name: place for place, name in enumerate(names)}
    named: dict[int, tuple[int, Node]] = {}
    for place, kind in enumerate(kinds):
        for number, node in enumerate(kind.nodes or ()):
            at = ("accelerators", place, "nodes", number)
            found = node if isinstance(node, int) else numbered(node) if position is None else position.get(node, -1)
            if not 0 <= found < count:
                return KindsMisfit(at, f"expected an accelerator, got {shown(node)}{_hint(node, names)}")
            if found in named:
                other, before = named[found]
                whose = f" to {shown(kinds[other].kind)}" if other != place else ""
                called = "" if before == node else f" as {shown(before)}"
                return KindsMisfit(
                    at, f"expected every accelerator once, and {shown(node)} is given{whose} already{called}"
                )
            named[found] = place, node
    return None


def numbered(name: str) -> int:
    """Return the position of an accelerator that is called a0, a1, ...; -1 of what is no such name."""
    return int(name[1:]) if _NUMBERED.fullmatch(name) else -1


def _hint(node: Node, names: tuple[str, ...] | int) -> str:
    if isinstance(node, str) and not isinstance(names, int):
        return nearest(node, names)
    count, mark = names if isinstance(names, int) else len(names), "a" if isinstance(node, str) else ""
    return f"; there are {mark}0 to {mark}{count - 1}"


def _by_groups(kinds: Sequence[KindSpec], levels: int, leaves: list[int | None]) -> KindsMisfit | None:
    """Give every kind with groups the leaves of these."""
    for place, kind in enumerate(kinds):
        for number, said in enumerate(kind.groups or ()):
            at = ("accelerators", place, "groups", number)
            address = "" if said in _ALL else said
            if not _BITS.fullmatch(address) or len(address) > levels:
                known = list(_addresses(levels)) if levels <= 4 else []  # the nearest of a few
                hint = did_you_mean(said, known)
                return KindsMisfit(at, f"expected a group: root, or at most {levels} bits, got {shown(said)}{hint}")
            size = 2 ** (levels - len(address))
            first = int(address, 2) * size if address else 0
            taken = next((leaf for leaf in range(first, first + size) if leaves[leaf] is not None), None)
            if taken is not None:
                other = kinds[leaves[taken] or 0].kind
                whose = "twice" if leaves[taken] == place else f"to {shown(other)} already"
                return KindsMisfit(
                    at, f"expected every leaf once, and leaf {taken} of group {shown(said)} is given {whose}"
                )
            leaves[first : first + size] = [place] * size
    return None


def _addresses(levels: int) -> Iterator[str]:
    yield "root"
    for length in range(1, levels + 1):
        yield from (f"{number:0{length}b}" for number in range(2**length))


def _by_nodes(
    kinds: Sequence[KindSpec], standing: Sequence[tuple[Node, ...]], leaves: list[int | None]
) -> KindsMisfit | None:
    """Give every kind with nodes the leaves that stand on these; there may be nodes on which none does."""
    leaf_on = {name: leaf for leaf, names in enumerate(standing[: len(leaves)]) for name in names}
    for place, kind in enumerate(kinds):
        here = [leaf_on[node] for node in kind.nodes or () if node in leaf_on]
        if kind.nodes is not None and not here:
            return KindsMisfit(
                ("accelerators", place, "nodes"),
                f"expected an accelerator that a leaf stands on, got none of {shown(kind.kind)}",
            )
        for leaf in here:
            taken = leaves[leaf]
            if taken is not None and taken != place:
                number = next(i for i, node in enumerate(kind.nodes or ()) if leaf_on.get(node) == leaf)
                which = f"leaf {leaf}, which stands on {shown(standing[leaf][0])},"
                given = f"expected every leaf once, and {which} is given to {shown(kinds[taken].kind)} already"
                return KindsMisfit(("accelerators", place, "nodes", number), given)
            leaves[leaf] = place
    return None


def _by_counts(kinds: Sequence[KindSpec], levels: int, leaves: list[int | None]) -> KindsMisfit | None:
    """Give every kind with a count the next leaves that are free."""
    free = [leaf for leaf, kind in enumerate(leaves) if kind is None]
    wanted = sum(kind.count or 0 for kind in kinds)
    if wanted != len(free):
        counts = ", ".join(f"{kind.count:,} {kind.kind}" for kind in kinds if kind.count is not None)
        ways = " and ".join(way for way in ("groups", "nodes") if any(getattr(kind, way) for kind in kinds))
        beside = f" beside those of {ways}" if len(free) < len(leaves) else ""
        got = f"{wanted:,} ({counts})" if wanted else "none"
        many = f"{len(free):,} accelerator{'' if len(free) == 1 else 's'}"
        expected = f"expected {many}{beside}, one for every leaf of {levels} level{'' if levels == 1 else 's'}"
        return KindsMisfit(("accelerators",), f"{expected}, got {got}")
    for place, kind in enumerate(kinds):
        for leaf in free[: kind.count or 0]:
            leaves[leaf] = place
        del free[: kind.count or 0]
    return None
