"""What a framework's own partitioner moves from each placement to each other, counted in one small program a pair."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.count import conversion_child
from hypar_opt.count.hlo import collectives
from hypar_opt.count.jax_process import UNOPTIMISED, run_jax
from hypar_opt.count.received import Mesh, received
from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, AxisPlacement
from hypar_opt.export.jax.constraints import reduced
from hypar_opt.instance.operators.conversion_tables import SCHEMA, ConversionTable, every_pair, size_text
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement

Moved: TypeAlias = "Mapping[tuple[str, int], Fraction]"
"""By kind of collective and number of an axis, what all devices together receive, the whole tensor being one."""
UNSPLIT: Final = {"R": WHOLE, "P": PARTIAL}
ELEMENT_BYTES: Final = 4
AT_ONCE: Final = 40
"""How many programs one process compiles."""
SECONDS: Final = 10.0
"""How long a program may take to be compiled, by far."""


def count_pairs(pairs: Sequence[str], axes: Sequence[int]) -> tuple[str, tuple[Moved, ...]]:
    """Return the framework's version and what is moved for each pair, all compiled by one process.

    Parameters
    ----------
    pairs
        From where to where, as tables have them.
    axes
        Their sizes, outermost first.

    Raises
    ------
    MissingPackage
        If JAX is not installed.
    Refusal
        If one could not be compiled.
    """
    require("jax")
    with TemporaryDirectory(prefix="hypar-opt-") as folder:
        given, output = Path(folder, "ways.json"), Path(folder, "found.json")
        given.write_text(json.dumps({"axes": list(axes), "ways": list(map(_way, pairs))}), encoding="utf-8")
        seconds = 60.0 + SECONDS * len(pairs)
        run_jax(conversion_child.__file__, [str(given), str(output)], prod(axes), seconds, UNOPTIMISED)
        found = json.loads(output.read_text(encoding="utf-8"))
    moved = (_moved(pair, lines, axes) for pair, lines in zip(pairs, found["found"], strict=True))
    return found["version"], tuple(moved)


def _way(pair: str) -> tuple[str, str, str]:
    """Return a pair's placements, and between them that behind the reduction of partial sums."""
    have, need = pair.split(">")
    between = reduced(_placement(have), _placement(need))
    return have, "".join("R" if one.position is None else str(one.position) for one in between), need


def _placement(letters: str) -> Placement:
    return tuple(UNSPLIT.get(one) or AxisPlacement(int(one)) for one in letters)


def _moved(pair: str, lines: Iterable[str], axes: Sequence[int]) -> Moved:
    """Return what a program's collectives are of the tensor, whose dimensions have a number a device each."""
    dims = 1 + max((int(one) for one in pair if one.isdigit()), default=0)
    mesh = Mesh(tuple(axes), tuple(reversed(range(len(axes)))))
    found: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    for one in collectives("\n".join(lines), prod(axes)):
        for (_, axis), size in received(one, mesh, ELEMENT_BYTES).items():
            found[one.kind, axis] += size / (ELEMENT_BYTES * prod(axes) ** dims)
    return found


def count_table(
    axes: Sequence[int],
    known: ConversionTable | None,
    save: Callable[[ConversionTable], None],
    tell: Callable[[int, int], None] | None = None,
) -> ConversionTable:
    """Return the table of axes of some sizes, counted pair by pair.

    Parameters
    ----------
    axes
        Their sizes, outermost first.
    known
        What is counted already.
    save
        Is handed what there is each time that some pairs were counted.
    tell
        Is told how many pairs are counted, and how many there are.

    Raises
    ------
    MissingPackage
        If JAX is not installed.
    InputError
        If what is known is of other axes, or of another version of JAX.
    Refusal
        If a program could not be compiled.
    """
    found = {} if known is None else dict(known.pairs)
    if known is not None and known.axes != tuple(axes):
        raise InputError(f"is of axes {size_text(known.axes)}, expected {size_text(axes)}", field="axes")
    every, table = tuple(every_pair(len(axes))), known
    left = [pair for pair in every if pair not in found]
    while left:
        some, left = left[:AT_ONCE], left[AT_ONCE:]
        version, moved = count_pairs(some, axes)
        if known is not None and known.version != version:
            text = f"is of {known.title}, and version {version} is installed; another file is begun for that"
            raise InputError(text, field="version")
        found |= {pair: _shares(one) for pair, one in zip(some, moved, strict=True)}
        table = ConversionTable(
            schema=SCHEMA, framework="jax-gspmd", version=version, axes=tuple(axes),
            pairs={pair: found[pair] for pair in every if pair in found},
        )  # fmt: skip
        save(table)
        if tell is not None:
            tell(len(found), len(every))
    assert table is not None  # there are pairs on any axes
    return table


def _shares(moved: Moved) -> tuple[tuple[str, int, str], ...]:
    return tuple((kind, axis, str(share)) for (kind, axis), share in sorted(moved.items()) if share)


def table_text(table: ConversionTable) -> str:
    """Return the text of a table's file, a line a pair."""
    pairs = (f"    {json.dumps(pair)}: {json.dumps(shares)}" for pair, shares in table.pairs.items())
    head = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in (
        ("schema", SCHEMA), ("framework", table.framework), ("version", table.version), ("axes", table.axes)
    ))  # fmt: skip
    return "{\n" + ",\n".join((*head, '  "pairs": {\n' + ",\n".join(pairs) + "\n  }")) + "\n}\n"
