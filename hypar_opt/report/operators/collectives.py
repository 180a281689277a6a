"""The collectives that a plan of operators means, in tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.operators import movements
from hypar_opt.report.numbers import in_bytes
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.evaluation.operators import Movement
    from hypar_opt.report.operators.blocks import Blocks
    from hypar_opt.solver.operator_problem import OperatorProblem

PHASES = ("forward", "backward", "update")
"""Of a training step, in order."""


@dataclass(frozen=True)
class Moved:
    """What a plan moves in a step.

    Parameters
    ----------
    movements
        Those that move anything, recounted device by device.
    """

    movements: tuple[Movement, ...]

    @property
    def by_tensor(self) -> Mapping[tuple[str, str, str, str], tuple[Fraction, int]]:
        """Bytes and collectives by tensor, phase, kind and axis, in the order of the network."""
        found: dict[tuple[str, str, str, str], tuple[Fraction, int]] = {}
        for one in self.movements:
            key = (one.tensor, one.phase, one.kind, one.axis)
            moved, count = found.get(key, (Fraction(0), 0))
            found[key] = (moved + one.bytes, count + one.collectives)
        return found

    def totals(self) -> list[dict[str, Any]]:
        """Return bytes by kind, axis and phase, exact, a row a kind and axis."""
        found = Counter[tuple[str, str, str]]()
        for one in self.movements:
            found[one.kind, one.axis, one.phase] += one.bytes  # type: ignore[assignment]
        pairs = dict.fromkeys((kind, axis) for kind, axis, _ in found)
        return [
            {"kind": kind, "axis": axis, **{phase: exact(Fraction(found[kind, axis, phase])) for phase in PHASES}}
            for kind, axis in pairs
        ]


def moved_by(problem: OperatorProblem, strategies: Mapping[str, str]) -> Moved:
    """Return what a plan moves in a step."""
    one = problem.instance
    every = movements(one.graph, one.partition, problem.plan_of(strategies), one.links)
    return Moved(tuple(moved for moved in every if moved.bytes))


def collective_rows(moved: Moved, blocks: Blocks) -> list[dict[str, Any]]:
    """Return a row a tensor, phase, kind and axis, of equal ones in neighbouring blocks one together."""
    items = [
        (tensor, (phase, kind, axis, size, count))
        for (tensor, phase, kind, axis), (size, count) in moved.by_tensor.items()
    ]
    return [
        {
            "tensor": one.label,
            "phase": one.value[0],
            "collective": one.value[1],
            "axis": one.value[2],
            "calls": one.value[4] * len(one.names),
            "bytes": in_bytes(one.value[3] * len(one.names)),
        }
        for one in blocks.folded(items)
    ]


def total_rows(moved: Moved) -> list[dict[str, Any]]:
    """Return a row a kind and axis with the bytes of each phase, and one of all."""
    cells: dict[tuple[str, str], dict[str, Fraction]] = {}
    for one in moved.movements:
        for key in ((one.kind, one.axis), ("all", "")):
            row = cells.setdefault(key, dict.fromkeys((*PHASES, "step"), Fraction(0)))
            row[one.phase] += one.bytes
            row["step"] += one.bytes
    last = ("all", "")
    ordered: Iterable[tuple[str, str]] = (*(key for key in cells if key != last), *(key for key in cells if key == last))
    return [
        {"collective": kind, "axis": axis, **{name: in_bytes(size) for name, size in cells[kind, axis].items()}}
        for kind, axis in ordered
    ]
