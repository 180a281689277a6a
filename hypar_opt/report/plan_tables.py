"""A plan as tables: the grid of layers and levels, and where its bytes go by layer, boundary and level."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.choices import LETTERS
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.mixed.plan_tables import mixed_plan_tables
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.plan_tables import operator_plan_tables
from hypar_opt.report.pipeline_tables import pipeline_plan_tables
from hypar_opt.report.plan_costs import cost_lines
from hypar_opt.report.plan_rows import inter_before, layer_kind
from hypar_opt.report.precision.tables import precision_plan_tables
from hypar_opt.report.staged.tables import staged_plan_tables
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS, sums_note
from hypar_opt.report.tables.table import label
from hypar_opt.report.tasks.tables import task_plan_tables
from hypar_opt.solver.kinds import network_problem_of, problem_of
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.util.numbers import in_full
from hypar_opt.util.surd import exact_number
from hypar_opt.verification.checks import check_binding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.evaluation.communication import Breakdown, Bytes
    from hypar_opt.instance import Instance
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.problem import Problem
    from hypar_opt.verification.claim import Claim

MOST_COLUMNS: Final = 8
"""Levels that fit beside each other into a line of a page."""


def plan_tables(instance: Instance | Problem | Path | str, claim: Claim) -> TableDocument:
    """Return a plan for papers and for scripts: its grid, and its bytes by part and level.

    Beyond 8 levels the grid has words instead of a column a level, and people read the bytes of each level only; data
    has a row a layer and a row a boundary with the exact bytes of each level at any size.

    Parameters
    ----------
    instance
        What it is a plan of, as read with the plan's overrides; or the problem that it was compiled to.
    claim
        The plan, as its file has it (`read_claim`), or `claim_of(plan)`.

    Raises
    ------
    InputError
        If there are no strategies, or they are not of this instance; or it is a strategy graph.
    """
    problem = problem_of(instance)
    write = TABLES[(problem if problem.kind in TABLES else network_problem_of(problem)).kind]
    strategies = claim.strategies_for("a plan to write as a table")
    check_binding(problem, claim)
    problem.choices(strategies)  # which says what keeps it from being a plan of this instance
    return write(problem, claim)


def _network_plan_tables(problem: NetworkProblem, claim: Claim) -> TableDocument:
    strategies = claim.strategies_for("a plan to write as a table")
    breakdown = problem.bytes_of(strategies)
    few = problem.instance.levels <= MOST_COLUMNS
    bytes_table = _by_part(problem, breakdown) if few else _by_level(problem, breakdown)
    tables = (_grid(problem, claim, strategies, breakdown), bytes_table)
    return TableDocument("plan", _data(problem, breakdown), tables, f"A plan of {problem.instance.name}")


def _grid(problem: NetworkProblem, claim: Claim, strategies: Mapping[str, str], breakdown: Breakdown) -> Table:
    """Return a row a layer: what it is, its letter at each level, what it exchanges."""
    layers, levels = problem.work.layers, problem.instance.levels
    before = inter_before(problem, breakdown)
    rows = [
        (layer.name, layer_kind(layer), strategies[layer.name], sum(breakdown.intra[i]), before[i])
        for i, layer in enumerate(layers)
    ]
    scale, unit = scaled([count for row in rows for count in row[3:]], "B")
    bytes_columns = (
        Column("intra_bytes", "intra", unit, scale, DIGITS, group="bytes"),
        Column("inter_bytes", "inter before", unit, scale, DIGITS, group="bytes"),
    )
    words: tuple[Column, ...] = (Column("levels", "levels", code=True),)
    if levels <= MOST_COLUMNS:
        words = tuple(Column(f"level_{h + 1}", str(h + 1), group="level") for h in range(levels))
        rows = [(name, kind, *word, *counts) for name, kind, word, *counts in rows]
    columns = (Column("layer", "layer"), Column("kind", "kind"), *words, *bytes_columns)
    title = f"A plan of {problem.instance.name} on {problem.instance.accelerators:,} accelerators"
    said = tuple(_said(problem, claim, breakdown))
    return Table(f"plan-{label(problem.instance.name)}", title, columns, entry_rows(columns, rows), said)


def _said(problem: NetworkProblem, claim: Claim, breakdown: Breakdown) -> Iterator[str]:
    """Yield what the letters are, what the plan costs, who claims what of it."""
    used = sorted({letter for word in breakdown.strategies.values() for letter in word})
    names = {letter: name for name, letter in LETTERS.items()}
    if problem.instance.levels:
        yield f"{_root(problem)}; {', '.join(f'{letter}: {names[letter]}' for letter in used)}"
    total = f"{in_bytes(breakdown.total)} ({in_full(breakdown.total)} bytes)"
    yield f"It exchanges {total} under the accounting {problem.instance.accounting}, recomputed from the plan"
    sites = problem.sites if claim.placement is None else sites_of(problem, claim.placement)
    costs = problem.costs(breakdown, sites)
    others = cost_lines({name: cost for name, cost in costs.items() if name != COMMUNICATION})
    if others:
        yield f"It costs {'; '.join(others)}"
    what = {"placement": ", of the placement alone", "both": ", of strategies and placement"}.get(claim.decided, "")
    yield claim.said(what)


def _root(problem: NetworkProblem) -> str:
    """Return which level is which."""
    levels = problem.instance.levels
    if levels > MOST_COLUMNS:
        return "The root's level stands first"
    return f"Columns 1 to {levels} are the levels, the root's first" if levels > 1 else "Column 1 is the level"


def _parts(problem: NetworkProblem, breakdown: Breakdown) -> Iterator[tuple[tuple[str | None, ...], Sequence[Bytes]]]:
    """Yield of every layer, then of every boundary, what it is, and the bytes at each level.

    What it is: the layer, or the one before the boundary; the one behind the boundary; the kind; the layer's word.
    """
    layers = problem.work.layers
    for layer, row in zip(layers, breakdown.intra, strict=True):
        yield (layer.name, None, layer_kind(layer), breakdown.strategies[layer.name]), row
    for edge, inter in zip(problem.work.boundaries, breakdown.inter, strict=True):
        yield (layers[edge.producer].name, layers[edge.reader].name, "boundary", None), inter


def _by_part(problem: NetworkProblem, breakdown: Breakdown) -> Table:
    """Return the bytes of every layer and boundary that exchanges some, at each level; all of them below."""
    every = list(_parts(problem, breakdown))
    parts = [(" → ".join(filter(None, what[:2])), *row, sum(row)) for what, row in every if any(row)]
    levels = [breakdown.level(h) for h in range(problem.instance.levels)]
    columns = (Column("part", "layer or boundary"), *_level_columns(parts, len(levels)))
    rows = entry_rows(columns, [*parts, ("in all", *levels, breakdown.total)])
    said = (
        *((_root(problem),) if levels else ()),
        *sums_note(columns[1:], rows),
        *(("What is left out exchanges nothing",) if len(parts) < len(every) else ()),
    )
    name = problem.instance.name
    return Table(f"bytes-{label(name)}", f"Bytes of the plan of {name} by level", columns, rows, said)


def _level_columns(parts: Iterable[Sequence[Bytes | str]], levels: int) -> tuple[Column, ...]:
    scale, unit = scaled([count for _, *counts in parts for count in counts if not isinstance(count, str)], "B")
    each = (Column(f"level_{h + 1}", str(h + 1), unit, scale, DIGITS, group="level") for h in range(levels))
    return (*each, Column("bytes", "all levels", unit, scale, DIGITS))


def _by_level(problem: NetworkProblem, breakdown: Breakdown) -> Table:
    """Return the groups that every level splits, and its bytes."""
    counts = [breakdown.level(h) for h in range(problem.instance.levels)]
    scale, unit = scaled(counts, "B")
    columns = (
        Column("level", "level"),
        Column("groups", "groups split"),
        Column("bytes", "bytes", unit, scale, DIGITS),
        Column("share", "share", "%", Fraction(1, 100), 3),
    )
    groups, whole = problem.instance.partition.groups, exact_number(breakdown.total or 1)
    rows = [(h + 1, groups(h), count, count / whole) for h, count in enumerate(counts)]
    said, name = "The bytes of every layer and boundary at each level stand in the CSV", problem.instance.name
    title = f"Bytes of the plan of {name} by level"
    return Table(f"bytes-{label(name)}", title, columns, entry_rows(columns, rows), (said,))


def _data(problem: NetworkProblem, breakdown: Breakdown) -> Table:
    """Return a row a layer and a row a boundary, exact."""
    levels = range(problem.instance.levels)
    each = (Column(f"level_{h + 1}_bytes", f"level {h + 1}", "B") for h in levels)
    head = (Column(key, key) for key in ("layer", "reader", "kind", "levels"))
    columns = (*head, Column("bytes", "bytes", "B"), *each)
    rows = ((*what, sum(row), *row) for what, row in _parts(problem, breakdown))
    return Table("plan", f"A plan of {problem.instance.name}", columns, entry_rows(columns, rows))


TABLES: Final[Mapping[str, Callable[[Any, Claim], TableDocument]]] = MappingProxyType(
    {
        "network": _network_plan_tables,
        "operators": operator_plan_tables,
        "mixed": mixed_plan_tables,
        "pipeline": pipeline_plan_tables,
        "staged": staged_plan_tables,
        "task-graph": task_plan_tables,
        "precision": precision_plan_tables,
    }
)
"""By kind of problem, its plans as tables."""
