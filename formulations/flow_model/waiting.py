"""Waiting for HiGHS no longer than a run may last."""

from __future__ import annotations

import atexit
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.formulation.run import Limits


GRACE_S = 0.5
"""How long HiGHS is waited for when the run is over; it looks up only between linear programmes."""
EXIT_S = 60.0
"""How long the end of the process waits for a HiGHS that was left behind."""
POLL_S = 0.02


def came_back(call: Callable[[], object], limits: Limits) -> bool:
    """Run HiGHS in a thread of its own; return False if it did not come back soon after the run was over.

    Raises
    ------
    Exception
        Whatever was raised in the thread.
    """
    failures: list[Exception] = []
    thread = Thread(target=_call, args=(call, failures), daemon=True)
    thread.start()
    over: float | None = None
    while thread.is_alive():
        thread.join(POLL_S)
        if over is None and limits.over:
            over = time.monotonic()
        if over is not None and time.monotonic() - over > GRACE_S and thread.is_alive():
            # a process that ends while HiGHS is at work is aborted
            atexit.register(thread.join, EXIT_S)
            return False
    if failures:
        raise failures[0]
    return True


def _call(call: Callable[[], object], failures: list[Exception]) -> None:
    import highspy

    try:
        call()
    except Exception as error:  # noqa: BLE001 - told by the thread that waits
        failures.append(error)
    finally:
        # HiGHS's own threads belong to the thread that called it, and end with it only on request
        highspy.Highs.resetGlobalScheduler(False)


LOADED = {"highspy": "highspy._core", "ortools": "ortools.sat.python.cp_model_helper"}
"""The compiled module that tells whether a package is loaded."""
FIRST_CLASH = (1, 15)
"""The highspy version from which HiGHS is a shared library of the wheel."""


def clash(wanted: str, other: str) -> str | None:
    """Return why a package cannot be imported into this process any more, or None.

    The wheels of ortools and of highspy from 1.15 on bring different versions of HiGHS under the one name
    libhighs.so.1; the loader gives the one that came first to both, and the second import fails
    (google/or-tools#5246). PuLP imports highspy wherever it can.
    """
    if LOADED[wanted] in sys.modules or LOADED[other] not in sys.modules:
        return None
    try:
        highspy = version("highspy")
    except PackageNotFoundError:
        return None
    if tuple(int(part) for part in highspy.split(".")[:2]) < FIRST_CLASH:
        return None
    return (
        f"{wanted} cannot be loaded beside {other} in one process, for highspy {highspy} and ortools both "
        "bring a libhighs.so.1; install 'highspy<1.15', or use a process of its own"
    )
