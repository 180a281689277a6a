"""Running CBC, a child process, on a PuLP problem: its files, its log, and how to stop it."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from formulations.flow_model.finish import GAP, INTEGRALITY, MAX_SEED, NOTE, TOLERANCE, SolverAnswer, chosen, safe_bound
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from formulations.flow_model.polytope import Polytope
    from formulations.milp.model import PulpModel
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Limits, Run

CAUSES = ("time", "iterations", "difficulties", "ctrl-c")
STATUSES = {
    "Optimal": Status.OPTIMAL,
    "Optimal (within gap tolerance)": Status.OPTIMAL,
    "Infeasible": Status.INFEASIBLE,
    "Integer infeasible": Status.INFEASIBLE,
    **{f"Stopped on {cause}": Status.FEASIBLE for cause in CAUSES},
    **{f"Stopped on {cause} (no integer solution": Status.NO_SOLUTION for cause in CAUSES},
    "Status unknown": Status.FEASIBLE,
    "Status unknown (no integer solution": Status.NO_SOLUTION,
}
"""What precedes ` - ` in the first line of CBC's solution file; every other is an error."""

CUT_SHORT = {Status.INFEASIBLE: Status.NO_SOLUTION, Status.OPTIMAL: Status.FEASIBLE}
"""What is left of a claim when the run is over: out of time, CBC may say "Integer infeasible" of what has a plan."""
GRACE_S = 1.0
"""How long CBC gets to write what it has when the run is over; then it is killed."""
POLL_S = 0.02
LEFT = SolverAnswer(Status.NO_SOLUTION, "killed: it did not stop when asked to")
EARLY = SolverAnswer(Status.NO_SOLUTION, "interrupted before it wrote anything")
"""An interrupt that comes before CBC listens to them ends it at once."""


def search(built: PulpModel, polytope: Polytope, best: Incumbent, run: Run) -> SolverAnswer:
    """Solve in a directory of its own, which is gone afterwards."""
    with TemporaryDirectory(prefix="hypar-opt-cbc-") as name:
        folder = Path(name)
        _, names, _, _ = built.problem.writeMPS(str(folder / "model.mps"), rename=1)
        if best.choices is not None:
            _write_start(folder / "start.mst", built, polytope, best.choices, names)
        if not _finished(_command(folder, run.limits), folder, run.limits):
            return LEFT
        solution = folder / "plan.sol"
        lines = solution.read_text().splitlines() if solution.exists() else []
        if not lines and run.limits.over:
            return EARLY
        log = (folder / "log").read_text(errors="replace")
        return _answer(log, lines, built, polytope, best, names, run.limits.over)


def _command(folder: Path, limits: Limits) -> list[str]:
    """Return the command line; options take effect in their order, so that `-solve` comes late."""
    import pulp

    words = f"-timeMode elapsed -ratio 0 -allow {GAP} -threads {max(1, limits.workers)}"
    words += f" -randomCbcSeed {limits.seed % MAX_SEED} -integerTolerance {INTEGRALITY} -primalTolerance {TOLERANCE}"
    remaining = limits.remaining_s()
    if remaining is not None:
        words += f" -sec {remaining}"
    start = ["-mips", "start.mst"] if (folder / "start.mst").exists() else []
    program = str(pulp.PULP_CBC_CMD.pulp_cbc_path)
    return [program, "model.mps", *words.split(), *start, "-solve", "-printingOptions", "all", "-solution", "plan.sol"]


def _finished(command: list[str], folder: Path, limits: Limits) -> bool:
    """Wait for CBC; when the run is over interrupt it, and kill it if it does not come to an end."""
    with (folder / "log").open("wb") as log:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    over: float | None = None
    try:
        while not _ended(child):
            if over is None and limits.over:
                over = time.monotonic()
                child.send_signal(signal.SIGINT)
            if over is not None and time.monotonic() - over > GRACE_S:
                return False
        return True
    finally:
        child.kill()
        child.wait()


def _ended(child: subprocess.Popen[bytes]) -> bool:
    """Wait for a moment; return whether a child has ended."""
    try:
        child.wait(POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _answer(
    log: str,
    solution: Sequence[str],
    built: PulpModel,
    polytope: Polytope,
    best: Incumbent,
    names: Mapping[str, str],
    over: bool,
) -> SolverAnswer:
    """Read the plan from the lines of the solution file, and the bound from the log."""
    if not solution:
        return SolverAnswer(Status.ERROR, "CBC wrote no solution file: " + " ".join(log.split())[-200:])
    first, *lines = solution
    native = first.split(" - ")[0]
    status = STATUSES.get(native, Status.ERROR)
    if over:
        status = CUT_SHORT.get(status, status)
    columns = {word[1]: float(word[2]) for word in (line.removeprefix("**").split() for line in lines)}
    positions = chosen([[columns.get(names[x.name], 0.0) for x in own] for own in built.x])
    if positions is not None and status in (Status.OPTIMAL, Status.FEASIBLE):
        best.offer(polytope.choices(positions))
    bound = _bound(log, status)
    note = NOTE if status is Status.OPTIMAL else ""
    return SolverAnswer(status, native, bound, note, None if positions is None else tuple(positions))


def _bound(log: str, status: Status) -> int | None:
    """Return the bound that the log ends with; after a proof without one, the objective is one but for the gap."""
    bounds = re.findall(r"^Lower bound:\s+(\S+)$", log, re.MULTILINE)
    if bounds:
        return safe_bound(float(bounds[-1]))
    values = re.findall(r"^Objective value:\s+(\S+)$", log, re.MULTILINE)
    return safe_bound(float(values[-1]) - GAP) if values and status is Status.OPTIMAL else None


def _write_start(
    path: Path, built: PulpModel, polytope: Polytope, plan: tuple[int, ...], names: Mapping[str, str]
) -> None:
    """Write x of a plan the way CBC writes solutions; CBC works out the flows."""
    lines = ["Stopped on time - objective value 0"]
    for own, values, choice in zip(built.x, polytope.values, plan, strict=True):
        for x, value in zip(own, values, strict=True):
            lines.append(f"{len(lines) - 1:7} {names[x.name]} {int(value == choice):15} {0:23}")
    path.write_text("\n".join(lines) + "\n")
