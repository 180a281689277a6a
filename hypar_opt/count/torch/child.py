"""Applies an exported plan to a model of the plan's operators, and runs a training step: without devices, or by gloo.

Run as a module by the path of a JSON file (`job.py` writes it) and that of what is written: JSON with the collectives
that each device calls, or with losses and, of each parameter, by how much its gradient is off. It needs PyTorch.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.count.torch.recorder import CollectiveRecorder
from hypar_opt.count.torch.training_step import TrainingStep

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST: Final = 1e-3
"""What a gradient is compared with at least, in parts of the largest of all: some are nothing but what is rounded."""


def main(given: str, output: str) -> None:
    """Do a job."""
    import torch

    job = json.loads(Path(given).read_text(encoding="utf-8"))
    found = _run(job, output) if job["runs"] else _counted(job)
    Path(output).write_text(json.dumps(found | {"version": torch.__version__}), encoding="utf-8")


def _counted(job: dict[str, Any]) -> dict[str, Any]:
    """Return what a step calls, of tensors without numbers on devices that there need not be."""
    import torch.distributed
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.testing._internal.distributed.fake_pg import FakeStore

    devices = prod(job["sizes"])
    torch.distributed.init_process_group("fake", rank=0, world_size=devices, store=FakeStore())
    recorder = CollectiveRecorder()
    with FakeTensorMode(allow_non_fake_inputs=True), _exchanging():
        step = TrainingStep(job, recorder)
        step.distribute()
        with recorder.mode():
            step.train()
    return {"collectives": recorder.found}


@contextmanager
def _exchanging() -> Iterator[None]:
    """Have shards exchanged as devices do, where DTensor gathers and cuts them on hosts, whose Gloo cannot."""
    import torch
    from torch.distributed import _functional_collectives
    from torch.distributed.tensor import placement_types

    def exchanged(tensor: Any, gathered: int, cut: int, mesh: Any, axis: int) -> Any:
        group = _functional_collectives._resolve_group((mesh, axis))
        name = group if isinstance(group, str) else group.group_name
        return torch.ops._dtensor.shard_dim_alltoall(tensor, gathered, cut, name)

    before = placement_types.shard_dim_alltoall
    placement_types.shard_dim_alltoall = exchanged
    try:
        yield
    finally:
        placement_types.shard_dim_alltoall = before


def _run(job: dict[str, Any], output: str) -> dict[str, Any]:
    """Run a step on as many processes as there are devices, and beside it the same whole."""
    import torch.multiprocessing

    devices = prod(job["sizes"])
    torch.multiprocessing.spawn(_ranked, args=(job, output, devices), nprocs=devices)
    found: dict[str, Any] = json.loads(Path(output).read_text(encoding="utf-8"))
    return found


def _ranked(rank: int, job: dict[str, Any], output: str, devices: int) -> None:
    import torch.distributed

    torch.set_num_threads(1)
    meeting = torch.distributed.FileStore(f"{output}.store", devices)
    torch.distributed.init_process_group("gloo", rank=rank, world_size=devices, store=meeting)
    torch.manual_seed(0)
    whole = TrainingStep(job, CollectiveRecorder())
    torch.manual_seed(0)
    parts = TrainingStep(job, CollectiveRecorder())
    parts.distribute()
    losses, gradients = parts.train()
    expected, exact = whole.train()
    loss = sum(float(one.full_tensor()) for one in losses)
    found = {name: one.full_tensor() for name, one in gradients.items()}
    if rank == 0:
        largest = max(float(one.abs().max()) for one in exact.values())
        off = {
            name: float((found[name] - one).abs().max()) / (max(float(one.abs().max()), LEAST * largest) or 1.0)
            for name, one in exact.items()
        }
        text = {"loss": loss, "whole_loss": sum(map(float, expected)), "off": off}
        Path(output).write_text(json.dumps(text), encoding="utf-8")
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
