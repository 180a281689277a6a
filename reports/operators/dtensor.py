"""python -m reports.operators.dtensor: what PyTorch's DTensor moves by plans, beside what is predicted; some 5 minutes.

Needs PyTorch, which nothing else here does: `make dtensor` installs it.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from hypar_opt.count.small import smaller
from hypar_opt.count.torch.counter import count_torch
from hypar_opt.export.planned import planned_step
from hypar_opt.instance import load
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.extras import version_of
from hypar_opt.util.files import write_to_folder

from .page import count, page

RUN = 4
"""Plans for so many devices are run, too, a process each."""
FOUR, EIGHT = "node=2,gpu=2", "node=2,gpu=4"
CASES = (
    ("sfc", FOUR, "joint-dp"),
    ("sfc", EIGHT, "joint-dp"),
    ("sfc", EIGHT, "data-parallel"),
    ("lenet-c", FOUR, "joint-dp"),
    ("lenet-c", EIGHT, "joint-dp"),
    ("lenet-c", EIGHT, "data-parallel"),
    ("gpt2-block", FOUR, "joint-dp"),
    ("gpt2-block", EIGHT, "joint-dp"),
    ("gpt2-block", EIGHT, "megatron"),
)


def step_of(name, axes, formulation):
    """Return the step of a formulation's plan."""
    instance = load(name, axes=axes, splits="divisible")
    plan = solve(instance, formulation)
    return planned_step(instance, OperatorProblem(instance).plan_of(plan.strategies))


def predicted(step):
    """Return the bytes that a step is said to move."""
    return sum(one.bytes for one in step.movements)


def rows(case):
    """Return a case's row, and those of its differences."""
    name, axes, formulation = case
    step = step_of(*case)
    counted = count_torch(step, run=smaller(step) if step.partition.leaves <= RUN else None)
    row = {
        "network": name,
        "axes": axes,
        "plan": formulation,
        "predicted": count(predicted(step)),
        "counted": count(sum(line.counted for line in counted.lines)),
        "collectives": count(len(counted.collectives)),
        "gradients off": "" if counted.run is None else f"{counted.run.most:.0e}",
    }
    sums = Counter()
    for line in counted.different:
        sums[line.tensor, line.phase, line.reader or "all", line.why] += line.difference
    differences = [
        {"network": name, "axes": axes, "plan": formulation, "tensor": tensor, "phase": phase, "for": reader,
         "more": count(more), "why": why}
        for (tensor, phase, reader, why), more in sums.items()
    ]  # fmt: skip
    sys.stdout.write(f"{name} on {axes} by {formulation}: {row['counted']} bytes\n")
    sys.stdout.flush()
    return row, differences


def written():
    """Return the page."""
    found = [rows(case) for case in CASES]
    return page(
        "What PyTorch's DTensor moves",
        f"Written by `make dtensor` with PyTorch {version_of('torch')}. Plans are exported (`export --to torch`) and "
        "applied to modules of the operators; bytes that all devices receive in a training step are counted on tensors "
        "without numbers and compared with what is predicted. Plans for four devices are run by Gloo on small sizes, "
        "in numbers of 64 bits: by how much the loss or a gradient is off one device's, in parts of the largest.",
        [row for row, _ in found],
        "## Where they differ",
        "A difference is of the bytes of one tensor on its way, of all kinds and axes together. DTensor's shards are "
        "blocks side by side: where two axes split a dimension, one lies within the other, and the outer one cannot "
        "go or be gathered alone. And it converts one axis after the other, so that an exchange may come when parts "
        "have been gathered already. [Plans as programs](../../docs/export.md) says more.",
        [line for _, lines in found for line in lines],
    )


def main():
    """Write the page, and say where."""
    folder = Path(__file__).parent
    write_to_folder(folder, {"dtensor.md": written()})
    sys.stdout.write(f"{folder / 'dtensor.md'}\n")


if __name__ == "__main__":
    main()
