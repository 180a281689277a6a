"""What came of jobs: written by their workers, read by the server, its pages and scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hypar_opt.instance.fields import Spec
from hypar_opt.util.errors import InputError
from hypar_opt.web.job_files import OUTCOME, PICTURE, is_there, read_stored
from hypar_opt.web.store import DAMAGED, DONE, Job, JobStore

if TYPE_CHECKING:
    from pathlib import Path


class CostValue(Spec):
    """A value of the objective."""

    exact: str = Field(description="an integer or a decimal")
    shown: str = Field(description="rounded, with its unit")
    full: str = Field("", description="all digits that can be read, with its unit")


class FoundCell(Spec):
    """What one formulation found."""

    formulation: str = Field(description="its name")
    status: str = Field(description="of its plan, or declined")
    objective: CostValue | None = Field(None, description="of its plan")
    bound: CostValue | None = Field(None, description="below which no plan is")
    gap: str = Field("", description="between the two, relative to the bound")
    time: str = Field("", description="that it took")
    note: str = Field(description="what it says, or why it declines")
    best: bool = Field(description="whether no other found a better plan")
    plan: str = Field("", description="the name of its plan's file, where several are compared")


class FoundRow(Spec):
    """The plan's choice for one layer."""

    layer: str = Field(description="its name")
    kind: str = Field(description="its kind")
    word: str = Field(description="a letter a level; of operators a dimension an axis")
    entries: tuple[str, ...] = Field((), strict=False, description="of operators, the word's dimensions axis by axis")
    intra: str = Field("", description="bytes inside it")
    before: str = Field("", description="bytes before it")
    second: str = Field("", description="the best strategy other than its own, where regrets are known")
    regret: str = Field("", description="what the plan costs more with that")


class FoundTable(Spec):
    """A table beside the plan of operators: placements, collectives, memory, time."""

    title: str = Field(description="what it shows")
    headings: tuple[str, ...] = Field(strict=False, description="of its columns")
    rows: tuple[Annotated[tuple[str, ...], Field(strict=False)], ...] = Field(strict=False, description="its cells")
    more: int = Field(0, ge=0, description="rows that are not among them")


class PlanVerdict(Spec):
    """What the checker says of the certificate."""

    proven: bool = Field(description="whether it confirms it")
    faults: tuple[str, ...] = Field(strict=False, description="why not")
    by: str = Field(description="the formulation that left the evidence")


class InstanceFacts(Spec):
    """Of the instance."""

    instance: str = Field(description="its name")
    layers: int = Field(ge=0, description="with weights or joins")
    levels: int = Field(ge=0, le=64, description="of the array")
    batch: int = Field(ge=1, description="samples of a step")
    accounting: str = Field(description="what boundaries are charged")


class JobOutcome(Spec):
    """What came of a job. All fields are there for whoever reads it, whatever of them its worker had to say."""

    error: str = Field("", description="why it failed")
    line: int | None = Field(None, description="of the text that is wrong")
    field: str | None = Field(None, description="of it")
    place: str = Field("", alias="in", description="which text: instance or start")
    facts: InstanceFacts | None = Field(None, description="of the instance")
    cells: tuple[FoundCell, ...] = Field((), strict=False, description="a formulation each")
    status: str = Field("", description="of the best plan")
    headline: tuple[str, ...] = Field((), strict=False, description="the best plan in lines")
    rows: tuple[FoundRow, ...] = Field((), strict=False, description="the best plan, a layer each")
    more: int = Field(0, ge=0, description="layers that are not among them")
    axes: tuple[str, ...] = Field((), strict=False, description="of operators, the array's axes with their sizes")
    tables: tuple[FoundTable, ...] = Field((), strict=False, description="of operators, what else there is to the plan")
    regrets: str = Field("", description="what the regrets say of the plan, or why there are none")
    why: tuple[str, ...] = Field((), strict=False, description="why each layer of it is as it is, a sentence each")
    price: str = Field("", description="what the strategies that were given cost, or why that is not known")
    certificate: PlanVerdict | None = Field(None, description="of the best plan's optimality")
    uncertified: str = Field("", description="why there is no certificate, where one was wanted")
    unreported: str = Field("", description="why there is no report")

    def document(self) -> dict[str, Any]:
        """Return it for machines."""
        return self.model_dump(mode="json", by_alias=True)


def read_outcome(folder: Path) -> JobOutcome | None:
    """Return what came of a job; None where its worker did not get so far.

    Raises
    ------
    InputError
        If its file is damaged; names it and the field.
    """
    return read_stored(folder / OUTCOME, JobOutcome) if is_there(folder / OUTCOME) else None


def edition(folder: Path) -> str:
    """Return which of a job's outcomes stands in its folder: another text after each that is written, none before."""
    try:
        return str((folder / OUTCOME).lstat().st_mtime_ns)
    except OSError:
        return ""


class PlanFigure(Spec):
    """A figure as pages draw it."""

    title: str = Field(description="what it shows")
    alternative: str = Field(description="what it shows, in words")
    spec: dict[str, Any] = Field(description="for Vega-Lite")


def read_picture(folder: Path) -> PlanFigure | None:
    """Return a job's figure; None where there is none.

    Raises
    ------
    InputError
        If its file is damaged.
    """
    return read_stored(folder / PICTURE, PlanFigure) if is_there(folder / PICTURE) else None


class Records:
    """The jobs of a store; one whose outcome cannot be read is shown as damaged, for as long as it cannot."""

    def __init__(self, store: JobStore, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._faults: dict[str, str] = {}

    def check(self) -> None:
        """Look at all outcomes, so that lists say which are damaged."""
        for job in self._store.all():
            self.read(job)

    def all(self, most: int = 1000) -> list[Job]:
        """Return the jobs, the newest first."""
        return [self._shown(job) for job in self._store.all(most)]

    def read(self, job: Job) -> tuple[Job, JobOutcome | None]:
        """Return a job as it is shown, and what came of it; of one that is at work, what has come of it so far."""
        outcome = None
        self._faults.pop(job.id, None)
        try:
            outcome = read_outcome(self._folder / job.id)
            if outcome is None and job.state == DONE:
                raise InputError("missing", file=OUTCOME)
        except InputError as error:
            if job.is_over:  # until then its worker may write it anew
                self._faults[job.id] = str(error)
        if not job.is_over and outcome is not None and outcome.facts is not None:  # which the store is told at the end
            job = job.model_copy(update={"label": outcome.facts.instance})
        return self._shown(job), outcome

    def _shown(self, job: Job) -> Job:
        fault = self._faults.get(job.id)
        return job if fault is None else job.model_copy(update={"state": DAMAGED, "error": fault})
