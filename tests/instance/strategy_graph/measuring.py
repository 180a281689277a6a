"""What reading a file takes: in a process that does nothing else."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MEASURE = """
import sys
from pathlib import Path
from hypar_opt.util.errors import InputError
from hypar_opt.instance.formats import file_of, format_of
from hypar_opt.instance.strategy_graph import read_strategy_graph
path = Path(sys.argv[1])
try:
    print(read_strategy_graph(path).nodes if format_of(file_of(path)).name == "iopddl" else "none")
except InputError as error:
    print(": ".join(filter(None, [error.field, error.message])))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(int(status["VmHWM"].split()[0]) / 2**20)  # ru_maxrss counts what the parent had when it forked, too
"""


def measured(path: Path) -> tuple[str, float]:
    """Return what reading a file says, and the GiB of the process."""
    done = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    said, memory = done.stdout.splitlines()
    return said, float(memory)
