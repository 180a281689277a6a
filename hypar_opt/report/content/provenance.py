"""Where a report comes from: versions, machine, commit, date, seed, command."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hypar_opt.report.compare.notes import solved_together
from hypar_opt.util.extras import version_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGES: Final = (
    "hypar-opt",
    "numpy",
    "ortools",
    "pulp",
    "highspy",
    "networkx",
    "pandas",
    "altair",
    "vl-convert-python",
)


@dataclass(frozen=True)
class Provenance:
    """What is needed to get a report again.

    Parameters
    ----------
    command
        As typed, or nothing where a program asked.
    seed
        Of all solvers.
    date
        UTC, to the minute.
    machine
        Its system and processor.
    commit
        Of the checkout that the code stands in, with `-dirty` where that was changed; `unknown` elsewhere.
    versions
        Of Python and the packages that results depend on.
    together
        How many solves were under way at a time.
    """

    command: str
    seed: int
    date: str
    machine: str
    commit: str
    versions: Mapping[str, str]
    together: int = 1

    @property
    def of_times(self) -> str:
        """What has to be known of times that solves took, or nothing."""
        return "; ".join(solved_together(self.together))


def provenance(command: str = "", seed: int = 0, together: int = 1) -> Provenance:
    """Return where a report that is made now comes from; a set SOURCE_DATE_EPOCH is its date."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    versions = {"python": platform.python_version()} | {name: version_of(name, "unknown") for name in PACKAGES}
    return Provenance(command, seed, now.strftime("%Y-%m-%d %H:%M UTC"), machine(), _commit(), versions, together)


def machine() -> str:
    """Return the system, the cores and the processor."""
    return f"{platform.system()} {platform.machine()}, {processor()}"


def processor() -> str:
    """Return the cores and what they are called."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(errors="replace").splitlines() if info.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} x {names[0] if names else platform.processor()}"


def _commit() -> str:
    """Ask git, if the code stands in a checkout of its own; another project's commit says nothing."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists():
        return "unknown"
    try:
        said = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude=*"],
            capture_output=True, text=True, check=False, cwd=root, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return said.stdout.strip() or "unknown"
