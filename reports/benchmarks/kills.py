"""A campaign whose workers are killed at random while it runs has the rows of one that nothing happens to."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from reports.benchmarks.protocol import write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psutil

COUNT: Final = int(os.environ.get("COUNT", "5000"))
KILLS: Final = int(os.environ.get("KILLS", "50"))
ACCOUNTINGS: Final = ("--accounting", "published", "--accounting", "receiver")
SEED: Final = 0
"""Of the dice that say when which worker is killed."""
ENGINES: Final = ("dask:2", "local:2")
PROGRAM: Final = str(Path(sysconfig.get_path("scripts")) / "hypar-opt")
FORKED: Final = "--multiprocessing-fork"
"""Which the command lines of worker processes have, and that of Python's resource tracker has not."""
STORE: Final = "chains.sqlite"
TABLES: Final = ("campaign.csv", "campaign.md", "campaign.json")
TITLE: Final = f"Campaigns of {COUNT:,} chains whose workers are killed"
NOTES: Final = (
    f"`hypar-opt campaign chains --count {COUNT} {' '.join(ACCOUNTINGS)} --no-shrink --store FILE -o FOLDER "
    "--json-lines`, as a user runs it, "
    f"with `--workers 1` or `--on`. Dice of seed {SEED} say at how many chains done the next worker is killed (one "
    f"kill in each of {KILLS + 1} equal parts of the chains, but for the last), and which of the worker processes "
    "that live then, whether it works or has only begun: by `SIGKILL`, and it is gone before anything else is done. "
    "So all kills happen while the campaign runs.",
    "`rows` are those in the store at the end. They, and the written tables, are those of one process without kills, "
    "byte for byte: asserted, or there would be no table. `set aside`: chains during which three workers died, one "
    "after the other, which kills at random could do, too. Such chains have no rows; the same command again, "
    "without kills, adds them, and the rows are compared then.",
    "`s`: from the command's beginning to its end, with other work on the machine. A worker that was killed is begun "
    "again, which takes some four seconds of a processor here: it imports the solvers.",
)


@dataclass(frozen=True)
class Ended:
    """A campaign that has ended.

    Parameters
    ----------
    rows
        All that the store has, by accounting and chain.
    tables
        Bytes of the files written, in the order of `TABLES`.
    set_aside
        Chains without rows.
    kills
        Workers that were killed.
    seconds
        From the command's beginning to its end.
    """

    rows: list[tuple[Any, ...]]
    tables: list[bytes]
    set_aside: list[int]
    kills: int
    seconds: float


def campaign(folder: Path, count: int, arguments: Sequence[str], kills: int = 0) -> Ended:
    """Run a campaign by the command, and kill so many of its workers on the way.

    Raises
    ------
    AssertionError
        If the command does not end as it should, or before all kills were done.
    """
    began = time.perf_counter()
    command = [PROGRAM, "campaign", "chains", "--count", str(count), "--no-shrink", "--json-lines"]
    command += ["--store", str(folder / STORE), "-o", str(folder / "tables"), *arguments]
    killed, result = 0, {}
    with (folder / "stderr").open("w+", encoding="utf-8") as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
        assert process.stdout is not None
        with process:
            try:
                for result in map(json.loads, process.stdout):
                    if killed < kills and result.get("done", -1) >= moment(killed, kills, count):
                        killed += kill_one(process.pid, killed)
            except BaseException:
                process.kill()
                raise
        said.seek(0)
        errors = said.read()
    set_aside = [one["chain"] for one in result.get("set_aside", ())]
    assert process.returncode == (1 if set_aside else 0), errors
    assert "Traceback" not in errors, errors
    assert killed == kills, f"the campaign ended after {killed} kills"
    return Ended(*recorded(folder), set_aside, kills, time.perf_counter() - began)


def recorded(folder: Path) -> tuple[list[tuple[Any, ...]], list[bytes]]:
    """Return all rows of the store in a campaign's folder, and its tables."""
    with closing(sqlite3.connect(folder / STORE)) as database:
        rows = list(database.execute("SELECT * FROM rows ORDER BY accounting, chain"))
    return rows, [(folder / "tables" / name).read_bytes() for name in TABLES]


def moment(kill: int, kills: int, count: int) -> float:
    """Return at how many chains done a kill is due, the first being 0."""
    return count * (kill + Random(f"{SEED} moment {kill}").random()) / (kills + 1)


def kill_one(parent: int, kill: int) -> bool:
    """Kill one of a command's workers, and return whether there was one that lived."""
    import psutil

    living = sorted(_workers(psutil.Process(parent)), key=lambda one: one.pid)
    if not living:
        return False
    one = living[Random(f"{SEED} worker {kill}").randrange(len(living))]
    try:
        one.kill()
        one.wait(10)
    except psutil.NoSuchProcess:
        return False
    return True


def _workers(parent: psutil.Process) -> Iterator[psutil.Process]:
    import psutil

    for one in parent.children():
        try:
            if one.status() != psutil.STATUS_ZOMBIE and FORKED in one.cmdline():
                yield one
        except psutil.NoSuchProcess:
            continue


def compared(folder: Path, count: int, arguments: Sequence[str], kills: int, alone: Ended) -> Ended:
    """Run a campaign with kills, and assert that it ends as that of one process did; return what it was at its end.

    Where chains were set aside these alone have no rows, and the same command adds them.
    """
    ended = campaign(folder, count, arguments, kills)
    assert {row[2] for row in {*alone.rows} - {*ended.rows}} == {*ended.set_aside}, "rows are missing, or other ones"
    whole = campaign(folder, count, arguments) if ended.set_aside else ended
    assert whole.rows == alone.rows, "other rows"
    assert whole.tables == alone.tables, "other tables"
    return ended


def run() -> None:
    """Run all campaigns, and write the table."""
    shown: list[dict[str, Any]] = []

    def show(name: str, one: Ended, equal: str | None) -> None:
        shown.append(
            {
                "workers": name, "chains": COUNT, "rows": len(one.rows), "kills": one.kills,
                "set aside": len(one.set_aside), "equal": equal, "s": round(one.seconds),
            }
        )  # fmt: skip
        sys.stderr.write(f"{shown[-1]}\n")

    with tempfile.TemporaryDirectory() as name:
        folders = {one: Path(name) / one.replace(":", "-") for one in ("alone", *ENGINES)}
        for folder in folders.values():
            folder.mkdir()
        alone = campaign(folders["alone"], COUNT, [*ACCOUNTINGS, "--workers", "1"])
        show("one process", alone, None)
        for engine in ENGINES:
            show(engine, compared(folders[engine], COUNT, [*ACCOUNTINGS, "--on", engine], KILLS, alone), "yes")
    write("kills", TITLE, shown, NOTES)
