"""A plan of operators as tables: operators and axes, tensors that several read, what is moved and kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.cost.operators.domains import KEPT, STORAGE
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.again import again_text
from hypar_opt.report.operators.array import axes_text
from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.report.operators.collectives import Moved, owner_of
from hypar_opt.report.operators.memory import kept_at_turn
from hypar_opt.report.operators.peak import memory_line
from hypar_opt.report.operators.plan import LYING
from hypar_opt.report.overlap import overlap_line
from hypar_opt.report.plan_costs import cost_lines
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS, sums_note
from hypar_opt.report.tables.table import label
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators import OperatorStep
    from hypar_opt.instance.operators import Operator
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.verification.claim import Claim

MOST_AXES: Final = 6
"""Axes that have a column each beside the others in a line of a page."""
SUMS: Final = "Of equal operators in neighbouring blocks, which share a row, the sums"


def operator_plan_tables(problem: OperatorProblem, claim: Claim) -> TableDocument:
    """Return a plan of operators for papers and for scripts.

    People read a row an operator, of equal ones in neighbouring blocks one together, where tensors lie that several
    read, and bytes by kind of collective, axis and phase; data has a row for every operator and placement.

    Parameters
    ----------
    problem
        What it is a plan of.
    claim
        Who claims what of it; with strategies that are a plan of the instance.
    """
    tables = _PlanTables(problem, claim)
    shared = tables.shared
    every = (tables.grid, *((shared,) if shared.rows else ()), tables.collectives)
    return TableDocument("plan", tables.data, every, f"A plan of {problem.instance.name}")


@dataclass(frozen=True)
class _OperatorRow:
    """What people read of an operator, the same for equal ones: bytes that all devices receive, that each keeps."""

    kind: str
    word: str
    ways: tuple[str | None, ...]
    received: Fraction
    kept: Fraction


@dataclass(frozen=True)
class _PlanTables:
    """The tables of a plan, what they share recounted once."""

    problem: OperatorProblem
    claim: Claim

    @cached_property
    def words(self) -> Mapping[str, str]:
        """By operator or placement its word, by operator with an end how it stores and keeps."""
        return self.claim.strategies_for("a plan to write as a table")

    @cached_property
    def step(self) -> OperatorStep:
        """A training step, recounted device by device."""
        return self.problem.step(self.words)

    @cached_property
    def moved(self) -> Moved:
        """What moves."""
        return Moved(self.step.movements)

    @cached_property
    def received(self) -> Mapping[str, Mapping[str, Fraction]]:
        """Bytes that all devices receive, by operator and phase."""
        graph = self.problem.instance.graph
        found: dict[str, Counter[str]] = {one.name: Counter() for one in graph.operators}
        for one in self.moved.movements:
            found[owner_of(one, graph)][one.phase] += one.bytes  # type: ignore[assignment]
        return {name: {phase: Fraction(row[phase]) for phase in self.moved.phases} for name, row in found.items()}

    @cached_property
    def resident(self) -> Mapping[str, Fraction]:
        """Bytes kept on each device at the turn of a step, by operator."""
        return {name: kept_at_turn(kinds) for name, kinds in self.step.kept.items()}

    @property
    def data(self) -> Table:
        """Every operator and every placement with its word, exact; bytes are those of operators."""
        axes = self.problem.instance.partition.axes
        columns = (
            *(Column(key, key) for key in ("operator", "what", "kind", *(f"axis_{one.name}" for one in axes))),
            *(Column(key, key) for key in ("storage", "kept")),
            *(Column(f"{phase}_bytes", phase, "B") for phase in self.moved.phases),
            *(Column(f"{key}bytes", key, "B") for key in ("", "memory_")),
        )
        return Table("plan", f"A plan of {self.problem.instance.name}", columns, entry_rows(columns, self._every()))

    def _every(self) -> Iterator[tuple[Any, ...]]:
        nothing = (None,) * (4 + len(self.moved.phases))
        for one in self.problem.instance.graph.operators:
            moved = self.received[one.name].values()
            how = (self.words.get(one.name + end) for end in (STORAGE, KEPT))
            sizes = (*moved, sum(moved), self.resident.get(one.name, 0))
            yield one.name, "operator", one.kind, *self.words[one.name].split(), *how, *sizes
        for name, end, word in self._placements():
            yield name, end.removeprefix(":"), None, *word.split(), *nothing

    def _placements(self) -> Iterator[tuple[str, str, str]]:
        """Yield of every tensor that several read its name, what the word is about, and that."""
        for name, word in self.words.items():
            end = next((end for end in LYING if name.endswith(end)), None)
            if end is not None:
                yield name.removesuffix(end), end, word

    @property
    def blocks(self) -> RepeatedBlocks:
        """The repeated blocks of the network."""
        return RepeatedBlocks(self.problem.instance.graph)

    @property
    def grid(self) -> Table:
        """A row an operator: what it is split along on each axis, what it moves and keeps."""
        ways = {
            key: end for key, end in (("storage", STORAGE), ("kept", KEPT)) if any(x.endswith(end) for x in self.words)
        }
        items = [(one.name, self._row(one, ways.values())) for one in self.problem.instance.graph.operators]
        folded = self.blocks.folded(items)
        received = [one.value.received * len(one.names) for one in folded]
        kept = [one.value.kept * len(one.names) for one in folded]
        rows = [
            (one.label, one.value.kind, *self._entries(one.value.word), *one.value.ways, *sizes)
            for one, *sizes in zip(folded, received, kept, strict=True)
        ]
        columns = (
            Column("operator", "operator"),
            Column("kind", "kind"),
            *self._axes(),
            *(Column(key, {"storage": "parameters"}.get(key, key)) for key in ways),
            _bytes("bytes", "received", received),
            _bytes("memory_bytes", "kept on each", kept),
        )
        said = (*self._said(), *((SUMS,) if len(rows) < len(items) else ()))
        name = self.problem.instance.name
        title = f"A plan of {name} on {self.problem.instance.devices:,} devices"
        return Table(f"plan-{label(name)}", title, columns, entry_rows(columns, rows), said)

    def _row(self, operator: Operator, ways: Iterable[str]) -> _OperatorRow:
        words = (self.words.get(operator.name + end) for end in ways)
        received = sum(self.received[operator.name].values(), start=Fraction(0))
        kept = self.resident.get(operator.name, Fraction(0))
        return _OperatorRow(operator.kind, self.words[operator.name], tuple(words), received, kept)

    @property
    def shared(self) -> Table:
        """A row a placement of a tensor that several operators read."""
        rows = [
            (one.label, LYING[one.value[0]], *self._entries(one.value[1]))
            for one in self.blocks.folded((name, (end, word)) for name, end, word in self._placements())
        ]
        columns = (Column("tensor", "tensor"), Column("what", "what"), *self._axes())
        name = self.problem.instance.name
        title = f"Tensors of {name} that several operators read"
        return Table(f"shared-{label(name)}", title, columns, entry_rows(columns, rows))

    @property
    def collectives(self) -> Table:
        """A row a kind of collective and axis with the bytes of each phase, and one of all."""
        found: dict[tuple[str, str], Counter[str]] = {}
        for one in self.moved.movements:
            found.setdefault((one.kind, one.axis), Counter())[one.phase] += one.bytes  # type: ignore[assignment]
        cells = {key: [Fraction(row[phase]) for phase in self.moved.phases] for key, row in found.items()}
        every = [sum(column, start=Fraction(0)) for column in zip(*cells.values(), strict=True)]
        cells["all", ""] = every or [Fraction(0)] * len(self.moved.phases)
        full = {key: [*sizes, sum(sizes, start=Fraction(0))] for key, sizes in cells.items()}
        scale, unit = scaled([size for sizes in full.values() for size in sizes], "B")
        columns = (
            Column("collective", "kind of collective"),
            Column("axis", "axis"),
            *(Column(key, key, unit, scale, DIGITS, group="bytes received") for key in (*self.moved.phases, "step")),
        )
        name = self.problem.instance.name
        title = f"Bytes of the plan of {name} by collective"
        made = entry_rows(columns, ((kind, axis or None, *sizes) for (kind, axis), sizes in full.items()))
        return Table(f"bytes-{label(name)}", title, columns, made, sums_note(columns[2:], made))

    def _axes(self) -> Iterator[Column]:
        axes = self.problem.instance.partition.axes
        if len(axes) > MOST_AXES:
            yield Column("word", "word", code=True)
            return
        for axis in axes:
            yield Column(f"axis_{axis.name}", f"{axis.name} ({axis.size})", group="axis")

    def _entries(self, word: str) -> Sequence[str]:
        return (word,) if self.problem.instance.levels > MOST_AXES else word.split()

    def _said(self) -> Iterator[str]:
        """Yield what the plan costs, and who claims what of it."""
        one, step = self.problem.instance, self.step
        yield f"Axes, outermost first: {axes_text(one.partition)}"
        costs = self.problem.costs(step.plan)
        moved = costs[COMMUNICATION]
        yield f"All devices receive {in_bytes(moved)} ({in_full(moved)} bytes) in a step, recomputed from the plan"
        others = cost_lines({name: cost for name, cost in costs.items() if name != COMMUNICATION})
        if others:
            yield f"It costs {'; '.join(others)}"
        if step.together is not None:
            yield f"A{overlap_line(step.together)[1:]}"
        yield memory_line(step.peak, self.problem.model.memory, begin="Memory")
        said = again_text(self.words)
        if said:
            yield f"{said[0].upper()}{said[1:]}"
        yield self.claim.said()


def _bytes(key: str, heading: str, sizes: Sequence[Fraction]) -> Column:
    scale, unit = scaled(sizes, "B")
    return Column(key, heading, unit, scale, DIGITS)
