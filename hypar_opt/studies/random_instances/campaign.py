"""Running a campaign: what its store lacks is measured, then everything is summed up."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from hypar_opt.executor import GivenWorkers, Workers, process_count, run_pieces, workers_of
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Limits, Listener, Run
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.random_instances.generator import Family, RandomChain, instance_of
from hypar_opt.studies.random_instances.measurement import GREEDY, JOINT, ChainPiece, measure_piece
from hypar_opt.studies.random_instances.row import MOST_CHAINS, CampaignRow
from hypar_opt.studies.random_instances.store import open_store
from hypar_opt.studies.random_instances.tally import CampaignOutcome, tallies
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hypar_opt.executor import PieceResult
    from hypar_opt.studies.random_instances.store import RowStore


def applicable(family: Family, wanted: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the wanted accountings in the order of `ACCOUNTINGS`; by default all that fit.

    Raises
    ------
    InputError
        If a wanted one is unknown, or does not fit the family's choices or levels.
    """
    if wanted is None:
        found = tuple(name for name in ACCOUNTINGS if obstacle(family, name) is None)
        if not found:
            raise InputError(f"no accounting fits: {obstacle(family, next(iter(ACCOUNTINGS)))}")
        return found
    if isinstance(wanted, str):
        raise InputError(f"expected a list of names, such as ['{wanted}'], got the text '{wanted}'", field="accounting")
    for name in wanted:
        if name not in ACCOUNTINGS:
            known = f"there are {', '.join(ACCOUNTINGS)}{did_you_mean(name, ACCOUNTINGS)}"
            raise InputError(f"no accounting is called '{name}'; {known}", field="accounting")
        reason = obstacle(family, name)
        if reason is not None:
            raise InputError(f"'{name}' does not fit: {reason}", field="accounting")
    if not wanted:
        raise InputError("expected at least one", field="accounting")
    return tuple(name for name in ACCOUNTINGS if name in wanted)


def obstacle(family: Family, accounting: str) -> str | None:
    """Return why an accounting cannot be used with a family's choices and its most levels, or None."""
    layers = [{"name": f"fc{number}", "linear": {"features": 1}} for number in (1, 2)]
    chain = RandomChain("smallest", 1, family.levels[1], family.choices, {"input": [1], "layers": layers})
    try:
        graph = NetworkProblem(instance_of(chain.document(accounting))).graph
        for name in (GREEDY, JOINT):
            require(load_formulation(name), graph, Run(name))
    except (InputError, Refusal) as error:
        return str(error)
    return None


COMMIT_S: Final = 0.5
"""Rows are written this often: a kill loses no more work than that."""
SAY_S: Final = 0.1
"""How often it is said how far the campaign is."""


def run(
    family: Family,
    count: int,
    *,
    seed: int = 0,
    accountings: Sequence[str] | None = None,
    store: Path | None = None,
    workers: GivenWorkers = None,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> CampaignOutcome:
    """Measure how often, and by how much, the greedy search misses the optimum on a family's first chains.

    Parameters
    ----------
    family
        Where chains are drawn from: `hypar_opt.studies.random_instances.family("chains")`, or one of your own.
    count
        How many chains; those of a smaller count are the first of a larger.
    seed
        Another seed, other chains.
    accountings
        All that fit the family, unless given.
    store
        What keeps the rows: a folder, or a new name that ends in `.parquet`, in Parquet files; any other file in
        SQLite. What it has is not measured again. None to keep them in memory.
    workers
        Open workers, or a number of processes, 1 being this one; as many as there are processors, unless given. The
        rows do not depend on it. As everywhere with processes, a script that calls this with several needs
        `if __name__ == "__main__":` around it.
    limits
        A deadline, and a flag that stops the run; what was measured by then is kept and summed up.
    listener
        Called with how far it is.

    Raises
    ------
    InputError
        If something does not fit, or the store holds another campaign or is none.
    HyparError
        If a row of the store is not what is found again.
    """
    names = applicable(family, accountings)
    limits = limits or Limits()
    _check(count, seed, workers)
    with open_store(store, family, seed) as rows:
        done = rows.complete(count, names)
        if done < count:
            pieces = (ChainPiece(family, seed, *task) for task in rows.missing(count, names))
            progress = CampaignProgress(count, done, listener)
            with workers_of(workers, count - done) as lent:
                _keep(run_pieces(lent, measure_piece, pieces, limits, progress.tracker), rows, progress)
            progress.say("summing up")
        return summed_up(rows, count, names)


class CampaignProgress:
    """Says how far a campaign is, at most every `SAY_S`; its tracker counts chains."""

    def __init__(self, count: int, done: int, listener: Listener | None) -> None:
        self._count, self._done, self._rows = count, done, 0
        self._said = -math.inf
        self._run = Run("campaign", listener=listener)
        self.tracker = Tracker(listener, "campaign", "chains", count, done=done, warming=True)

    def add(self, rows: Sequence[CampaignRow]) -> None:
        """Count the rows of a chain."""
        self._rows += len(rows)
        self._done += 1
        now = time.monotonic()
        if now - self._said >= SAY_S or self._done == self._count:
            self._said, elapsed = now, now - self._run.began
            rate = f"{self._rows / elapsed:,.0f} rows/s" if elapsed else ""
            self.say(f"{self._done:,} of {self._count:,} chains, {rate}")

    def say(self, text: str) -> None:
        """Say what it is at."""
        self._run.phase(text)


def _keep(
    found: Iterator[PieceResult[ChainPiece, list[CampaignRow]]], store: RowStore, progress: CampaignProgress
) -> None:
    """Write rows as they come, several chains at a time, and what was set aside at once."""
    waiting: list[CampaignRow] = []
    written = time.monotonic()
    try:
        for one in found:
            if one.result is None:
                store.put_aside(one.piece.chain, one.piece.accountings, one.killed)
                continue
            waiting += one.result
            if time.monotonic() - written >= COMMIT_S:
                store.add(waiting)
                waiting, written = [], time.monotonic()
            progress.add(one.result)
    finally:
        store.add(waiting)


def summed_up(rows: RowStore, count: int, accountings: tuple[str, ...]) -> CampaignOutcome:
    """Return what a store says of the chains below a count."""
    family, seed = rows.identity.family, rows.identity.seed
    complete = rows.complete(count, accountings)
    lost = rows.aside(count, accountings)
    aside = tuple(ChainPiece(family, seed, one.chain, one.accountings).set_aside(one.why) for one in lost)
    return CampaignOutcome(family, seed, count, accountings, complete, tallies(rows, count, accountings), aside)


def _check(count: int, seed: int, workers: GivenWorkers) -> None:
    if not isinstance(count, int) or not 1 <= count <= MOST_CHAINS:
        raise InputError(f"expected at least 1 chain and at most {MOST_CHAINS:,}, got {count}", field="count")
    if not 0 <= seed < 2**31:
        raise InputError(f"expected a number from 0 to 2^31 - 1, got {seed}", field="seed")
    if not isinstance(workers, Workers):
        process_count(workers)
