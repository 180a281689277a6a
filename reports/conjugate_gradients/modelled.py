"""Iterations on sixteen workers, by counted operations: synchronisation, iterations to fuse, noise."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cache
from statistics import mean

from hypar_opt.studies.conjugate_gradient import VARIANTS, Loop, Noise, unroll
from hypar_opt.studies.conjugate_gradient.dispatch import dispatch, whole
from hypar_opt.studies.conjugate_gradient.disturbed import disturbed
from hypar_opt.studies.conjugate_gradient.fusing import best_fuses, fused_iterations, fused_times
from hypar_opt.studies.conjugate_gradient.matrices import MATRICES, PUBLISHED_FUSE
from hypar_opt.studies.conjugate_gradient.synchronisations import synchronisations

from .cases import (
    BLOCKS,
    FREQUENCIES,
    FUSES,
    ITERATIONS,
    NOISE,
    PUBLISHED_BEST,
    PUBLISHED_NOISE,
    SEEDS,
    SYNCHRONISATIONS,
    WORKERS,
    durations,
    loop,
)  # fmt: skip

TOLD = {"pcg": "3", "pipelined-cg": "1 and the barrier", "ifcg1": "hidden", "ifcg2": "hidden"}
"""Synchronisation points an iteration, as the slides say."""
FASTER = ("chronopoulos-cg", "ifcg1", "ifcg2")
"""Which overtake PCG where synchronising is slow."""


def points():
    """Yield what synchronises in an iteration between others, and how many of the tasks of five can be beside it."""
    for variant in VARIANTS:
        steps = unroll(Loop(VARIANTS[variant], 3, 5, fuse=5), closed=True)
        found = [one for one in synchronisations(steps, 3) if one.name.split(".")[1] == "2"]
        yield {
            "variant": variant,
            "points": ", ".join(one.name.split(".")[0] for one in found),
            "tasks beside each": ", ".join(str(one.beside) for one in found),
            "as told": TOLD.get(variant, ""),
        }


@cache
def steps_of(variant):
    """Return the steps between two barriers of fused variants, the last one's barrier with them."""
    return unroll(loop(variant), closed=True)


def iteration_times():
    """Yield a row a matrix and cost of synchronising: microseconds an iteration, by variant."""
    for matrix in MATRICES:
        for pause in SYNCHRONISATIONS:
            row = {"matrix": matrix, "synchronising": pause}
            for variant in VARIANTS:
                steps = steps_of(variant)
                units, (seconds,) = whole(durations(matrix, pause, variant).of_all(steps, BLOCKS))
                length = Fraction(dispatch(steps, seconds, WORKERS).length, units)
                row[variant] = length / ITERATIONS * 1_000_000
            yield row


def iteration_table(rows):
    """Return microseconds as whole numbers, the least of each row first told."""
    return [
        {
            "matrix": row["matrix"],
            "us to synchronise": str(row["synchronising"]),
            **{variant: f"{round(row[variant]):,}" for variant in VARIANTS},
            "least": min(VARIANTS, key=lambda one: row[one]),
        }
        for row in rows
    ]


def even_at(matrix, variant, other="pcg", most=1024):
    """Return from how many whole microseconds of synchronising on a variant is the faster."""

    def faster(pause):
        length = {}
        for one in (variant, other):
            steps = steps_of(one)
            units, (seconds,) = whole(durations(matrix, pause, one).of_all(steps, BLOCKS))
            length[one] = Fraction(dispatch(steps, seconds, WORKERS).length, units)
        return length[variant] < length[other]

    return bisect_left(range(most), True, key=faster)


def even_table():
    """Return a row a matrix: microseconds of synchronising from which on others are faster than PCG."""
    return [
        {"us from which faster than pcg": matrix, **{one: f"{even_at(matrix, one):,}" for one in FASTER}}
        for matrix in MATRICES
    ]


def fuse_rows(variant="ifcg1", pause=10):
    """Yield a row a matrix and number of fused iterations."""
    for matrix, one in MATRICES.items():
        needed = one.iterations["pipelined-cg"]
        times = fused_times(loop(variant), durations(matrix, pause, variant), WORKERS, FUSES, [needed])[needed]
        best, possible = best_fuses(times)
        for time in times:
            yield {
                "matrix": matrix,
                "fuse": time.fuse,
                "needed": needed,
                "iterations": time.iterations,
                "least": time.least,
                "found": time.found,
                "best": best,
                "possible": possible,
            }


def fuse_table(rows):
    """Return a row a matrix: how many times as long as with the best, what is best, and what was measured."""
    found = {}
    for row in rows:
        found.setdefault(row["matrix"], []).append(row)
    return [
        {
            "matrix": matrix,
            "needed": f"{several[0]['needed']:,}",
            **{
                str(one["fuse"]): f"{float(one['found'] / min(two['found'] for two in several)):.3f}" for one in several
            },
            "best": ", ".join(map(str, several[0]["possible"])),
            "measured best": str(PUBLISHED_BEST.get(matrix, PUBLISHED_FUSE)),
        }
        for matrix, several in found.items()
    ]


def published_iterations():
    """Return a row a matrix: iterations of pipelined and fused variants as published, and what follows of the first."""
    return [
        {
            "matrix": name,
            "pipelined": f"{one.iterations['pipelined-cg']:,}",
            "next multiple of 20": f"{fused_iterations(one.iterations['pipelined-cg'], PUBLISHED_FUSE):,}",
            "published": f"{one.iterations['ifcg1']:,}",
        }
        for name, one in MATRICES.items()
    ]


def noise_rows(pause=10):
    """Yield a row a matrix, variant, frequency and seed."""
    for matrix in MATRICES:
        for variant in PUBLISHED_NOISE[FREQUENCIES[0]]:
            for frequency in FREQUENCIES:
                for seed in SEEDS:
                    noise = Noise(NOISE, seed, Fraction(frequency))
                    found = disturbed(loop(variant), durations(matrix, pause, variant), WORKERS, noise)
                    yield {
                        "matrix": matrix, "variant": variant, "frequency": frequency, "seed": seed,
                        "work": found.work, "online": found.online, "planned": found.planned,
                    }  # fmt: skip


def noise_table(rows):
    """Return a row a frequency and matrix: by variant the per cent that are lost online, and by a planned order."""
    rows, found = list(rows), []
    for frequency in FREQUENCIES:
        for matrix in (*MATRICES, "mean"):
            there = [one for one in rows if one["frequency"] == frequency and matrix in (one["matrix"], "mean")]
            line = {"Hz": f"{frequency:,}", "matrix": matrix}
            for variant in PUBLISHED_NOISE[frequency]:
                own = [one for one in there if one["variant"] == variant]
                line[variant] = " / ".join(f"{100 * float(mean(one[way] for one in own) - 1):.1f}" for way in WAYS)
            found.append(line)
        told = {variant: f"{percent:.1f}" for variant, percent in PUBLISHED_NOISE[frequency].items()}
        found.append({"Hz": f"{frequency:,}", "matrix": "measured, mean", **told})
    return found


WAYS = ("online", "planned")
