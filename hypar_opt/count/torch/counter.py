"""Counts what PyTorch's DTensor moves by an exported plan, in a process of its own that needs no devices."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.count.comparison import compared
from hypar_opt.count.hlo import Collective
from hypar_opt.count.jax_counter import SECONDS, Counted, HostRun
from hypar_opt.count.process import run_child
from hypar_opt.count.received import Mesh
from hypar_opt.count.torch.job import job_of, sources
from hypar_opt.count.torch.reasons import explained
from hypar_opt.export.torch import torch_plan
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.export.planned import PlannedStep

PROCESSES: Final = 8
"""How many devices a step is run for at most, a process each."""


def count_torch(step: PlannedStep, *, run: PlannedStep | None = None, seconds: float = SECONDS) -> Counted:
    """Return what DTensor moves by the exported plan of a step.

    Parameters
    ----------
    step
        What is planned.
    run
        What is run by gloo on this host, a process for each device, and compared with the same whole: the step, or
        the same plan on smaller sizes; nothing where None.
    seconds
        After so long the process is ended.

    Raises
    ------
    MissingPackage
        If PyTorch is not installed.
    Refusal
        If there is no such plan, or it could not be run within the time.
    """
    require("torch")
    found = _child(step, runs=False, seconds=seconds)
    calls = tuple(_collective(step, one) for one in found["collectives"])
    mesh = Mesh(step.sizes, step.fastest)
    lines = explained(step, compared(step.movements, calls, sources(step), step.axes, mesh, step.element_bytes))
    if run is None:
        return Counted(lines, calls)
    ran = _child(run, runs=True, seconds=seconds)
    where = "the instance's sizes" if run is step else "smaller sizes"
    return Counted(lines, calls, HostRun(ran["loss"], ran["whole_loss"], ran["off"]), where)


def _child(step: PlannedStep, *, runs: bool, seconds: float) -> dict[str, Any]:
    with TemporaryDirectory(prefix="hypar-opt-") as folder:
        plan, given, output = (Path(folder, name) for name in ("plan.py", "job.json", "found.json"))
        plan.write_text(torch_plan(step), encoding="utf-8")
        given.write_text(json.dumps(job_of(step, str(plan), runs=runs)), encoding="utf-8")
        command = [sys.executable, "-m", "hypar_opt.count.torch.child", str(given), str(output)]
        run_child(command, {"OMP_NUM_THREADS": "1"}, seconds)
        found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
        return found


def _collective(step: PlannedStep, one: Mapping[str, Any]) -> Collective:
    """Return a call as all devices make it together: the first device's, in every place of the other axes."""
    mesh = Mesh(step.sizes, step.fastest)
    along = mesh.axes(one["ranks"])
    groups: dict[tuple[int, ...], list[int]] = {}
    for device in range(step.partition.leaves):
        place = mesh.coordinates(device)
        groups.setdefault(tuple(x for axis, x in enumerate(place) if axis not in along), []).append(device)
    elements = one["elements"]
    return Collective(
        one["kind"], tuple(map(tuple, groups.values())), elements * step.element_bytes, elements, one["label"]
    )
