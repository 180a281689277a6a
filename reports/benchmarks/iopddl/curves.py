"""How cost and bound moved: a row an improvement, and one for the end of each run, in a CSV file of its own."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.improvements import Course
from hypar_opt.report.tables import csv_lines
from hypar_opt.solver.improvements import Improvement
from hypar_opt.util.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PLAN, BOUND, END = "plan", "bound", "end"
KINDS: Final = {"incumbent": PLAN, "bound": BOUND}
"""What a line of a log is about, by its event."""
VERIFIED, RECOUNTED, TOLD = "verify", "graph", "search"
"""What a value rests on: `hypar-opt verify`; the graph as it was read, on which the plan is allowed and summed up anew
when it is told; the word of the search."""
KEY: Final = ("instance", "method", "seed", "limit s")
COLUMNS: Final = (*KEY, "time s", "kind", "value", "rests on", "load", "commit")


@dataclass(frozen=True)
class Move:
    """A better plan or bound of a run.

    Parameters
    ----------
    time_s
        Since the process began, reading included.
    kind
        `plan` or `bound`.
    value
        The cost, or the bound.
    rests_on
        As above.
    """

    time_s: float
    kind: str
    value: int
    rests_on: str = TOLD


@dataclass(frozen=True)
class Curve:
    """How a run went.

    Parameters
    ----------
    instance, method, seed, limit_s
        Which run.
    moves
        In the order of time, each better than those before.
    end_s
        When the process ended.
    status
        How.
    load
        How many processes wanted to run on the machine when it began, an average of a minute.
    commit
        Of this project.
    """

    instance: str
    method: str
    seed: int
    limit_s: float
    moves: tuple[Move, ...]
    end_s: float
    status: str
    load: float
    commit: str

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What tells runs apart."""
        return self.instance, self.method, self.seed, f"{self.limit_s:g}"

    @property
    def plans(self) -> tuple[Move, ...]:
        """The better plans."""
        return tuple(one for one in self.moves if one.kind == PLAN)

    def course(self, name: str) -> Course:
        """Return the same as charts draw it."""
        fields = {PLAN: "cost", BOUND: "bound"}
        told = [Improvement(one.time_s, **{fields[one.kind]: Fraction(one.value)}) for one in self.moves]
        return Course(name, told, self.end_s)


def moves_of(log: Path, rests_on: str) -> tuple[Move, ...]:
    """Return what a log of events tells, also one that ends within a line: what is no better than before is left out.

    Parameters
    ----------
    log
        Of `hypar-opt solve --log`, or a baseline's.
    rests_on
        What the costs of its plans rest on; its bounds are told.
    """
    lines = log.read_text().splitlines(keepends=True) if log.exists() else []
    best: dict[str, int] = {}
    found = []
    for event in (json.loads(line) for line in lines if line.endswith("\n")):
        kind = KINDS.get(event["event"])
        if kind is None:
            continue
        value = int(event["value"])
        if kind not in best or (value < best[kind] if kind == PLAN else value > best[kind]):
            best[kind] = value
            found.append(Move(event["time_s"], kind, value, rests_on if kind == PLAN else TOLD))
    return tuple(sorted(found, key=lambda one: one.time_s))


def with_verified(moves: tuple[Move, ...], cost: int | None, end_s: float) -> tuple[Move, ...]:
    """Return moves whose last plan is the one that was verified; one that was never told of was there at the end."""
    if cost is None:
        return moves
    before = [one for one in moves if one.kind != PLAN or one.value > cost]
    told = next((one.time_s for one in moves if (one.kind, one.value) == (PLAN, cost)), round(end_s, 4))
    return tuple(sorted([*before, Move(told, PLAN, cost, VERIFIED)], key=lambda one: one.time_s))


def read_curves(path: Path) -> list[Curve]:
    """Return the curves of earlier runs, if there are any."""
    rows = list(csv.DictReader(io.StringIO(path.read_text()))) if path.exists() else []
    found: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in KEY), []).append(row)
    return [_curve(of_one) for of_one in found.values()]


def _curve(rows: list[dict[str, str]]) -> Curve:
    end = next(row for row in rows if row["kind"] == END)
    moves = [
        Move(float(row["time s"]), row["kind"], int(row["value"]), row["rests on"]) for row in rows if row is not end
    ]
    return Curve(
        end["instance"], end["method"], int(end["seed"]), float(end["limit s"]), tuple(moves), float(end["time s"]),
        end["rests on"], float(end["load"]), end["commit"],
    )  # fmt: skip


def merged_curves(curves: Iterable[Curve], curve: Curve, methods: list[str]) -> list[Curve]:
    """Return the curves with one of its kind replaced or added, in order."""
    order = {method: number for number, method in enumerate(methods)}

    def place(one: Curve) -> tuple[Any, ...]:
        return one.instance, order.get(one.method, len(order)), one.method, one.seed, one.limit_s

    return sorted([*(one for one in curves if one.key != curve.key), curve], key=place)


def write_curves(path: Path, curves: Iterable[Curve]) -> None:
    """Write a row an improvement; what ended a run is in its last."""
    rows: list[list[Any]] = []
    for one in curves:
        of_all = [f"{one.load:.1f}", one.commit]
        rows += [[*one.key, f"{move.time_s:g}", move.kind, move.value, move.rests_on, *of_all] for move in one.moves]
        rows.append([*one.key, f"{one.end_s:.1f}", END, "", one.status, *of_all])
    write_atomically(path, csv_lines(COLUMNS, rows))
