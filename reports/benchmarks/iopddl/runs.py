"""One run of one method: as a user starts it, its plan verified by a process of its own."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hypar_opt.solver.plan import SCHEMA
from reports.benchmarks.iopddl.baselines.report import IMPROVEMENTS
from reports.benchmarks.iopddl.baselines.searches import SEARCHES
from reports.benchmarks.iopddl.curves import PLAN, RECOUNTED, TOLD, Move, moves_of, with_verified
from reports.benchmarks.iopddl.processes import Ended, ended

COMMAND: Final = str(Path(sys.executable).with_name("hypar-opt"))
DEFAULT: Final = "hypar-opt"
"""Our own default, as a method."""
ABLATIONS: Final = {
    "milp-highs": ("-f", "milp-highs"),
    "lagrangian": ("-f", "lagrangian"),
    "milp-highs, no presolve": ("-f", "milp-highs", "--no-presolve"),
    "lagrangian, no presolve": ("-f", "lagrangian", "--no-presolve"),
    "hypar-opt, no presolve": ("--no-presolve",),
}
"""Our methods alone, and without what they share; further arguments of `hypar-opt solve`."""
WORKERS: Final = 2
GRACE_S: Final = 10.0
"""So long after its limit a run is killed; what it found by then counts, and its time is shown."""
VERIFY_S: Final = 120.0


@dataclass(frozen=True)
class Found:
    """What a run has to show.

    Parameters
    ----------
    status
        The method's word, or what went wrong.
    cost, bound
        Of the plan, which stood up to verification, and proven by the method; None where there is none.
    found_s
        When the plan was found, where that is told.
    wall_s, peak_mib
        Of the whole process.
    verified
        The verdict on the plan; None without one.
    moves
        How cost and bound moved.
    """

    status: str
    cost: int | None
    bound: int | None
    found_s: float | None
    wall_s: float
    peak_mib: int
    verified: str | None
    moves: tuple[Move, ...] = ()


def run(file: Path, method: str, seed: int, limit_s: float, most_gib: float) -> Found:
    """Run a method: a baseline, an ablation, our default, or one of our formulations by its name."""
    file = file.resolve()
    with TemporaryDirectory(prefix="bench-iopddl-") as name:
        folder = Path(name)
        if method in SEARCHES:
            words = [method, str(file), str(folder / "report.json"), str(limit_s), str(seed), str(WORKERS)]
            done = ended(
                [sys.executable, "-m", "reports.benchmarks.iopddl.baselines", *words],
                folder,
                limit_s + GRACE_S,
                most_gib,
            )
            return _of_baseline(method, done, file, folder)
        extra = () if method == DEFAULT else ABLATIONS.get(method, ("-f", method))
        words = ["--time-limit", str(limit_s), "--seed", str(seed), "--workers", str(WORKERS), "--json"]
        words += ["--log", str(folder / "log.jsonl")]
        done = ended([COMMAND, "solve", str(file), *extra, *words], folder, limit_s + GRACE_S, most_gib)
        return _of_ours(done, file, folder)


def _of_ours(done: Ended, file: Path, folder: Path) -> Found:
    """Read what `hypar-opt solve` printed."""
    moves = moves_of(folder / "log.jsonl", TOLD)
    try:
        plan = json.loads(done.output)
    except ValueError:
        return Found(done.why, None, None, None, done.wall_s, done.peak_mib, None, moves)
    found_s = next((one.time_s for one in reversed(moves) if one.kind == PLAN), None)
    return _found(plan, done, found_s, file, folder, moves)


def _of_baseline(method: str, done: Ended, file: Path, folder: Path) -> Found:
    """Read what a baseline wrote, and make a plan file of it."""
    path = folder / "report.json"
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    unended = done.why if "built" in known or done.code is not None else "model not built within the limit"
    choices = known.get("choices")
    plan = {
        "schema": SCHEMA,
        "instance": known.get("instance"),
        "instance_sha256": known.get("sha256"),
        "formulation": method,
        "status": known.get("status", unended),
        "cost": {"total": known.get("cost")},
        "objective": known.get("cost"),
        "bound": known.get("bound"),
        "plan": None if choices is None else {str(node): choice for node, choice in enumerate(choices)},
        "overrides": {},
    }
    moves = moves_of(folder / IMPROVEMENTS, RECOUNTED)
    return _found(plan, done, known.get("found_s"), file, folder, moves)


def _found(
    plan: dict[str, Any], done: Ended, found_s: float | None, file: Path, folder: Path, moves: tuple[Move, ...]
) -> Found:
    """Verify the plan as one that is feasible: optimality is shown as the method's claim."""
    cost, verified = plan["objective"], None
    if plan["plan"] is not None:
        claim = plan | {"status": "FEASIBLE", "bound": None}
        (folder / "plan.json").write_text(json.dumps(claim))
        command = [COMMAND, "verify", str(file), str(folder / "plan.json"), "--json"]
        said = ended(command, folder, VERIFY_S, 64)
        verified = json.loads(said.output)["verdict"] if said.code in (0, 1, 3) and said.output else said.why
    cost = cost if verified == "confirmed" else None
    moves = with_verified(moves, cost, done.wall_s)
    return Found(plan["status"], cost, plan["bound"], found_s, done.wall_s, done.peak_mib, verified, moves)
