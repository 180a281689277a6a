"""Two solver packages that may not fit into one process."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

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
