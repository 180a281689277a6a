"""A campaign's tallies: for the terminal, and as CSV, Markdown and JSON files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.campaign import instance_text
from hypar_opt.files import check_writable, make_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction
    from pathlib import Path

    from rich.console import Console

    from hypar_opt.campaign import Outcome, Shrunk, Tally

FILES: Final = ("campaign.csv", "campaign.md", "campaign.json")
LEGEND: Final = (
    "missed: the plan costs more than the optimum that joint-dp proved, as a share of the chains with such a proof, "
    "with its exact 95 % confidence interval (Clopper-Pearson); median to largest: of the missed chains' gaps, "
    "(cost - optimum) / optimum; worst: the index of the chain with the largest"
)


def document(outcome: Outcome, shrunk: Sequence[Shrunk] = ()) -> dict[str, Any]:
    """Return what a campaign found as plain data; fractions as exact text beside their rounded values."""
    return {
        "family": outcome.family.document(),
        "seed": outcome.seed,
        "count": outcome.count,
        "accountings": list(outcome.accountings),
        "chains": outcome.chains,
        "complete": outcome.complete,
        "tallies": [row(tally) for tally in outcome.tallies],
        "counterexamples": [_counterexample(one) for one in shrunk],
    }


def row(tally: Tally) -> dict[str, Any]:
    """Return a tally as one flat row; unknown is None, never a made-up number."""
    quantiles = {name: getattr(tally, name) for name in ("median", "ninetieth", "ninety_ninth", "largest")}
    return {
        "accounting": tally.accounting,
        "plan": tally.plan,
        "decided": tally.decided,
        "undecided": tally.undecided,
        "missed": tally.missed,
        "fraction": tally.fraction,
        "low": tally.low,
        "high": tally.high,
        **{name: None if gap is None else float(gap) for name, gap in quantiles.items()},
        "largest_exact": None if tally.largest is None else str(tally.largest),
        "worst": tally.worst[0] if tally.worst else None,
        "faulty": tally.faulty,
    }


def headline(outcome: Outcome) -> str:
    """Say what the numbers are of."""
    family = outcome.family
    extent = f"all {outcome.count:,}" if outcome.complete else f"{outcome.chains:,} of {outcome.count:,}"
    return (
        f"family {family.name} (layers {_range(family.layers)}, levels {_range(family.levels)}, choices "
        f"{family.letters}), seed {outcome.seed}: {extent} chains. A sample of this family; other chains fare otherwise"
    )


def table(tallies: Sequence[Tally]) -> list[dict[str, str]]:
    """Return the tallies as text, a row each."""
    return [
        {
            "accounting": tally.accounting,
            "plan": tally.plan,
            "chains": f"{tally.decided:,}" + (f" (+{tally.undecided:,} undecided)" if tally.undecided else ""),
            "missed": f"{tally.missed:,}",
            "share": percent(tally.fraction),
            "95 % interval": "-" if tally.low is None else f"{percent(tally.low)} to {percent(tally.high)}",
            "median": percent(tally.median),
            "90th": percent(tally.ninetieth),
            "99th": percent(tally.ninety_ninth),
            "largest": percent(tally.largest),
            "worst": str(tally.worst[0]) if tally.worst else "-",
        }
        for tally in tallies
    ]


def percent(value: float | Fraction | None) -> str:
    """Return a share in per cent with three significant digits."""
    return "-" if value is None else f"{100 * float(value):.3g} %"


def lines(shrunk: Sequence[Shrunk]) -> list[str]:
    """Say what every counterexample shrank to."""
    return [
        f"{one.accounting}: chain {one.origin} shrinks to {one.size} ({one.tries:,} tried"
        f"{'' if one.finished else ', not to the end'}): "
        f"hypar-dp {one.greedy}, joint-dp {one.optimum}, gap {percent(one.gap)}"
        for one in shrunk
    ]


def show(console: Console, outcome: Outcome, shrunk: Sequence[Shrunk] = ()) -> None:
    """Print the tallies, and the counterexamples below."""
    from hypar_opt.report.listing import show as show_rows

    console.print(headline(outcome))
    show_rows(console, table(outcome.tallies))
    console.print(LEGEND)
    for text, one in zip(lines(shrunk), shrunk, strict=True):
        console.print(f"\n{text}\n{instance_text(one.document)}", end="")


def prepare(folder: Path) -> None:
    """Make the folder, and find out before the work whether the files can be written.

    Raises
    ------
    InputError
        If they cannot.
    """
    make_folder(folder)
    for name in FILES:
        check_writable(folder / name)


def write_files(outcome: Outcome, shrunk: Sequence[Shrunk], folder: Path) -> list[Path]:
    """Write campaign.csv, .md and .json and an instance file for every counterexample; return their paths."""
    import pandas as pd

    make_folder(folder)
    flat = pd.DataFrame([row(tally) for tally in outcome.tallies], dtype=object)
    texts = {
        "campaign.csv": flat.to_csv(index=False),
        "campaign.md": markdown(outcome, shrunk),
        "campaign.json": json.dumps(document(outcome, shrunk), indent=1) + "\n",
    }
    texts |= {f"{one.document['name']}.yaml": instance_text(one.document, *lines([one])) for one in shrunk}
    for name, text in texts.items():
        write_atomically(folder / name, text)
    return [folder / name for name in texts]


def markdown(outcome: Outcome, shrunk: Sequence[Shrunk] = ()) -> str:
    """Return the tallies as Markdown, with what they are of."""
    import pandas as pd

    body = pd.DataFrame(table(outcome.tallies)).to_markdown(index=False, disable_numparse=True)
    parts = ["# Campaign", "", f"{headline(outcome)}.", "", body, "", f"{LEGEND}.", ""]
    for text, one in zip(lines(shrunk), shrunk, strict=True):
        parts += [f"{text}.", "", *(f"    {line}" for line in instance_text(one.document).splitlines()), ""]
    return "\n".join(parts)


def _counterexample(one: Shrunk) -> dict[str, Any]:
    return {
        "accounting": one.accounting,
        "chain": one.origin,
        "greedy": str(one.greedy),
        "optimum": str(one.optimum),
        "gap": str(one.gap),
        "tries": one.tries,
        "instance": one.document,
    }


def _range(bounds: tuple[int, int]) -> str:
    return str(bounds[0]) if bounds[0] == bounds[1] else f"{bounds[0]} to {bounds[1]}"
