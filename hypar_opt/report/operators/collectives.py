"""The collectives that a plan of operators means, in tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.phases import shown_phases
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.evaluation.operators import Movement, OperatorStep, Phase
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.report.operators.blocks import RepeatedBlocks

STATISTIC = ":statistic"
"""What the evaluator calls an operator's sums, behind its name."""


@dataclass(frozen=True)
class MovedPart:
    """Where bytes are counted.

    Parameters
    ----------
    layer, what
        The operator that writes or has what is moved, and what of it that is.
    phase, kind, axis
        When, as what, and along which axis.
    """

    layer: str
    what: str
    phase: str
    kind: str
    axis: str


@dataclass(frozen=True)
class Moved:
    """What a plan moves in a step.

    Parameters
    ----------
    movements
        Those that move anything, recounted device by device.
    times
        For how many blocks in a row each stands; for one where nothing is said.
    """

    movements: tuple[Movement, ...]
    times: tuple[int, ...] = ()

    @staticmethod
    def of(step: OperatorStep, blocks: RepeatedBlocks) -> Moved:
        """Return what a step moves, once where blocks in a row do the same and are said together."""
        if blocks.spread is None:
            return Moved(step.movements)
        found = step.few_movements
        return Moved(tuple(one for one, _ in found), tuple(times for _, times in found))

    @property
    def _rows(self) -> Iterable[tuple[Movement, int]]:
        return zip(self.movements, self.times or (1,) * len(self.movements), strict=True)

    def blocks_of(self, graph: OperatorGraph) -> Mapping[str, int]:
        """Return by layer for how many blocks in a row it stands, if for several."""
        return {_whose(one, graph)[0]: times for one, times in self._rows if times > 1}

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Of a training step, in order, as tables have them."""
        return shown_phases(one.phase for one in self.movements)

    def by_layer(self, graph: OperatorGraph) -> Mapping[MovedPart, tuple[Fraction, int]]:
        """Return bytes and collectives by layer, what of it, phase, kind and axis, in the order of the network."""
        found: dict[MovedPart, tuple[Fraction, int]] = {}
        for one in self.movements:
            layer, what = _whose(one, graph)
            place = MovedPart(layer, what, one.phase, one.kind, one.axis)
            if place in found:
                moved, count = found[place]
                found[place] = (moved + one.bytes, count + one.collectives)
            else:
                found[place] = (one.bytes, one.collectives)
        return found

    def totals(self) -> list[dict[str, Any]]:
        """Return bytes by kind, axis and phase, exact, a row a kind and axis."""
        found, zero = self.sums, Fraction(0)
        pairs = dict.fromkeys((kind, axis) for kind, axis, _ in found)
        return [
            {
                "kind": kind,
                "axis": axis,
                **{phase: exact(found.get((kind, axis, phase), zero)) for phase in self.phases},
            }
            for kind, axis in pairs
        ]

    @cached_property
    def sums(self) -> Mapping[tuple[str, str, str], Fraction]:
        """Bytes by kind, axis and phase."""
        counts = Counter[tuple[str, str, str, int, int]]()
        for one, times in self._rows:  # whole numbers are hashed at once
            counts[one.kind, one.axis, one.phase, *one.bytes.as_integer_ratio()] += times
        found: dict[tuple[str, str, str], Fraction] = {}
        for (kind, axis, phase, *ratio), count in counts.items():
            found[kind, axis, phase] = found.get((kind, axis, phase), Fraction(0)) + Fraction(*ratio) * count
        return found


def owner_of(one: Movement, graph: OperatorGraph) -> str:
    """Return the operator whose movement it is: that which writes the tensor, or reads it first, or has the sums."""
    if one.tensor not in graph.tensors:
        return one.tensor.removesuffix(STATISTIC)
    writer = graph.writers.get(one.tensor)
    return graph.operators[graph.readers[one.tensor][0][0] if writer is None else writer].name


def _whose(one: Movement, graph: OperatorGraph) -> tuple[str, str]:
    """Return whose tensor is moved, and what it is of that."""
    if one.tensor not in graph.tensors:
        return one.tensor.removesuffix(STATISTIC), "statistics"
    if graph.tensors[one.tensor].role == "parameter":
        return one.tensor.rpartition(".")[0] or one.tensor, "parameters"
    return one.tensor, "gradient" if one.phase == "backward" else "output"


def collective_rows(moved: Moved, graph: OperatorGraph, blocks: RepeatedBlocks) -> list[dict[str, Any]]:
    """Return a row a layer, phase, kind and axis, of equal ones in neighbouring blocks one together."""
    items = [
        (place.layer, (replace(place, layer=""), size, count)) for place, (size, count) in moved.by_layer(graph).items()
    ]
    rows: list[dict[str, Any]] = []
    for one in blocks.folded(items, moved.blocks_of(graph)):
        place, size, count = one.value
        row: dict[str, Any] = {
            "operator": one.label,
            "moved": place.what,
            "phase": place.phase,
            "collective": place.kind,
        }
        row |= {"axis": place.axis, "calls": count * len(one.names) or "-", "bytes": in_bytes(size * len(one.names))}
        rows.append(row)
    return rows


def total_rows(moved: Moved) -> list[dict[str, Any]]:
    """Return a row a kind and axis with the bytes of each phase, and one of all."""
    cells: dict[tuple[str, str], dict[str, Fraction]] = {}
    for (kind, axis, phase), size in moved.sums.items():
        for key in ((kind, axis), ("all", "")):
            row = cells.setdefault(key, dict.fromkeys((*moved.phases, "step"), Fraction(0)))
            row[phase] += size
            row["step"] += size
    last = ("all", "")
    ordered: Iterable[tuple[str, str]] = (
        *(key for key in cells if key != last),
        *(key for key in cells if key == last),
    )
    return [
        {"collective": kind, "axis": axis, **{name: in_bytes(size) for name, size in cells[kind, axis].items()}}
        for kind, axis in ordered
    ]
