"""What a million rows of a campaign take, in SQLite and in Parquet: written until a kill, gone on with, reported."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from reports.benchmarks.protocol import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.studies.random_instances import CampaignRow

ACCOUNTINGS: Final = ("published", "as-evaluated", "receiver", "leaf-exact", "collective")
CHAINS: Final = int(os.environ.get("CHAINS", "200000"))
"""Under five accountings, a row each."""
SEED: Final = 0
AT_A_TIME: Final = 400
"""Chains of a batch: some 2,000 rows, what a campaign of many processes writes in half a second."""
STORES: Final = ("rows.sqlite", "rows.parquet")
TITLE = f"Stores of campaigns: {len(ACCOUNTINGS) * CHAINS:,} rows"
NOTES = (
    f"Rows of {CHAINS:,} chains under {len(ACCOUNTINGS)} accountings, drawn with a seed and not solved for: they have "
    "the columns, lengths and shares of a campaign's (a quarter missed, whole costs of eight digits, under "
    "`leaf-exact` what the published plan costs), but say nothing of chains. Drawing them is in `write` and `go on`.",
    f"Each step is a process of its own: `write` adds half of the rows, {AT_A_TIME * len(ACCOUNTINGS):,} at a time, "
    "and is then killed (SIGKILL); `go on` opens the store, which checks every row that is there, adds what is missing "
    "and closes it; `report` reads it once, sums it up and writes the tables. Seconds of the processor, user and "
    "system, and of the clock (other work ran beside it); peak memory of the whole process, most of "
    "it libraries. That both stores give the same tables, byte for byte, is asserted.",
)


def drawn(chain: int, accountings: tuple[str, ...]) -> Iterator[CampaignRow]:
    """Yield the rows of a chain."""
    from hypar_opt.studies.random_instances import CampaignRow

    for name in accountings:
        dice = Random(f"{SEED} {chain} {name}")
        optimum = dice.randrange(1_000_000, 90_000_000)
        greedy = optimum + (dice.randrange(1, optimum // 10) if dice.random() < 0.25 else 0)
        gap = Fraction(greedy - optimum, optimum)
        yield CampaignRow(
            "chains", SEED, chain, name, dice.randrange(2, 9), dice.randrange(2, 5), dice.randrange(1, 1025), "dm",
            f"{dice.getrandbits(256):064x}", "FEASIBLE", "OPTIMAL", str(greedy), str(optimum), str(gap), float(gap),
            str(optimum + dice.randrange(3)) if name == "leaf-exact" else None,
        )  # fmt: skip


def fill(path: Path, most: int | None) -> None:
    """Add missing rows, of so many chains at most; then die, where there is a most."""
    from hypar_opt.studies.random_instances import FAMILIES, open_store

    with open_store(path, FAMILIES["chains"], SEED) as store:
        lacking = islice(store.missing(CHAINS, ACCOUNTINGS), most)
        while batch := list(islice(lacking, AT_A_TIME)):
            store.add([row for chain, names in batch for row in drawn(chain, names)])
        if most is not None:
            say()
            os.kill(os.getpid(), signal.SIGKILL)
        assert store.complete(CHAINS, ACCOUNTINGS) == CHAINS


def report(path: Path) -> None:
    """Sum a store up, and write the tables beside it."""
    from hypar_opt.report.random_instances import write_files
    from hypar_opt.studies.random_instances import recorded_outcome

    write_files(recorded_outcome(path), [], path.with_name(f"{path.name}.tables"))


def say() -> None:
    """Print what this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    sys.stdout.write(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
    sys.stdout.flush()


STEPS: Final = {
    "write": lambda path: fill(path, CHAINS // 2),
    "go on": lambda path: fill(path, None),
    "report": report,
}


def run() -> None:
    """Measure both stores, and write the table."""
    import time

    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for store in STORES:
            for step in STEPS:
                began = time.perf_counter()
                command = [sys.executable, "-m", "reports.benchmarks.campaign_stores", step, str(folder / store)]
                ended = subprocess.run(command, capture_output=True, text=True, check=False)
                assert ended.returncode == (-signal.SIGKILL if step == "write" else 0), ended.stderr
                seconds, peak = json.loads(ended.stdout)
                rows.append(
                    {
                        "store": store.partition(".")[2],
                        "step": step,
                        "processor s": round(seconds, 1),
                        "clock s": round(time.perf_counter() - began, 1),
                        "peak MiB": round(peak),
                        "store MB": round(_bytes(folder / store) / 1e6),
                        "files": sum(1 for _ in _files(folder / store)),
                    }
                )
                sys.stderr.write(f"{rows[-1]}\n")
        for file in ("campaign.csv", "campaign.md", "campaign.json"):
            one, other = ((folder / f"{store}.tables" / file).read_bytes() for store in STORES)
            assert one == other
    write("campaign_stores", TITLE, rows, NOTES)


def _files(path: Path) -> Iterator[Path]:
    return (one for one in ([path] if path.is_file() else path.rglob("rows-*")))


def _bytes(path: Path) -> int:
    return sum(one.stat().st_size for one in _files(path))


if __name__ == "__main__":
    STEPS[sys.argv[1]](Path(sys.argv[2]))
    say()
