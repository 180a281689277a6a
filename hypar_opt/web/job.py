"""What a worker does: read, solve, certify, check, report; all that comes of it stands in its folder."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from hypar_opt.errors import HyparError, InputError
from hypar_opt.files import write_atomically
from hypar_opt.plan import Status
from hypar_opt.plan_file import write_plan
from hypar_opt.problem import Problem
from hypar_opt.run import GIB
from hypar_opt.serving.asked import Asked
from hypar_opt.serving.found import Result, found_document
from hypar_opt.serving.outcome import Outcome
from hypar_opt.serving.picture import Picture
from hypar_opt.serving.places import CERTIFICATE, EVENTS, INSTANCE, OUTCOME, PICTURE, PLAN, REPORT, START, plan_of
from hypar_opt.serving.receiving import receive
from hypar_opt.serving.solver import Solver
from hypar_opt.serving.telling import Teller
from hypar_opt.serving.writing_up import write_up
from hypar_opt.tasks import read_start_of

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.plan import Plan
    from hypar_opt.tasks import Start


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
    write_atomically(folder / OUTCOME, json.dumps(Outcome.model_validate(outcome).document()))


def _said(error: InputError) -> str:
    """Return what is wrong, without the path of the file that the client's text was put into."""
    place = "" if error.line is None else f"line {error.line}: "
    return str(InputError(place + (f"{error.field}: " if error.field else "") + error.message))


def _outcome(folder: Path, job: dict[str, Any], began: float) -> dict[str, Any]:
    asked = Asked.model_validate(job["asked"] | {"instance": "in its file", "shipped": None})
    problem = Problem(receive(folder / INSTANCE, asked.overrides))
    start = _start(folder, problem)
    with (folder / EVENTS).open("ab", buffering=0) as stream, Teller(stream, problem) as teller:
        teller.say("the instance is read and checked")
        solving = Solver(problem, asked, start, teller, began + job["time_s"], job["memory"])
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


def _start(folder: Path, problem: Problem) -> Start | None:
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


def _reported(folder: Path, problem: Problem, results: list[Result], solving: Solver) -> str:
    """Write the report; return why there is none, or nothing."""
    try:
        write_up(folder / REPORT, problem, results, solving.limits())
    except (HyparError, MemoryError) as error:
        return str(error) or "out of memory"
    return ""


def _draw(problem: Problem, plan: Plan, path: Path) -> None:
    """Write the plan's figure, as its page draws it."""
    from hypar_opt.report.charts.plan_grid import plan_figure
    from hypar_opt.reporting import Named

    found = plan_figure(Named(plan.formulation, problem, plan))
    picture = Picture(title=found.title, alternative=found.alternative, spec=dict(found.spec))
    write_atomically(path, json.dumps(picture.model_dump()))
