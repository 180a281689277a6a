"""python -m reports.collectives: schedules of all-reduces simulated, in lockstep and without; some 2 minutes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from statistics import median

from hypar_opt.report.charts.export import picture
from hypar_opt.studies.simulation.collective import MessageFormat, simulate_collective
from hypar_opt.util.files import write_bytes_to_folder, write_to_folder
from reports.operators.page import as_csv, count, page

from . import texts
from .figure import WAYS, interface_figure
from .schedules import (
    ARRAYS,
    CLOCK,
    LINK,
    MESSAGE,
    PACKETS,
    SIZES,
    at_random,
    by_steps,
    collective,
    greedy_by,
    of_size,
    scheduled,
)

FOLDER = Path(__file__).parent
SEEDS = 12
PUBLISHED = {
    "ring": ("ring", 1, 5_759_203),
    "ring both ways": ("bidirectional-ring", 2, 2_878_614),
    "ring in two dimensions": ("ring-2d", 1, 5_358_805),
    "double tree": ("double-binary-tree", 1, 12_222_424),
    "MultiTree": ("multitree", 1, 3_486_364),
}
"""Formulation, chunks, and cycles that are published of an 8x8 mesh at 64 MiB (TTO's artefact, HPCA 2024)."""
CYCLES_A_FLIT = 21
"""8,192 bytes are 17 flits of 512 bytes there, and take 357 cycles."""
FORMATS = {"packets": PACKETS, "messages": MESSAGE}


def rows_of(name, array):
    """Yield a row a size: cycles of MultiTree's all-reduce by each way, and what waits."""
    trees = scheduled(collective(array, SIZES["64 MiB"], LINK), "multitree")
    for size, bytes_ in SIZES.items():
        judged = of_size(trees, bytes_)
        found = {
            f"{sending.replace('-', ' ')}, {form}": simulate_collective(judged, sending, message)
            for sending in ("greedy", "in-order", "lockstep")
            for form, message in FORMATS.items()
        }
        greedy = found["greedy, packets"]
        yield {
            "array": name,
            "bytes": size,
            "steps": judged.steps,
            **{way: one.time * CLOCK for way, one in found.items()},
            "sends": len(judged.schedule.sends),
            "waited": greedy.waiting.sends,
            "mean wait": greedy.waiting.total / len(judged.schedule.sends) * CLOCK,
            "longest wait": greedy.waiting.longest * CLOCK,
        }


def ties(name, array):
    """Return what greedy sends take beside lockstep, by who goes first of those that come together."""
    trees = scheduled(collective(array, SIZES["64 MiB"], LINK), "multitree")
    lockstep = simulate_collective(trees, "lockstep", PACKETS).time
    drawn = [greedy_by(trees, PACKETS, at_random(seed)) / lockstep for seed in range(SEEDS)]
    return {
        "array": name,
        "by chunk": _times(simulate_collective(trees, "greedy", PACKETS).time / lockstep),
        "by step": _times(greedy_by(trees, PACKETS, by_steps) / lockstep),
        "drawn, least": _times(min(drawn)),
        "median": _times(median(drawn)),
        "most": _times(max(drawn)),
    }


def published():
    """Yield rows of an 8x8 mesh at 64 MiB: what is published, and what is simulated in its format."""
    link, message = {"bandwidth": 512 * CLOCK}, MessageFormat(512, 16)
    for name, (formulation, chunks, cycles) in PUBLISHED.items():
        judged = scheduled(collective(ARRAYS["mesh 8x8"], 2**26, link, chunks), formulation)
        ways = [
            simulate_collective(judged, one, message).time * CLOCK * CYCLES_A_FLIT for one in ("lockstep", "greedy")
        ]
        yield name, judged.steps, cycles, *ways


def published_rows(found):
    """Return the same as a table."""
    (_, _, ring, *rings), *_ = found
    return [
        {
            "all-reduce": name,
            "steps": count(steps),
            "published": count(cycles),
            "lockstep": count(ways[0]),
            "off by": _percent(ways[0] / cycles - 1),
            "greedy": count(ways[1]),
            "off by ": _percent(ways[1] / cycles - 1),
            "ring to it": f"{ring / cycles:.3f}",
            "lockstep ": f"{float(rings[0] / ways[0]):.3f}",
            "greedy ": f"{float(rings[1] / ways[1]):.3f}",
        }
        for name, steps, cycles, *ways in found
    ]


def _times(ratio):
    return f"{float(ratio):.3f}"


def _percent(ratio):
    return f"{100 * float(ratio):.2f} %"


def gains(rows):
    """Return what lockstep and larger messages save, as a table."""
    return [
        {
            "array": row["array"],
            "bytes": row["bytes"],
            "steps": count(row["steps"]),
            **{way: f"{round(row[way]):,}" for way in WAYS},
            "lockstep saves": _percent(1 - row["lockstep, packets"] / row["greedy, packets"]),
            "messages save": _percent(1 - row["lockstep, messages"] / row["lockstep, packets"]),
            "both": _percent(1 - row["lockstep, messages"] / row["greedy, packets"]),
        }
        for row in rows
    ]


def waits(rows):
    """Return what greedy sends wait for, as a table."""
    return [
        {
            "array": row["array"],
            "bytes": row["bytes"],
            "sends": count(row["sends"]),
            "of these waited": _percent(Fraction(row["waited"], row["sends"])),
            "mean wait, cycles": f"{round(row['mean wait']):,}",
            "longest": f"{round(row['longest wait']):,}",
            "of the time": _percent(row["longest wait"] / row["greedy, packets"]),
        }
        for row in rows
    ]


def main():
    """Write the page, its table and its picture."""
    rows = [row for name, array in ARRAYS.items() for row in rows_of(name, array)]
    of_ties = [ties(name, array) for name, array in ARRAYS.items()]
    theirs = published_rows(list(published()))
    parts = (
        texts.OPENING, texts.GAINS, gains(rows), texts.GAINED, texts.WAITING, waits(rows), texts.TIES, of_ties,
        texts.PUBLISHED, theirs, texts.COMPARED, texts.LEFT,
    )  # fmt: skip
    write_to_folder(FOLDER, {"network-interface.md": page(texts.TITLE, *parts), "network-interface.csv": as_csv(rows)})
    write_bytes_to_folder(FOLDER, {"network-interface.svg": picture(interface_figure(rows), "svg")})


if __name__ == "__main__":
    main()
