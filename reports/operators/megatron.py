"""Megatron's plan for transformer blocks: what it moves, and what the best plan moves."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypar_opt.evaluation.operators import faults, movements, operator_plan, total
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.blocks import GPT_2, LLAMA_3, SMALL
from hypar_opt.studies.operators.formulae import megatron_block
from hypar_opt.studies.operators.megatron import megatron, positions_up_to

from .page import count, page, times

WIDE = replace(GPT_2, name="wide-block", sequence=2048, width=4096, hidden=16384, heads=64, key_heads=64)
"""As many heads as there are devices."""
BLOCKS = (SMALL, GPT_2, LLAMA_3, WIDE)
PHASES = ("forward", "backward", "update")
ONE_AXIS = ((SMALL, (2, 4)), (GPT_2, (2, 4)), (LLAMA_3, (2, 4, 8)), (WIDE, (2, 4, 8, 16, 32, 64)))
BATCHES = {SMALL: (1, 2, 4, 8, 16, 64), GPT_2: (1, 2, 4, 8, 32), LLAMA_3: (1, 2, 4, 8, 32), WIDE: (1, 2, 4, 8, 16, 64)}
TWO_AXES = (
    (SMALL, ((2, 2), (2, 4), (4, 4), (8, 4)), (8, 32)),
    (GPT_2, ((2, 2), (2, 4), (4, 4), (8, 4), (16, 4)), (16, 64)),
    (LLAMA_3, ((2, 2), (2, 4), (2, 8), (4, 8), (8, 8)), (8, 32)),
    (WIDE, ((2, 2), (2, 4), (2, 8), (4, 8), (8, 8)), (8, 32)),
)


def of_megatron(instance, *, sequence=False):
    """Return what the plan moves, or None where heads do not divide; the batch is on the axis that is not `gpu`."""
    strategies = megatron(instance.graph, instance.partition, ["gpu"], sequence=sequence)
    plan = operator_plan(instance.graph, instance.partition, strategies)
    if any(faults(instance.graph, instance.partition, plan, divisible=True, choices=instance.choices)):
        return None
    return movements(instance.graph, instance.partition, plan)


def collectives(block, axes, batch, *, sequence):
    """Return a row an axis and phase: how many of each kind, and their bytes."""
    moved = of_megatron(block.instance(batch, axes), sequence=sequence)
    for phase in PHASES:
        for axis in axes:
            calls, size = Counter(), Counter()
            for one in moved:
                if (one.phase, one.axis) == (phase, axis):
                    calls[one.kind] += one.collectives
                    size[one.kind] += one.bytes
            for kind in calls:
                yield {
                    "block": block.name,
                    "batch": batch,
                    "array": array(axes),
                    "sequence parallelism": "yes" if sequence else "no",
                    "phase": phase,
                    "axis": axis,
                    "collective": kind,
                    "calls": calls[kind],
                    "bytes": count(size[kind]),
                }


def array(axes):
    """Return an array in words."""
    return " x ".join(f"{name} {size}" for name, size in axes.items())


def comparison(block, axes, batch):
    """Return a row: Megatron's plan with both kinds of rows beside the best plan, which is proven."""
    instance = block.instance(batch, axes)
    plain, scattered = (of_megatron(instance, sequence=sequence) for sequence in (False, True))
    best = solve(instance, "joint-dp")
    assert best.status == "OPTIMAL"
    least = best.communication_bytes
    both = {} if plain is None else {"Megatron": total(plain), "with sequence parallelism": total(scattered)}
    better = min(both.values(), default=None)
    return {
        "block": block.name,
        "array": array(axes),
        "batch": batch,
        **{name: count(size) for name, size in both.items()},
        "least": count(least),
        "Megatron / least": "" if better is None else times(better, least),
        "best plan": described(best.strategies, len(axes)),
    }


