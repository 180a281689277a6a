"""What a worker does: read, solve, certify, check, report; all that comes of it stands in its folder."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.run import GIB, Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.kinds import read_start_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import write_plan
from hypar_opt.solver.solve import pick, solve
from hypar_opt.util.errors import HyparError, InputError, Refusal
from hypar_opt.util.files import atomically, write_atomically
from hypar_opt.web.event_log import Teller
from hypar_opt.web.job_files import CERTIFICATE, EVENTS, INSTANCE, OUTCOME, PICTURE, PLAN, REPORT, START, plan_of
from hypar_opt.web.job_report import write_up
from hypar_opt.web.job_request import Asked
from hypar_opt.web.outcome import JobOutcome
from hypar_opt.web.plan_figure import PlanFigure
from hypar_opt.web.result import Result, found_document
from hypar_opt.web.upload import receive

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Start


@dataclass(frozen=True)
class JobSolver:
    """Solves a problem as a job asks.

    Parameters
    ----------
    start
        Where a search begins, if one was given.
    teller
        Hears of everything.
    end
        Of the job, on the clock of `time.monotonic`.
    memory
        Bytes of the job.
    """

    problem: NetworkProblem
    asked: Asked
    start: Start | None
    teller: Teller
    end: float
    memory: int

    def cell(self, name: str | None) -> Result:
        """Solve by one formulation; one that declines says why.

        Raises
        ------
        MemoryError
            If the job may not use as much as it needs.
        """
        limits = self.limits()
        try:
            chosen = pick(self.problem, name, limits)
            proofs: list[Potentials] = []
            wanted = self.asked.certificate and chosen.capabilities.certifies and self.problem.uncertifiable is None
            plan = solve(
                self.problem, chosen.name, limits=limits, start=self.start, listener=self.teller.hear,
                proof=proofs.append if wanted else None,
            )  # fmt: skip
        except Refusal as refusal:
            return Result(name or "default", None, str(refusal), None)
        if plan.status is Status.ERROR and plan.native_status.startswith(MemoryError.__name__):
            raise MemoryError
        return Result(chosen.name, plan, "", proofs.pop() if proofs and plan.status is Status.OPTIMAL else None)

    def certificate(self, best: Result, path: Path) -> dict[str, Any] | None:
        """Write the evidence of the best plan's optimality and have it checked; None where there is none."""
        from hypar_opt.verification.certificate.header import check_file
        from hypar_opt.verification.certificate.write import write_certificate

        if best.proof is None or best.plan is None:
            return None
        self.teller.say("the certificate is written and checked")
        with atomically(path) as stream:
            write_certificate(stream, self.problem, best.proof, best.plan)
        checked = check_file(path)
        return {"proven": checked.proven, "faults": list(checked.faults), "by": best.formulation}

    def limits(self) -> Limits:
        """Return what a step that begins now may use."""
        own, now = self.asked.limits, time.monotonic()
        deadline = self.end if own.time_s is None else min(self.end, now + own.time_s)
        tables = max(1, int(min(own.memory_gib * GIB, self.memory)))
        return Limits(max(deadline, now), own.seed, own.workers, tables)


def work(folder: Path, job: dict[str, Any]) -> None:
    """Do a job, and write what came of it; what is wrong with it is its outcome too."""
    began = time.monotonic()
    try:
        outcome = _outcome(folder, job, began)
    except InputError as error:
        place = "start" if getattr(error.file, "name", "") == START else "instance"
        said = ("the start plan: " if place == "start" else "") + _said(error)
        outcome = {"error": said, "line": error.line, "field": error.field, "in": place}
    except HyparError as error:
        outcome = {"error": str(error)}
    except MemoryError:
        outcome = {"error": f"out of memory: a job may use {job['memory'] / GIB:.3g} GiB"}
    _write(folder, outcome)


def _write(folder: Path, outcome: dict[str, Any]) -> None:
    write_atomically(folder / OUTCOME, json.dumps(JobOutcome.model_validate(outcome).document()))


def _said(error: InputError) -> str:
    """Return what is wrong, without the path of the file that the client's text was put into."""
    place = "" if error.line is None else f"line {error.line}: "
    return str(InputError(place + (f"{error.field}: " if error.field else "") + error.message))


def _outcome(folder: Path, job: dict[str, Any], began: float) -> dict[str, Any]:
    asked = Asked.model_validate(job["asked"] | {"instance": "in its file", "shipped": None})
    problem = NetworkProblem(receive(folder / INSTANCE, asked.overrides))
    start = _start(folder, problem)
    with (folder / EVENTS).open("ab", buffering=0) as stream, Teller(stream, problem) as teller:
        teller.say("the instance is read and checked")
        solving = JobSolver(problem, asked, start, teller, began + job["time_s"], job["memory"])
        cells = [solving.cell(name) for name in asked.formulations or (None,)]
        best = _best(cells)
        found = found_document(problem, cells, best)
        _write_plans(folder, cells)
        if best is None or best.plan is None or best.plan.status in (Status.NO_SOLUTION, Status.ERROR):
            return found | ({"unreported": "there is no plan to report"} if asked.report else {})
        write_plan(best.plan, folder / PLAN)
        if best.plan.strategies is not None:
            _draw(problem, best.plan, folder / PICTURE)
        found["certificate"] = solving.certificate(best, folder / CERTIFICATE)
        if asked.report:
            teller.say("the report is written")
            # what was found is worth more than its report, which may fail or be too much
            _write(folder, {**found, "unreported": "it was not finished"})
            found["unreported"] = _reported(folder, problem, cells, solving)
    return found


def _start(folder: Path, problem: NetworkProblem) -> Start | None:
    path = folder / START
    return read_start_of(problem, path) if path.is_file() else None


def _best(cells: list[Result]) -> Result | None:
    """Return the cell with the cheapest plan, a proven one of those; else one that says something."""
    solved = [cell for cell in cells if cell.is_solved]
    if solved:
        return min(solved, key=lambda cell: (cell.objective, not cell.proven, cell.proof is None))
    return next((cell for cell in cells if cell.plan is not None), None)


def _write_plans(folder: Path, cells: list[Result]) -> None:
    """Write the plan of each formulation, where several are compared."""
    for position, cell in enumerate(cells):
        if len(cells) > 1 and cell.plan is not None and cell.is_solved:
            write_plan(cell.plan, folder / plan_of(position))


def _reported(folder: Path, problem: NetworkProblem, results: list[Result], solving: JobSolver) -> str:
    """Write the report; return why there is none, or nothing."""
    try:
        write_up(folder / REPORT, problem, results, solving.limits())
    except (HyparError, MemoryError) as error:
        return str(error) or "out of memory"
    return ""


def _draw(problem: NetworkProblem, plan: Plan, path: Path) -> None:
    """Write the plan's figure, as its page draws it."""
    from hypar_opt.report.charts.plan_grid import plan_figure
    from hypar_opt.report.content import Named

    found = plan_figure(Named(plan.formulation, problem, plan))
    picture = PlanFigure(title=found.title, alternative=found.alternative, spec=dict(found.spec))
    write_atomically(path, json.dumps(picture.model_dump()))
