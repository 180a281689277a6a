"""One instance of a job, solved by its formulations one after the other."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.errors import Refusal
from hypar_opt.files import atomically
from hypar_opt.plan import Status
from hypar_opt.run import GIB, Limits
from hypar_opt.serving.found import Result
from hypar_opt.solving import pick, solve

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.potentials import Potentials
    from hypar_opt.problem import Problem
    from hypar_opt.serving.asked import Asked
    from hypar_opt.serving.telling import Teller
    from hypar_opt.tasks import Start


@dataclass(frozen=True)
class Solver:
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
        from hypar_opt.certificate.read import check_file
        from hypar_opt.certificate.write import write_certificate

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
