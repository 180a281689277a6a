"""An exploration on the terminal, as rows, as a document and as files: every combination, a summary, a picture."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.evaluation.legality import Split, unbuildable_field, unbuildable_text
from hypar_opt.report.numbers import in_component, in_gain, unit_of
from hypar_opt.report.tables import Column, Table, csv_lines, entry_rows, markdown_grid
from hypar_opt.studies.sweep import Exploration, counted
from hypar_opt.util.files import write_to_folder
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console


SCHEMA = "hypar-opt/exploration/1"


def show(console: Console, found: Exploration, top: int) -> None:
    """Print what was explored, what is best, and the combinations with the least cost."""
    from hypar_opt.report.console import terminal_table

    for line in (title(found), f"gains are over {found.against}", *verdict(found)):
        console.print(line)
    if top and found.best:
        console.print(terminal_table(best_table(found, shown(found, top))))
        console.print("* the base plan; equal costs share a rank")


def title(found: Exploration) -> str:
    """Return what was explored, in a line."""
    space = found.space
    names = ", ".join(space.layers) if len(space.layers) <= 4 else f"{len(space.layers)} layers"
    levels = ", ".join(map(str, space.levels))
    start = f"{space.problem.instance.name}: {counted(space.count, 'combination')}"
    if not levels:
        return f"{start}, one accelerator having no levels to choose at; the base plan, {found.base}"
    many = "" if len(space.levels) == 1 else "s"
    return f"{start} of {names} at level{many} {levels}; the rest as in the base plan, {found.base}"


def verdict(found: Exploration) -> list[str]:
    """Return what is best and where the base plan stands, in lines."""
    name, base = found.components[0], found.space.base_index
    lines = [f"ERROR: {found.fault}"] if found.fault else []
    refused = found.space.count - int(found.allowed.sum())
    if refused:
        do = "does" if refused == 1 else "do"
        lines.append(f"{counted(refused, 'combination')} {do} not fit into an accelerator's memory and {do} not count")
    if found.winner is None:
        return lines
    ties = len(found.best)
    tied = "" if ties == 1 else f", reached by {ties:,} combinations"
    lines.append(f"best {name} {_costs(found, found.winner)}{tied}")
    if base in found.best:
        lines.append("the base plan is the best" if ties == 1 else "the base plan is one of the best")
    elif found.allowed[base]:
        lines.append(f"the base plan has rank {found.rank(base):,}: {name} {_costs(found, base)}")
    else:
        lines.append("the base plan is not allowed")
    unbuildable = unbuildable_text(_splits(found, found.winner))
    return [*lines, f"note: the best {unbuildable}"] if unbuildable else lines


def _splits(found: Exploration, index: int) -> tuple[Split, ...]:
    return found.space.problem.uneven_splits(found.space.strategies(index))


def _costs(found: Exploration, index: int) -> str:
    name = found.components[0]
    return f"{in_component(name, found.value(name, index))}, gain {in_gain(found.gain(name, index))}"


def shown(found: Exploration, top: int) -> Sequence[int]:
    """Return the best combinations, and the base plan behind them if it is not among them."""
    best, base = list(found.order(top)), found.space.base_index
    return best if base in best or not found.allowed[base] else [*best, base]


def free_layers(found: Exploration) -> list[str]:
    """Return the names of the layers whose words differ."""
    return [found.space.problem.base.variables[i].name for i in found.space.free]


def best_table(found: Exploration, indices: Sequence[int], gain: str = "gain") -> Table:
    """Return combinations as text, the base plan with a star.

    Parameters
    ----------
    gain
        The heading of a component's gain, with its name where it has braces.
    """
    layers = free_layers(found)
    columns = [Column("rank", "rank", align="right"), *(Column(f"word of {name}", name) for name in layers)]
    for name in found.components:
        columns += [Column(name, name, align="right"), Column(f"{name}: gain", gain.format(name), align="right")]
    rows = []
    for index in indices:
        words = found.space.strategies(index)
        texts = [
            f"{'*' if index == found.space.base_index else ''}{found.rank(index):,}",
            *(words[one] for one in layers),
        ]
        for name in found.components:
            texts += [in_component(name, found.value(name, index)), in_gain(found.gain(name, index))]
        rows.append(texts)
    return Table("explore", "", tuple(columns), entry_rows(columns, rows))


def document(found: Exploration, top: int) -> dict[str, Any]:
    """Return what was found, with the combinations of least cost; costs are exact."""
    space, instance = found.space, found.space.problem.instance
    return {
        "schema": SCHEMA,
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "overrides": dict(instance.overrides),
        "layers": list(space.layers),
        "levels": list(space.levels),
        "combinations": space.count,
        "allowed": int(found.allowed.sum()),
        "components": list(found.components),
        "gains_over": found.against,
        "reference": {name: exact(value) for name, value in found.reference.items()},
        "base_from": found.base,
        "base": entry(found, space.base_index),
        "best": None if found.winner is None else entry(found, found.winner),
        "ties": len(found.best),
        "shown": [entry(found, index) for index in shown(found, top)],
        "fault": found.fault or None,
    }


def entry(found: Exploration, index: int) -> dict[str, Any]:
    """Return one combination: its plan, its costs, its gains, and its rank where it is allowed."""
    gains = {name: found.gain(name, index) for name in found.components}
    return {
        "rank": found.rank(index) if found.allowed[index] else None,
        "plan": found.space.strategies(index),
        "cost": {name: exact(found.value(name, index)) for name in found.components},
        "gain": {name: None if gain is None else round(float(gain), 6) for name, gain in gains.items()},
        **unbuildable_field(_splits(found, index)),
    }


FILES = ("explore.csv", "explore.md", "explore.json", "explore.svg", "explore.pdf", "explore.png")


def write_files(found: Exploration, top: int, folder: Path) -> list[Path]:
    """Write explore.csv, .md, .json, and a picture as .svg, .pdf and .png, each atomically; return their paths."""
    from hypar_opt.report.charts.registry import write_figures

    texts = (as_csv(found), markdown(found, top), json.dumps(document(found, top), indent=1))
    written = write_to_folder(folder, dict(zip(FILES, texts, strict=False)))
    return [*written, *write_figures("exploration", found, folder, "explore", found.space.problem.instance.name)]


def as_csv(found: Exploration) -> str:
    """Return a row for every combination: the free layers' words, exact costs, gains."""
    space = found.space
    columns: dict[str, Any] = {}
    places = np.unravel_index(np.arange(space.count), space.shape or (1,))
    for axis, (i, name) in enumerate(zip(space.free, free_layers(found), strict=True)):
        plans = ((*space.base[:i], choice, *space.base[i + 1 :]) for choice in space.candidates[i])
        words = [space.problem.strategies(plan)[name] for plan in plans]
        columns[name] = np.array(words, dtype=object)[places[axis]]
    for name in found.components:
        # most costs come more than once, and their decimals take long to write
        different, which = np.unique(found.values[name], return_inverse=True)
        costs = [Fraction(int(value), found.units[name]) for value in different]
        gains = [f"{float(found.reference[name] / cost):.6g}" if cost else "" for cost in costs]
        columns[f"{name}_{unit_of(name)}"] = np.array([exact(cost) for cost in costs], dtype=object)[which]
        columns[f"{name}_gain"] = np.array(gains, dtype=object)[which]
    columns["allowed"] = found.allowed.astype(int)
    return csv_lines([*columns], zip(*(column.tolist() for column in columns.values()), strict=True))


def markdown(found: Exploration, top: int) -> str:
    """Return the combinations of least cost as a table, what it is above it."""
    best = shown(found, top)
    body = markdown_grid(best_table(found, best, "{}: gain")) if best else "No combination is allowed."
    lines = [title(found), f"Gains are over {found.against}.", *(f"- {line}" for line in verdict(found))]
    return "\n\n".join(["# Exploration", *lines[:2], "\n".join(lines[2:]), body, "\\* the base plan."]) + "\n"
