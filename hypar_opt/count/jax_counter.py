"""Counts what an exported program moves: compiled by JAX for devices of the host, in a process of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.count import jax_child
from hypar_opt.count.comparison import Line, compared, in_all
from hypar_opt.count.hlo import Collective, collectives
from hypar_opt.count.jax_process import UNOPTIMISED, run_jax
from hypar_opt.count.received import Mesh
from hypar_opt.export.jax.gspmd import gspmd_program
from hypar_opt.export.jax.program import jax_program
from hypar_opt.export.jax.whole import whole_program
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.export.jax.program import Program
    from hypar_opt.export.planned import PlannedStep

TOLERANCE: Final = 1e-10
"""By how much gradients may be off that one device computes, in parts, in numbers of 64 bits."""
SECONDS: Final = 600.0
"""How long a program may take to be compiled and run, unless told otherwise."""


@dataclass(frozen=True)
class HostRun:
    """A step that was run, beside the same step on one device, in numbers of 64 bits.

    Parameters
    ----------
    loss, whole_loss
        Of the step, and on one device.
    off
        By parameter, by how much its gradient is off, in parts of the largest number of that.
    """

    loss: float
    whole_loss: float
    off: Mapping[str, float] = field(default_factory=dict)

    @property
    def most(self) -> float:
        """The largest of all differences, in parts."""
        of_loss = abs(self.loss - self.whole_loss) / (abs(self.whole_loss) or 1.0)
        return max((of_loss, *self.off.values()))


@dataclass(frozen=True)
class Counted:
    """What a program moves beside what is predicted, and whether it computes what one device does.

    Parameters
    ----------
    lines
        Conversion by conversion, axis by axis.
    collectives
        Those of the program.
    run
        Nothing where it was not run.
    ran_on
        Which sizes it was run on.
    """

    lines: tuple[Line, ...]
    collectives: tuple[Collective, ...]
    run: HostRun | None = None
    ran_on: str = ""

    @property
    def different(self) -> tuple[Line, ...]:
        """Where prediction and program are not equal."""
        return tuple(line for line in self.lines if line.difference)


def count(step: PlannedStep, *, runs: PlannedStep | None, seconds: float = SECONDS) -> Counted:
    """Return what the exported program of a planned step moves; as `count_all` takes and raises it."""
    return count_all([step], runs=[runs], seconds=seconds)[0]


def count_all(
    steps: Sequence[PlannedStep], *, runs: Sequence[PlannedStep | None], seconds: float = SECONDS
) -> tuple[Counted, ...]:
    """Return what the exported programs of planned steps move, all compiled by one process.

    Parameters
    ----------
    steps
        What is planned.
    runs
        For each what is run, and compared with the same on one device: itself, or the same plan on smaller sizes, or
        None.
    seconds
        After so long the process is ended.

    Raises
    ------
    MissingPackage
        If JAX is not installed.
    Refusal
        If there is no such program, or one could not be compiled or run within the time.
    """
    require("jax")
    programs = [jax_program(step) for step in steps]
    jobs = []
    for step, program, run in zip(steps, programs, runs, strict=True):
        if run is None or run is step:
            jobs.append((program.text, "" if run is None else whole_program(run)))
        else:
            jobs += [(program.text, ""), (jax_program(run).text, whole_program(run))]
    devices = max(step.partition.leaves for step in steps)
    found = iter(_child(jobs, devices, seconds))
    counted = []
    for step, program, run in zip(steps, programs, runs, strict=True):
        first = next(found)
        second = first if run is None or run is step else next(found)
        counted.append(_counted(step, program, first, second, run))
    return tuple(counted)


def count_constrained(step: PlannedStep, *, seconds: float = SECONDS) -> Counted:
    """Return what a program moves in which the compiler chooses the collectives; as `count_all_constrained` does."""
    return count_all_constrained([step], seconds=seconds)[0]


def count_all_constrained(steps: Sequence[PlannedStep], *, seconds: float = SECONDS) -> tuple[Counted, ...]:
    """Return what programs move in which the compiler chooses the collectives, all compiled by one process.

    Which conversion a collective belongs to is not known: there is a line for each kind and axis. What is predicted is
    what the plan's accounting says. Raises as `count_all` does.
    """
    require("jax")
    devices = max(step.partition.leaves for step in steps)
    counted = []
    for step, found in zip(steps, _child([(gspmd_program(one), "") for one in steps], devices, seconds), strict=True):
        calls = collectives(found["hlo"], step.partition.leaves)
        mesh = Mesh(step.sizes, step.fastest)
        counted.append(Counted(in_all(step.emitted, calls, step.axes, mesh, step.element_bytes), calls))
    return tuple(counted)


def _counted(
    step: PlannedStep, program: Program, found: Mapping[str, Any], ran: Mapping[str, Any], run: PlannedStep | None
) -> Counted:
    calls = collectives(found["hlo"], step.partition.leaves)
    mesh = Mesh(step.sizes, step.fastest)
    lines = tuple(
        replace(line, why=program.reasons.get((line.tensor, line.phase, line.reader), "")) if line.difference else line
        for line in compared(step.movements, calls, program.sources, step.axes, mesh, step.element_bytes)
    )
    if run is None:
        return Counted(lines, calls)
    where = "the instance's sizes" if run is step else "smaller sizes"
    return Counted(lines, calls, HostRun(ran["loss"], ran["whole_loss"], ran["off"]), where)


def _child(jobs: Sequence[tuple[str, str]], devices: int, seconds: float) -> list[dict[str, Any]]:
    """Return what the process found of each pair of programs."""
    with TemporaryDirectory(prefix="hypar-opt-") as folder:
        listed = [[_written(folder, f"{part}{number}.py", text) for part, text in zip("sw", pair, strict=True)]
                  for number, pair in enumerate(jobs)]  # fmt: skip
        given = _written(folder, "jobs.json", json.dumps(listed))
        output = Path(folder, "found.json")
        more = "" if any(whole for _, whole in jobs) else UNOPTIMISED
        run_jax(jax_child.__file__, [given, str(output)], devices, seconds, more)
        found: list[dict[str, Any]] = json.loads(output.read_text(encoding="utf-8"))
        return found


def _written(folder: str, name: str, text: str) -> str:
    """Return the path of a file that was written; '' of nothing."""
    if not text:
        return ""
    path = Path(folder, name)
    path.write_text(text, encoding="utf-8")
    return str(path)