def described(strategies, axes):
    """Return a plan in a few words: those of the operators that Megatron splits."""
    names = ("query", "attention", "project", *(["gate"] if "gate" in strategies else ["up"]), "down")
    words = [strategies[name] for name in names]
    if set(words) <= {" ".join([letter] * axes) for letter in ("batch", "sequence")} and len(set(words)) == 1:
        return f"{words[0]}, all of it"
    return ", ".join(f"{name} {word}" for name, word in zip(names, words, strict=True))


def bound(block, devices):
    """Return a row: up to how many positions of one sample the plan is optimal, each side proven."""
    most = positions_up_to(block, devices)
    ratios = []
    for positions in (most, most + devices):
        longer = replace(block, sequence=positions).instance(1, {"gpu": devices})
        best = solve(longer, "joint-dp")
        assert best.status == "OPTIMAL"
        ratios.append(times(total(of_megatron(longer)), best.communication_bytes))
    return {
        "block": block.name,
        "devices": devices,
        "positions": count(most),
        "Megatron / least": ratios[0],
        "of as many more as there are devices": ratios[1],
    }


def written():
    """Return the page."""
    shown = ((GPT_2, {"gpu": 4}, 1), (LLAMA_3, {"gpu": 8}, 1), (GPT_2, {"node": 2, "gpu": 4}, 8))
    counted = [
        row for block, axes, batch in shown for sequence in (False, True)
        for row in collectives(block, axes, batch, sequence=sequence)
    ]  # fmt: skip
    formula = megatron_block(4, 1, GPT_2.sequence, GPT_2.width).numbers * GPT_2.element_bytes * 4
    one = [
        comparison(block, {"gpu": devices}, batch)
        for block, all_devices in ONE_AXIS
        for devices in all_devices
        for batch in BATCHES[block]
    ]
    two = [
        comparison(block, dict(zip(("node", "gpu"), sizes, strict=True)), batch)
        for block, arrays, batches in TWO_AXES
        for sizes in arrays
        for batch in batches
    ]
    bounds = [bound(block, devices) for block, all_devices in ONE_AXIS[1:] for devices in all_devices]
    return page(
        "Megatron's plan for a transformer block",
        "Written by `make operators`; checked by tests/published and tests/studies/operators. Bytes are received, of "
        "all devices together, in a training step: forward, backward and the sums of gradients. Every least is proven "
        "by joint-dp and recounted by the evaluator; bytes alone are weighed, neither time nor memory.",
        "The small block is that whose collectives were counted in generated programs: 32 positions, width 64, 4 "
        "heads, 256 hidden features, norms without parameters. The others are of GPT-2 small (1,024 positions) and "
        "Llama 3 8B (4,096 positions, 2 bytes a number), and one of 2,048 positions and width 4,096 with 64 heads, so "
        "that 64 devices divide them.",
        "## Its collectives",
        "The paper (arXiv:1909.08053) has two all-reduces forward and two backward, each of batch x sequence x width: "
        f"for GPT-2's block on four devices {count(formula)} bytes, which is what is counted below. With sequence "
        "parallelism (arXiv:2205.05198) each is a reduce-scatter and an all-gather of the same bytes; norms see shards "
        "of the sequence then, so that what they learn has to be added up. Maps are kept as they were gathered; the "
        "paper gathers them once more in the backward phase to save memory, which is not charged here.",
        counted,
        "## One axis",
        "`batch` is samples in the step; 1 in the column before the last says that no plan moves less than Megatron's. "
        "In the small block the gradient of the first norm is not needed, so that Megatron's plan has one all-reduce "
        "less; with sequence parallelism its input is gathered, which every device could load as well.",
        one,
        "## Two axes: the batch by nodes, Megatron's plan in each",
        two,
        "## Up to where it is optimal",
        "One sample, so that there is no batch to split. The bound is the formula of "
        "`hypar_opt.studies.operators.megatron.positions_up_to`: of width h on t devices, with k numbers of a norm for "
        "each feature and b of a bias, (h + k + b) t / (t - 1) positions; behind it the matrix at attention's end is "
        "better split along the sequence. Where keys are few it may be all of attention that is, earlier. Both sides "
        "of the bound are proven.",
        bounds,
    )
