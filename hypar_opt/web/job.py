"""What a worker does: read, solve, certify, check, report; all that comes of it stands in its folder."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.run import GIB, Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.kinds import problem_of, read_start_of
from hypar_opt.solver.plan import Plan, write_plan
from hypar_opt.solver.solve import pick, solve
from hypar_opt.util.errors import HyparError, InputError, Refusal
from hypar_opt.util.files import atomically, write_atomically
from hypar_opt.web.event_log import Teller
from hypar_opt.web.job_files import CERTIFICATE, EVENTS, INSTANCE, OUTCOME, PICTURE, PLAN, REPORT, START, plan_of
from hypar_opt.web.job_report import JobFindings, draw_plan, write_job_report
from hypar_opt.web.job_request import Asked, receive
from hypar_opt.web.kinds import JOB_KINDS
from hypar_opt.web.outcome import JobOutcome
from hypar_opt.web.result import Result, found_document, with_regrets

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.solver.problem import Problem, Start
    from hypar_opt.studies.regrets import Explanation


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

    problem: Problem
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
            proofs: list[Potentials] = []
            wanted = self.asked.certificate and self.problem.uncertifiable is None
            if wanted:  # only then it has to be known beforehand who it is
                chosen = pick(self.problem, name, limits)
                name, wanted = chosen.name, chosen.capabilities.certifies
            plan = solve(
                self.problem, name, limits=limits, start=self.start, listener=self.teller.hear,
                proof=proofs.append if wanted else None,
            )  # fmt: skip
        except Refusal as refusal:
            return Result(name or "default", None, str(refusal), None)
        if plan.status is Status.ERROR and plan.native_status.startswith(MemoryError.__name__):
            raise MemoryError
        self.teller.conclude(plan)
        return Result(
            name or plan.formulation, plan, "", proofs.pop() if proofs and plan.status is Status.OPTIMAL else None
        )

    def certificate(self, best: Result, path: Path) -> dict[str, Any] | None:
        """Write the evidence of the best plan's optimality and have it checked; None where there is none."""
        from hypar_opt.verification.certificate.header import check_file
        from hypar_opt.verification.verifier import CASES

        if best.proof is None or best.plan is None:
            return None
        self.teller.say("the certificate is written and checked")
        with atomically(path) as stream:
            CASES[self.problem.kind].write(stream, self.problem, best.proof, best.plan)
        checked = check_file(path)
        return {"proven": checked.proven, "faults": list(checked.faults), "by": best.formulation}

    def explanation(self, plan: Plan) -> Explanation | str:
        """Return what each layer's second-best strategy would cost, or why that could not be found."""
        from hypar_opt.studies.sensitivity import explain

        self.teller.say("the second-best strategy of every layer is looked for")
        try:
            return explain(self.problem, plan, self.limits())
        except MemoryError:
            return "out of memory"
        except HyparError as error:
            return str(error)

    def reasons(self, plan: Plan) -> tuple[Any, ...]:
        """Return why the layers are as they are, as far as there is time; nothing of kinds that have no layers."""
        from hypar_opt.studies.reasons import REASONS

        if self.problem.kind not in REASONS:
            return ()
        self.teller.say("why every layer is as it is")
        limits = self.limits()
        return tuple(REASONS[self.problem.kind](self.problem, plan, lambda: limits.over))

    def uncertified(self, plan: Plan) -> str:
        """Return why a certificate that was asked for could not be written; nothing where none was."""
        if not self.asked.certificate:
            return ""
        if plan.status is not Status.OPTIMAL:
            return f"the plan is {plan.status}"
        return self.problem.uncertifiable or f"{plan.formulation} leaves no evidence to write one of; joint-dp does"

    def price(self, plan: Plan) -> str:
        """Return what the strategies that were given cost, as far as that is found in no time; nothing without any."""
        from hypar_opt.solver.given_price import price_of

        if self.problem.unfixed is None:
            return ""
        self.teller.say("what the given strategies cost is looked for")
        try:
            return price_of(self.problem, plan, self.limits())
        except MemoryError:
            return "what the given strategies cost is not known: out of memory"
        except HyparError as error:
            return str(error)

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
    problem = problem_of(receive(folder / INSTANCE, asked.overrides))
    start = read_start_of(problem, folder / START) if (folder / START).is_file() else None
    with (folder / EVENTS).open("ab", buffering=0) as stream, Teller(stream, problem) as teller:
        teller.say("the instance is read and checked")
        solving = JobSolver(problem, asked, start, teller, began + job["time_s"], job["memory"])
        cells = [solving.cell(name) for name in asked.formulations or (None,)]
        best = _best(cells)
        found = found_document(problem, cells, best)
        for position, cell in enumerate(cells):
            if len(cells) > 1 and cell.plan is not None and cell.is_solved:
                write_plan(cell.plan, folder / plan_of(position))
        if best is None or best.plan is None or best.plan.status in (Status.NO_SOLUTION, Status.ERROR):
            return found | ({"unreported": "there is no plan to report"} if asked.report else {})
        write_plan(best.plan, folder / PLAN)
        if best.plan.strategies is not None:
            draw_plan(problem, best.plan, folder / PICTURE)
        found["certificate"] = solving.certificate(best, folder / CERTIFICATE)
        found["uncertified"] = "" if found["certificate"] else solving.uncertified(best.plan)
        if asked.report:
            found["unreported"] = "it was not finished"
        explanation: Explanation | str = "there is no plan"
        reasons: tuple[Any, ...] = ()
        if best.plan.strategies is not None:
            # what was found is worth more than what is said of it, and is shown while that is looked for
            _write(folder, {**found, "regrets": "no regrets: they were not finished"})
            explanation, reasons = solving.explanation(best.plan), solving.reasons(best.plan)
            found = _explained(found, problem, best.plan, explanation)
            found["why"] = JOB_KINDS[problem.kind].why(problem, reasons) if reasons else []
        _write(folder, found)
        found["price"] = solving.price(best.plan)
        if asked.report:
            teller.say("the report is written")
            _write(folder, found)  # the report may fail or be too much
            found["unreported"] = write_job_report(
                folder / REPORT, problem, JobFindings(cells, best, explanation, reasons), solving.limits()
            )
    return found


def _explained(found: dict[str, Any], problem: Problem, plan: Plan, explanation: Explanation | str) -> dict[str, Any]:
    if isinstance(explanation, str):
        return {**found, "regrets": f"no regrets: {explanation}"}
    return with_regrets(found, problem, plan, explanation)


def _best(cells: list[Result]) -> Result | None:
    """Return the cell with the cheapest plan, a proven one of those; else one that says something."""
    solved = [cell for cell in cells if cell.is_solved]
    if solved:
        return min(solved, key=lambda cell: (cell.objective, not cell.proven, cell.proof is None))
    return next((cell for cell in cells if cell.plan is not None), None)
