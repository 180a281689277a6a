"""The problems of the study, and what comes of each."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from hypar_opt.studies.transfers.comparison import compare_transfers
from hypar_opt.studies.transfers.rules import transfer_rules
from hypar_opt.studies.transfers.sending import send_by
from hypar_opt.studies.transfers.sources import load_step
from hypar_opt.util.numbers import decimal

ARRAY = "hypar-16"
NETWORKS = (
    "sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e",
    "alexnet-full", "resnet-18", "resnet-34", "resnet-50",
)  # fmt: skip
WORKERS = 16
LOADS = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))
"""Seconds of all transfers, without start-ups, over seconds of computing: what a bandwidth is beside a network."""
CHUNK = 4 * 10**6
"""Bytes of a chunk."""
LARGER = (4, 16)
"""Times as large chunks that priority may choose from, or none."""
START_UPS = (Fraction(0), Fraction(1, 100), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1))
"""Seconds of a start-up over those of a chunk."""
STATES = 60
"""Which the search for the best of whole gradients keeps at once."""
DIGITS = 7
"""Significant ones, in the CSV."""
PROPHETS = ("prophet", "prophet-chunks", "prophet-busy")
PRIORITIES = ("priority", "priority-chunks")


def steps_of(profiles: Path | None):
    """Yield the data-parallel steps: of networks on an array, and of profiles in a folder."""
    for name in NETWORKS:
        yield "network", load_step(name, array=ARRAY)
    for path in sorted(profiles.glob("*.txt")) if profiles else ():
        step = load_step(str(path), WORKERS)
        yield "profile", replace(step, name=f"{step.name} (profile)")


def rows_of(kind, step):
    """Yield a row for every load and every start-up: ends beside the optimum with gradients cut anywhere.

    `start-ups` is what all gradients would pay, each by itself, beside that optimum.
    """
    for load in LOADS:
        bandwidth = step.sent / (load * step.computing)
        chunk = CHUNK / bandwidth
        for share in START_UPS:
            problem = step.problem(bandwidth, share * chunk)
            found = compare_transfers(problem, chunk, STATES)
            rule = transfer_rules()["priority-chunks"]
            tuned = min(
                found.by_rule["priority"].end,
                found.by_rule["priority-chunks"].end,
                *(send_by(rule, problem, times * chunk).end for times in LARGER),
            )
            ends = {name: sent.end for name, sent in found.by_rule.items()}
            yield {
                "step": step.name,
                "kind": kind,
                "gradients": len(problem.gradients),
                "load": load,
                "bytes a second": bandwidth,
                "start-up": share,
                "start-ups": len(problem.gradients) * problem.start_up / found.best.end,
                "unhindered": problem.unhindered / found.best.end,
                "optimum, s": found.best.end,
                **{name: end / found.best.end for name, end in ends.items()},
                "priority-tuned": tuned / found.best.end,
                "whole": found.whole.sent.end / found.best.end,
                "whole, not below": found.whole.bound / found.best.end,
            }


def written(row):
    """Return a row as the CSV has it: loads and start-ups exactly, all else with so many digits."""
    found = {name: str(row[name]) for name in ("step", "kind", "gradients", "load", "start-up")}
    return {name: found.get(name) or decimal(value, DIGITS).replace(",", "") for name, value in row.items()}


def gain(row, over):
    """Return by what share Prophet, as it does best, is faster than rules of priority."""
    return min(row[name] for name in over) / min(row[name] for name in PROPHETS) - 1
