"""A campaign's tallies as text and as plain data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.report.earlier import LISTING, write_anew
from hypar_opt.report.numbers import percent
from hypar_opt.report.set_aside import set_aside_files, set_aside_rows, set_aside_texts, told_aside
from hypar_opt.report.tables import csv_lines, markdown_grid, text_table
from hypar_opt.studies.random_instances import CampaignOutcome, Shrunk, Tally, instance_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction
    from pathlib import Path

    from rich.console import Console


LEGEND: Final = (
    "missed: the plan costs more than the optimum that joint-dp proved, as a share of the chains with such a proof, "
    "with its exact 95 % confidence interval (Clopper-Pearson); median to largest: of the missed chains' gaps, "
    "(cost - optimum) / optimum; worst: the index of the chain with the largest"
)


def document(outcome: CampaignOutcome, shrunk: Sequence[Shrunk] = ()) -> dict[str, Any]:
    """Return what a campaign found as plain data; fractions as exact text beside their rounded values."""
    return {
        "family": outcome.family.document(),
        "seed": outcome.seed,
        "count": outcome.count,
        "accountings": list(outcome.accountings),
        "chains": outcome.chains,
        "complete": outcome.complete,
        "tallies": [row(tally) for tally in outcome.tallies],
        "faulty": [{"accounting": accounting, "chain": chain} for accounting, chain in outcome.faulty],
        "set_aside": set_aside_rows(outcome.set_aside, "chain"),
        "counterexamples": [
            {
                "accounting": one.accounting,
                "chain": one.origin,
                "greedy": str(one.greedy),
                "optimum": str(one.optimum),
                "gap": str(one.gap),
                "tries": one.tries,
                "instance": one.document,
            }
            for one in shrunk
        ],
    }


COUNTED: Final = ("accounting", "plan", "decided", "undecided", "missed", "fraction", "low", "high")
"""Of a tally, as they are."""


def row(tally: Tally) -> dict[str, Any]:
    """Return a tally as one flat row; unknown is None, never a made-up number."""
    quantiles = {name: getattr(tally, name) for name in ("median", "ninetieth", "ninety_ninth", "largest")}
    return {
        **{name: getattr(tally, name) for name in COUNTED},
        **{name: None if gap is None else float(gap) for name, gap in quantiles.items()},
        "largest_exact": None if tally.largest is None else str(tally.largest),
        "worst": tally.worst[0] if tally.worst else None,
        "faulty": len(tally.faulty),
    }


def headline(outcome: CampaignOutcome) -> str:
    """Say what the numbers are of."""
    family = outcome.family
    extent = f"all {outcome.count:,}" if outcome.complete else f"{outcome.chains:,} of {outcome.count:,}"
    aside = f", {len(outcome.set_aside):,} set aside" if outcome.set_aside else ""
    return (
        f"family {family.name} (layers {_range(family.layers)}, levels {_range(family.levels)}, choices "
        f"{family.letters}), seed {outcome.seed}: {extent} chains{aside}"
        ". A sample of this family; other chains fare otherwise"
    )


def table(tallies: Sequence[Tally]) -> list[dict[str, str]]:
    """Return the tallies as text, a row each."""
    return [
        {
            "accounting": tally.accounting,
            "plan": tally.plan,
            "chains": f"{tally.decided:,}" + (f" (+{tally.undecided:,} undecided)" if tally.undecided else ""),
            "missed": f"{tally.missed:,}",
            "share": _percent(tally.fraction),
            "95 % interval": "-" if tally.low is None else f"{_percent(tally.low)} to {_percent(tally.high)}",
            "median": _percent(tally.median),
            "90th": _percent(tally.ninetieth),
            "99th": _percent(tally.ninety_ninth),
            "largest": _percent(tally.largest),
            "worst": str(tally.worst[0]) if tally.worst else "-",
        }
        for tally in tallies
    ]


def lines(shrunk: Sequence[Shrunk]) -> list[str]:
    """Say what every counterexample shrank to."""
    return [
        f"{one.accounting}: chain {one.origin} shrinks to {one.size} ({one.tries:,} tried"
        f"{'' if one.finished else ', not to the end'}): "
        f"hypar-dp {one.greedy}, joint-dp {one.optimum}, gap {_percent(one.gap)}"
        for one in shrunk
    ]


def _percent(value: float | Fraction | None) -> str:
    return "-" if value is None else percent(value)


def fault(outcome: CampaignOutcome) -> str | None:
    """Say how many rows cannot be, and which is the first; None where there is none."""
    if not outcome.faulty:
        return None
    (accounting, chain), *more = outcome.faulty
    results = f"{1 + len(more):,} results cannot be true, the first" if more else "a result cannot be true,"
    return (
        f"{results} that of chain {chain} of family {outcome.family.name}, seed {outcome.seed}, under {accounting}; "
        "--json lists them"
    )


def show(console: Console, outcome: CampaignOutcome, shrunk: Sequence[Shrunk] = ()) -> None:
    """Print the tallies, and the counterexamples below."""
    from hypar_opt.report.console import show as show_rows

    console.print(headline(outcome))
    show_rows(console, table(outcome.tallies))
    console.print(LEGEND)
    for text, one in zip(lines(shrunk), shrunk, strict=True):
        console.print(f"\n{text}\n{instance_text(one.document)}", end="")


def _range(bounds: tuple[int, int]) -> str:
    return str(bounds[0]) if bounds[0] == bounds[1] else f"{bounds[0]} to {bounds[1]}"


FILES: Final = ("campaign.csv", "campaign.md", LISTING)


def write_files(outcome: CampaignOutcome, shrunk: Sequence[Shrunk], folder: Path) -> tuple[list[Path], list[Path]]:
    """Write campaign.csv, .md and .json and an instance file for every counterexample, and for what was set aside.

    Returns
    -------
    What was written, and what was removed: the instance files of an earlier campaign that its campaign.json has.
    """
    flat = [row(tally) for tally in outcome.tallies]
    texts = {
        "campaign.csv": csv_lines([*flat[0]], ([*one.values()] for one in flat)),
        "campaign.md": markdown(outcome, shrunk),
        LISTING: json.dumps(document(outcome, shrunk), indent=1),
    }
    texts |= {f"{one.document['name']}.yaml": instance_text(one.document, *lines([one])) for one in shrunk}
    texts |= set_aside_texts(outcome.set_aside, "chain")
    return write_anew(folder, texts, _named)


def markdown(outcome: CampaignOutcome, shrunk: Sequence[Shrunk] = ()) -> str:
    """Return the tallies as Markdown, with what they are of."""
    body = markdown_grid(text_table(table(outcome.tallies)))
    parts = ["# Campaign", "", f"{headline(outcome)}.", "", body, "", f"{LEGEND}.", ""]
    for one in outcome.set_aside:
        parts += [f"{told_aside(one, 'chain')}.", ""]
    for text, small in zip(lines(shrunk), shrunk, strict=True):
        parts += [f"{text}.", "", *(f"    {line}" for line in instance_text(small.document).splitlines()), ""]
    return "\n".join(parts)


def _named(found: Any) -> Iterator[tuple[str, Any]]:
    """Yield what campaigns call the instance files that they list, and what is in them."""
    for one in found["counterexamples"]:
        name = f"{found['family']['name']}-{found['seed']}-{one['chain']}-{one['accounting']}"
        if one["instance"]["name"] == name and not set(name) & set("/\\\0"):
            yield f"{name}.yaml", one["instance"]
    aside = found.get("set_aside", ())
    names = set_aside_files("chain", ((int(one["chain"]), ACCOUNTINGS[one["accountings"][0]].name) for one in aside))
    yield from zip(names, (one["instance"] for one in aside), strict=True)
