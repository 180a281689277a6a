"""What a plan costs: in lines, by level, and explained for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import TOTALS
from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_bytes, in_component, in_si, share
from hypar_opt.report.scheduled_sums import show_sum_rows, show_sums
from hypar_opt.report.tables import text_table
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from rich.console import Console
    from rich.table import Table as RichTable

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.regrets import Explanation, Regret
    from hypar_opt.util.partition import Partition


def cost_lines(costs: Mapping[str, Fraction]) -> list[str]:
    """Return a line for each total with its parts, then one for what is part of none.

    Parameters
    ----------
    costs
        By component.
    """
    left, lines = dict(costs), []
    for total, parts in TOTALS.items():
        if total in left:
            whole = in_component(total, left.pop(total))
            lines.append(f"{total} {whole}: " + _listed({part: left.pop(part) for part in parts if part in left}))
    return [*lines, _listed(left)] if left else lines


def _listed(costs: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} {in_component(name, cost)}" for name, cost in costs.items())


MOST_LEAVES = 256
"""Shown one by one."""


def show_placement(console: Console, problem: NetworkProblem, placement: Sequence[str]) -> None:
    """Print the leaf of every accelerator: as a grid where the array is one, else the accelerator of every leaf."""
    machine = problem.instance.machine
    if tuple(placement) == machine.accelerators[: len(placement)]:
        console.print(f"placement: leaf i on {placement[0]}, {placement[1]}, ... in order" if placement[1:] else "")
        return
    if len(placement) > MOST_LEAVES:
        console.print(f"placement: of {len(placement):,} leaves; write it to a file with -o")
        return
    leaves = {name: problem.instance.partition.address(leaf) or "0" for leaf, name in enumerate(placement)}
    if len(machine.dims) == 2:
        console.print(f"placement: leaves of the partition on the {machine.topology}, a bit a level, the root's first")
        console.print(_grid(machine.dims[1], [leaves.get(name, "-") for name in machine.accelerators]))
        return
    console.print("placement: accelerators, each with its leaf of the partition, a bit a level, the root's first")
    console.print(" ".join(f"{name}={leaves[name]}" for name in machine.accelerators if name in leaves))


def _grid(width: int, cells: Sequence[str]) -> RichTable:
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    table = text_table([{str(at): cell for at, cell in enumerate(row)} for row in rows])
    return terminal_table(table, show_header=False)


def show_levels(console: Console, problem: NetworkProblem, placement: Sequence[str], breakdown: Breakdown) -> None:
    """Print for every level its bytes, the hops of its routes and its busiest link."""
    from hypar_opt.solver.network_tasks import sites_of

    machine = problem.instance.machine
    measured = problem.measured(breakdown, sites_of(problem, placement))
    timed = measured.timed
    if timed is not None:
        show_sums(console, timed)
        measured = timed.others
    rows = []
    walked, partition = measured.walked, problem.instance.partition
    for h, busiest in enumerate(measured.busiest):
        row = level_row(breakdown, partition, h) | {"hops a byte": f"{walked.hops[h] / partition.routes(h):.4g}"}
        row |= {"busiest link": "-", "its bytes": "0", "its time": "-"}
        if busiest is not None:
            row |= {"busiest link": machine.path(busiest.hop), "its bytes": in_bytes(busiest.load)}
            row |= {} if busiest.time is None else {"its time": in_si(float(busiest.time), "s")}
        rows.append(row)
    show_numbers(console, rows)
    if timed is not None:
        show_sum_rows(console, timed)


LEVEL: Final = ("level", "groups split", "bytes", "share")


def level_row(breakdown: Breakdown, partition: Partition, level: int) -> dict[str, str]:
    """Return how many groups a level splits, and its bytes."""
    count = breakdown.level(level)
    texts = (str(level + 1), f"{partition.groups(level):,}", in_bytes(count), share(count, breakdown.total))
    return dict(zip(LEVEL, texts, strict=True))


def show_numbers(console: Console, rows: Sequence[dict[str, str]]) -> None:
    """Print rows of numbers with their units; of an array without levels, nothing but the headings."""
    headings = tuple(rows[0]) if rows else LEVEL
    console.print(terminal_table(text_table(rows, headings, headings)))


def explanation_document(problem: NetworkProblem, explanation: Explanation) -> dict[str, Any]:
    """Return bytes by layer, boundary and level, and the regrets."""
    layers, breakdown = problem.work.layers, explanation.breakdown
    assert breakdown is not None  # of a network
    boundaries = zip(problem.work.boundaries, breakdown.inter, strict=True)
    return {
        "intra_bytes": {
            layer.name: list(row) for layer, row in zip(layers, breakdown.intra, strict=True) if not layer.is_join
        },
        "inter_bytes": [
            {"from": layers[edge.producer].name, "to": layers[edge.reader].name, "bytes": list(map(exact, row))}
            for edge, row in boundaries
        ],
        "level_bytes": [exact(breakdown.level(h)) for h in range(problem.instance.levels)],
        **regrets_document(problem, explanation),
    }


def regrets_document(_: Problem, explanation: Explanation) -> dict[str, Any]:
    """Return the regrets by layer, or by key of a plan's strategies."""
    return {
        "regrets": {name: None if one is None else _regret_document(one) for name, one in explanation.regrets.items()},
        "unique": explanation.unique,
        "missing": explanation.missing,
    }


def _regret_document(regret: Regret) -> dict[str, Any]:
    costs = {"costs": {name: exact(cost) for name, cost in regret.costs.items()}} if regret.costs else {}
    return {"second_best": regret.second_best, "cost": exact(regret.cost), **costs}
