"""Reads the collectives of a program from the text of its optimised HLO; nothing but the text is needed.

XLA writes an instruction a line: `%name = TYPE kind(operands), attributes`. Groups of devices come listed,
`replica_groups={{0,1},{2,3}}`; as an array of numbers, `[2,2]<=[2,2]T(1,0)`: those below 4 in the shape [2,2],
transposed, in rows of two; or by a mesh's axes, `mesh['a'=2,'b'=2] {'a'}`. Several may be one: results are then tuples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HloKind: TypeAlias = Literal["all-reduce", "reduce-scatter", "all-gather", "all-to-all", "collective-permute"]
"""What XLA calls a collective."""
Groups: TypeAlias = tuple[tuple[int, ...], ...]
"""Devices by their numbers in the program; of a permutation each giver with its taker."""
ELEMENT_BYTES: Final[Mapping[str, int]] = {
    "pred": 1, "s8": 1, "u8": 1, "f8e4m3fn": 1, "f8e5m2": 1, "s16": 2, "u16": 2, "f16": 2, "bf16": 2, "s32": 4,
    "u32": 4, "f32": 4, "s64": 8, "u64": 8, "f64": 8, "c64": 8, "c128": 16,
}  # fmt: skip
KINDS: Final = "all-reduce|reduce-scatter|all-gather|all-to-all|collective-permute"
INSTRUCTION: Final = re.compile(
    rf"^\s*(?:ROOT )?%?[\w.\-]+ = (?P<type>\(.*?\)|\S+) (?P<kind>{KINDS})(?P<start>-start)?\((?P<rest>.*)$"
)
SHAPE: Final = re.compile(r"([a-z]\w*)\[([\d,]*)\]")
OP_NAME: Final = re.compile(r'op_name="((?:[^"\\]|\\.)*)"')
LISTED: Final = re.compile(r"(?:replica_groups|source_target_pairs)=\{(\{[\d,{} ]*\})?\}")
COMPUTED: Final = re.compile(r"replica_groups=\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?")
MESHED: Final = re.compile(
    r"replica_groups=@?mesh\[(?P<axes>[^\]]*)\](?:,? ?device_ids=\((?P<ids>[^()]*(?:\([\d,]*\))?)\))? ?"
    r"\{(?P<names>[^}]*)\}"
)
MESH_AXIS: Final = re.compile(r"'?([\w.\-]+)'?=(\d+)")
MESH_PART: Final = re.compile(r"'?([A-Za-z_][\w.\-]*)'?(?::\((\d+)\)(\d+))?")


@dataclass(frozen=True)
class Collective:
    """A collective of a program, that every device calls.

    Parameters
    ----------
    kind
        What XLA calls it.
    groups
        Who takes part.
    bytes
        Of its result on each device.
    elements
        As many numbers are that.
    op_name
        Where in the traced program it comes from.
    """

    kind: HloKind
    groups: Groups
    bytes: int
    elements: int
    op_name: str


def collectives(text: str, devices: int) -> tuple[Collective, ...]:
    """Return the collectives of a program, in the order of its text.

    Parameters
    ----------
    text
        Of the optimised module.
    devices
        How many there are.

    Raises
    ------
    ValueError
        If groups, or a type, are written in a way that is not known; with the line.
    """
    found = (INSTRUCTION.match(line) for line in text.splitlines())
    return tuple(_collective(one, devices) for one in found if one is not None)


def _collective(found: re.Match[str], devices: int) -> Collective:
    kind: HloKind = cast("HloKind", found["kind"])
    shapes = list(_shapes(found["type"], found[0]))
    if found["start"] and kind != "all-reduce":  # operand and result, and what a runtime waits for
        numbers = [one for one in shapes if one[1] or one[0] not in ("u32", "s32")]
        shapes = numbers[len(numbers) // 2 :]
    sizes = [(prod(shape), ELEMENT_BYTES[kind_of]) for kind_of, shape in shapes]
    name = OP_NAME.search(found["rest"])
    return Collective(
        kind,
        _groups(found["rest"], kind, devices, found[0]),
        sum(count * size for count, size in sizes),
        sum(count for count, _ in sizes),
        name[1] if name else "",
    )


def _shapes(text: str, line: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield type and sizes of each part of a result."""
    for kind, sizes in SHAPE.findall(text):
        if kind not in ELEMENT_BYTES:
            raise ValueError(f"numbers of an unknown type '{kind}': {line.strip()[:200]}")
        yield kind, _numbers(sizes)


def _groups(text: str, kind: HloKind, devices: int, line: str) -> Groups:
    listed, computed, meshed = LISTED.search(text), COMPUTED.search(text), MESHED.search(text)
    if computed is not None:
        shape, among, order = (_numbers(one or "") for one in computed.groups())
        return _rows(np.arange(prod(among)).reshape(among).transpose(order or None).reshape(shape))
    if meshed is not None:
        return _of_mesh(meshed)
    if listed is not None and listed[1]:
        return tuple(_numbers(one) for one in re.findall(r"\{([\d, ]*)\}", listed[1]))
    if listed is not None:
        return () if kind == "collective-permute" else (tuple(range(devices)),)
    raise ValueError(f"groups of devices that are written in an unknown way: {line.strip()[:300]}")


def _of_mesh(found: re.Match[str]) -> Groups:
    """Return the devices that differ along some axes of a mesh alone.

    'a':(2)3 is the part of an axis that has 3 places, each of which stands within one of 2. Devices are in order,
    listed, or numbers in a shape that is transposed, [2,4]T(1,0) or as groups are.
    """
    axes = {name: int(size) for name, size in MESH_AXIS.findall(found["axes"])}
    ids = np.arange(prod(axes.values()))
    if found["ids"]:
        head, bracketed, order = found["ids"].partition("T(")
        shape = _numbers(head.rpartition("<=")[2])
        if bracketed or "<=" in head or "[" in head:
            ids = np.arange(prod(shape)).reshape(shape).transpose(_numbers(order) or None).reshape(-1)
        else:
            ids = np.array(shape)
    parts, along = list[int](), list[int]()
    named = {name: (int(before or 1), int(size) if size else axes[name])
             for name, before, size in MESH_PART.findall(found["names"])}  # fmt: skip
    for name, length in axes.items():
        before, size = named.get(name, (1, length))
        along += [len(parts) + 1] if name in named else []
        parts += [before, size, length // (before * size)]
    places = [place for place in range(len(parts)) if place not in along]
    return _rows(ids.reshape(parts).transpose(places + along).reshape(-1, prod(parts[place] for place in along)))


def _rows(numbers: np.ndarray) -> Groups:
    return tuple(tuple(int(one) for one in row) for row in numbers)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in re.findall(r"\d+", text))
