"""Functions that workers of tests call."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from threading import Lock

from hypar_opt.executor import tell


def squared(piece, limits):
    return piece * piece


def seed_of(piece, limits):
    return limits.seed


def process_of(piece, limits):
    return os.getpid()


def failing(piece, limits):
    raise ValueError(f"piece {piece}")


def killing(piece, limits):
    """Kill the worker if the piece is a multiple of ten."""
    if piece % 10 == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return piece


def killing_once(piece, limits):
    """Kill the worker the first time that a piece is run: its path is not there then."""
    if not Path(piece).exists():
        Path(piece).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return piece


def telling_until_stopped(piece, limits):
    """Tell numbers until the flag is set; return how many."""
    told = 0
    while not limits.stop.wait(0.01):
        tell(f"{piece} {told}".encode())
        told += 1
    return told


def waiting(piece, limits):
    """Wait until the run is stopped, but for the first piece, which raises."""
    if piece == 0:
        raise ValueError(f"piece {piece}")
    return limits.stop.wait(60)


def stopped(piece, limits):
    """Note at a path that the piece has begun; return whether the run was stopped within a minute."""
    Path(piece).touch()
    return limits.stop.wait(60)


class Unsendable(Exception):
    """Holds what cannot be pickled, with what Dask teaches pickle of errors, either."""

    def __init__(self, what, where):
        super().__init__(f"{what} at {where}")
        self.lock = Lock()


def unsendable(piece, limits):
    raise Unsendable("a fault", piece)
