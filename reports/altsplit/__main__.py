"""python -m reports.altsplit: Altsplit, its baseline and the optimum on 2 to 1,024 processes; half a minute."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from hypar_opt.formulation.solution import Status
from hypar_opt.instance import Instance
from hypar_opt.report.charts.export import picture
from hypar_opt.report.tables import csv_lines
from hypar_opt.solver.solve import solve
from hypar_opt.studies.altsplit import compared, perceptron, turns
from hypar_opt.util.files import write_bytes_to_folder, write_to_folder
from reports.operators.page import count, page

from .figure import bytes_figure
from .texts import CLOSING, OPENING, PROGRAMMED, TITLE

FOLDER = Path(__file__).parent
HIDDEN = (3, 5)
WIDTHS = (16_000, 16_384)
BATCHES = (512, 1024)
LEVELS = range(1, 11)
MOST_SOLVED = 6
"""Levels that joint-dp takes leaf by leaf; beyond, the programme over counts alone."""
PROGRAMS = "collective"
"""The accounting of what a program's collectives move."""
NAMES = {"d": "batch", "m": "inputs", "o": "outputs"}


def said_of(word):
    """Return into how many parts a word divides what: inputs in 4, outputs in 16."""
    return ", ".join(f"{NAMES[letter]} in {2 ** word.count(letter)}" for letter in NAMES if letter in word)


def solved(evaluator):
    """Return the bytes of joint-dp's optimum, leaf by leaf, where it takes so many levels."""
    if evaluator.instance.levels > MOST_SOLVED:
        return None
    return least(evaluator, "leaf-exact")


def least(evaluator, accounting):
    """Return the bytes of joint-dp's optimum under an accounting."""
    whole = evaluator.instance.to_dict()
    plan = solve(Instance.from_dict({**whole, "cost": {**whole["cost"], "accounting": accounting}}), "joint-dp")
    if plan.status is not Status.OPTIMAL:
        raise SystemExit(f"{evaluator.instance.name}: {plan.status}")
    return plan.objective


def rows():
    """Yield a row a plan: which network and array, and what the plan takes."""
    for hidden, width, batch, levels in product(HIDDEN, WIDTHS, BATCHES, LEVELS):
        evaluator = perceptron(hidden, width, batch, levels)
        plans = compared(evaluator)
        fewest, proven = plans[3].bytes_, solved(evaluator)
        if proven not in (None, fewest):
            raise SystemExit(f"{hidden} layers, {levels} levels: joint-dp has {proven} bytes, counts {fewest}")
        for plan in plans:
            yield {
                "hidden": hidden,
                "width": width,
                "batch": batch,
                "processes": 2**levels,
                "plan": plan.name,
                "bytes": plan.bytes_,
                "of_baseline": plan.bytes_ / plans[0].bytes_,
                "collectives": plan.collectives,
                "even": plan.is_even,
                "by": "counts" if proven is None else "counts and joint-dp",
                "strategies": plan.strategies,
            }


def as_csv(found):
    """Return all rows with exact bytes."""
    names = tuple(found[0])
    return csv_lines(names, ([_cell(one[name]) for name in names] for one in found))


def _cell(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(f"{layer}={word}" for layer, word in value.items()) if isinstance(value, dict) else str(value)


def by_processes(found, hidden, width, batch):
    """Return a table: a row a number of processes, a column a plan."""
    table = []
    for levels in LEVELS:
        of = {
            one["plan"]: one
            for one in found
            if (one["hidden"], one["width"], one["batch"], one["processes"]) == (hidden, width, batch, 2**levels)
        }
        base, least = of["baseline"]["bytes"], of["optimum"]["bytes"]
        table.append(
            {
                "processes": count(2**levels),
                **{name: _gigabytes(of[name]) for name in ("baseline", "altsplit", "grid", "optimum")},
                "altsplit of baseline": f"{100 * float(of['altsplit']['bytes'] / base):.1f} %",
                "altsplit by optimum": f"{float(of['altsplit']['bytes'] / least):.2f}",
                "collectives": " / ".join(str(of[name]["collectives"]) for name in ("baseline", "altsplit", "optimum")),
            }
        )
    return table


def as_programs(hidden):
    """Return a table of the same plans where sums are reduced to the part that is needed: the accounting collective."""
    table = []
    for levels in range(1, MOST_SOLVED + 1):
        evaluator = perceptron(hidden, WIDTHS[0], BATCHES[0], levels)
        plans = {
            "baseline": turns(evaluator, "o"),
            "its last layer by inputs": turns(evaluator, "o") | {"out": "m" * levels},
            "altsplit": turns(evaluator, "om"),
        }
        moved = {name: evaluator.bytes_of(plan, PROGRAMS).total for name, plan in plans.items()}
        found = {**moved, "optimum": least(evaluator, PROGRAMS)}
        row = {name: f"{float(bytes_) / 1e9:.4g}" for name, bytes_ in found.items()}
        share = f"{100 * float(moved['altsplit'] / moved['baseline']):.1f} %"
        table.append({"processes": count(2**levels), **row, "altsplit of baseline": share})
    return table


def _gigabytes(row):
    return f"{float(row['bytes']) / 1e9:.4g}{'' if row['even'] else ' (uneven)'}"


def optima(found, hidden):
    """Return the optimum's words, in words, of 16,000 neurons and a batch of 512."""
    asked = (hidden, WIDTHS[0], BATCHES[0], "optimum")
    return [
        {
            "processes": count(one["processes"]),
            **{layer: said_of(word) for layer, word in one["strategies"].items()},
        }
        for one in found
        if (one["hidden"], one["width"], one["batch"], one["plan"]) == asked
    ]


def main():
    """Write the page, its table and its picture."""
    found = list(rows())
    if not all(one["even"] for one in found if one["plan"] == "optimum"):
        raise SystemExit("an optimum is uneven, and the page says that none is")
    parts = [OPENING]
    for hidden, width, batch in product(HIDDEN, WIDTHS, BATCHES):
        parts += [f"## {hidden} hidden layers of {width:,}, batch {batch:,}", by_processes(found, hidden, width, batch)]
    parts += ["## As programs reduce", PROGRAMMED]
    for hidden in HIDDEN:
        parts += [f"### {hidden} hidden layers of {WIDTHS[0]:,}, batch {BATCHES[0]}", as_programs(hidden)]
    parts += ["## The optimum in words", CLOSING, optima(found, HIDDEN[0])]
    write_to_folder(FOLDER, {"altsplit.md": page(TITLE, *parts), "altsplit.csv": as_csv(found)})
    shown = [one for one in found if (one["width"], one["batch"]) == (WIDTHS[0], BATCHES[0])]
    write_bytes_to_folder(FOLDER, {"altsplit.svg": picture(bytes_figure(shown), "svg")})


if __name__ == "__main__":
    main()
