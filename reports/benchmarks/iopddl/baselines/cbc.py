"""CBC, as PuLP brings it, on a linear formulation, which goes to it as a file: PuLP's own objects take longer."""

from __future__ import annotations

import re
import signal
import subprocess
from typing import TYPE_CHECKING

import numpy as np

from reports.benchmarks.iopddl.baselines.highs import GAP, handed_over
from reports.benchmarks.iopddl.baselines.linear import chosen

if TYPE_CHECKING:
    from pathlib import Path

    from reports.benchmarks.iopddl.baselines.linear import Linear
    from reports.benchmarks.iopddl.baselines.report import Report

STATUSES = {
    "Optimal": "OPTIMAL",
    "Optimal (within gap tolerance)": "OPTIMAL",
    "Infeasible": "INFEASIBLE",
    "Integer infeasible": "INFEASIBLE",
    "Stopped on time": "TIME LIMIT",
    "Stopped on time (no integer solution": "TIME LIMIT",
}
"""What precedes ` - ` in the first line of CBC's solution file."""


def search(linear: Linear, report: Report) -> None:
    """Solve; CBC tells only at its end."""
    import pulp

    folder = report.path.parent
    handed_over(linear, report).writeModel(str(folder / "model.mps"))
    report.built()
    words = f"-timeMode elapsed -sec {report.remaining_s} -ratio 0 -allow {GAP} -threads {report.workers}"
    words += f" -randomCbcSeed {report.seed} -solve -solution plan.sol"
    command = [str(pulp.PULP_CBC_CMD.pulp_cbc_path), "model.mps", *words.split()]
    log = _log(command, folder, report)
    solution = folder / "plan.sol"
    if solution.exists():
        _read(solution, log, len(linear.costs), report)
    else:
        report.ended(f"ERROR: CBC wrote no solution file: {' '.join(log.split())[-200:]}")


def _log(command: list[str], folder: Path, report: Report) -> str:
    """Return what CBC prints; at the end of the time it is asked to stop, for it looks up rarely."""
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        return child.communicate(timeout=report.remaining_s)[0]
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
        return child.communicate()[0]


def _read(solution: Path, log: str, columns: int, report: Report) -> None:
    """Read the plan, and the bound that the log ends with."""
    first, *lines = solution.read_text().splitlines()
    values = np.zeros(columns)
    for line in lines:
        _, name, value, *_ = line.removeprefix("**").split()
        values[int(name.removeprefix("c"))] = float(value)
    status = STATUSES.get(first.split(" - ")[0], f"ERROR: {first}")
    if lines and "no integer solution" not in first:
        report.incumbent(chosen(report.tables, values))
    bounds = re.findall(r"^Lower bound:\s+(\S+)$", log, re.MULTILINE)
    if status == "OPTIMAL" and "cost" in report.known:
        report.bound(report.known["cost"])
    elif bounds:
        report.bound(int(np.ceil(float(bounds[-1]) - 1e-6 * abs(float(bounds[-1])))))
    report.ended(status)
