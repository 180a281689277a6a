"""A placement on the terminal: which leaf stands where, and what each level's bytes cost on their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from hypar_opt.report.numbers import in_bytes, in_si, share
from hypar_opt.tasks import sites_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hypar_opt.boxes import Breakdown
    from hypar_opt.problem import Problem

MOST_LEAVES = 256
"""Shown one by one."""


def show_placement(console: Console, problem: Problem, placement: Sequence[str]) -> None:
    """Print the leaf of every accelerator: as a grid where the array is one, else the accelerator of every leaf."""
    machine = problem.instance.machine
    if tuple(placement) == machine.accelerators[: len(placement)]:
        console.print(f"placement: leaf i on {placement[0]}, {placement[1]}, ... in order" if placement[1:] else "")
        return
    if len(placement) > MOST_LEAVES:
        console.print(f"placement: of {len(placement):,} leaves; write it to a file with -o")
        return
    leaves = {name: f"{leaf:0{problem.instance.levels}b}" for leaf, name in enumerate(placement)}
    if len(machine.dims) == 2:
        console.print(f"placement: leaves of the partition on the {machine.topology}, a bit a level, the root's first")
        console.print(_grid(machine.dims[1], [leaves.get(name, "-") for name in machine.accelerators]))
        return
    console.print("placement: accelerators, each with its leaf of the partition, a bit a level, the root's first")
    console.print(" ".join(f"{name}={leaves[name]}" for name in machine.accelerators if name in leaves))


def _grid(width: int, cells: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for start in range(0, len(cells), width):
        table.add_row(*cells[start : start + width])
    return table


def show_levels(console: Console, problem: Problem, placement: Sequence[str], breakdown: Breakdown) -> None:
    """Print for every level its bytes, the hops of its routes and its busiest link."""
    machine = problem.instance.machine
    measured = problem.measured(breakdown, sites_of(problem, placement))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("level", "groups split", "bytes", "share", "hops a byte", "busiest link", "its bytes", "its time"):
        table.add_column(name, justify="right")
    walked, routes = measured.walked, 1 << problem.instance.levels
    for h, busiest in enumerate(measured.busiest):
        count = breakdown.level(h)
        cells = [str(h + 1), f"{2**h:,}", in_bytes(count), share(count, breakdown.total)]
        cells.append(f"{walked.hops[h] / routes:.4g}")
        if busiest is None:
            cells += ["-", "0", "-"]
        else:
            first, second = (machine.names[node] for node in busiest.hop)
            cells += [f"{first} > {second}", in_bytes(busiest.load)]
            cells.append("-" if busiest.time is None else in_si(float(busiest.time), "s"))
        table.add_row(*cells)
    console.print(table)
