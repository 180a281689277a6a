"""python -m reports.accountings: optima under each accounting, priced under all, to reports/accountings."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from hypar_opt.report.tables import csv_lines
from hypar_opt.util.files import write_to_folder

from .optima import CHOICES, LEVELS, TEN, excess, known, least, optima

FOLDER = Path(__file__).parent


def rows(plans):
    """Return the rows of one network: bytes where the plan is the optimum, else how far it is above that."""
    lowest = least(plans)
    for one in plans:
        above = excess(one, lowest)
        cells = {name: f"{float(100 * share):+.2f} %" if share else "0" for name, share in above.items()}
        yield (
            {"network": one.network, "optimum of": one.accounting}
            | cells
            | {one.accounting: f"**{float(lowest[one.accounting]) / 1e9:.4g} GB**"}
        )


def worst(found):
    """Return by accounting that is paid, and accounting that was optimised, the largest and the mean excess."""
    names = found[0][0].prices
    table = []
    for name in names:
        row = {"optimum of": name}
        for other in names:
            shares = [excess(one, least(plans))[other] for plans in found for one in plans if one.accounting == name]
            row[other] = f"{float(100 * max(shares)):.2f} % ({float(100 * sum(shares) / len(shares)):.2f} %)"
        table.append(row)
    return table


def table(listed):
    """Return rows as Markdown."""
    return pd.DataFrame(listed).to_markdown(index=False, disable_numparse=True)


def lines(found):
    """Return the CSV: exact bytes, a line a plan and accounting."""
    names = ("network", "choices", "optimum_of", "priced_under", "bytes", "plan")
    return csv_lines(
        names,
        (
            (one.network, " ".join(one.choices), one.accounting, name, str(count), _words(one.strategies))
            for sets in found.values()
            for plans in sets
            for one in plans
            for name, count in one.prices.items()
        ),
    )


def _words(strategies):
    return " ".join(f"{layer}={word}" for layer, word in strategies.items())


def page(found):
    """Return the Markdown."""
    parts = [
        "# The optimum under each accounting, priced under all others",
        f"The paper's ten networks, batch 256, H = {LEVELS}, without the error of the input. Written by "
        "`make accountings`, checked by tests/published/test_accountings.py; [exact bytes and plans](accountings.csv). "
        "A row is a plan that joint-dp proved to be optimal under one accounting (the one that it returns, where there "
        "are several). In bold its bytes there; in the other columns by how much it is above the optimum of that "
        "accounting. What has to move is `collective` ([the model](../../docs/model.md#collective)): its column says "
        "what it costs to believe another one.",
    ]
    for choices, sets in found.items():
        missing = [name for name in known(CHOICES[0]) if name not in known(choices)]
        note = [f"{', '.join(missing)} does not know op."] if missing else []
        parts += [
            f"## With {', '.join(choices[:-1])} and {choices[-1]}",
            *note,
            "The largest excess of the ten, and in brackets the mean:",
            table(worst(sets)),
            "Each network:",
            table([row for plans in sets for row in rows(plans)]),
        ]
    return "\n\n".join(parts) + "\n"


def main():
    """Write the pages, and show the first."""
    found = {choices: [optima(network, choices) for network in TEN] for choices in CHOICES}
    text = page(found)
    write_to_folder(FOLDER, {"accountings.md": text, "accountings.csv": lines(found)})
    sys.stdout.write(text)


main()
