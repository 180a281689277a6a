"""What an instance is, in lines."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from hypar_opt.errors import InputError
from hypar_opt.instance import find_instance
from hypar_opt.report.arrays.accelerator import accelerator_line
from hypar_opt.report.arrays.view import kind
from hypar_opt.report.numbers import in_count

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.reporting import Subject


def facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the instance asks for and of what, label by label."""
    one, work = subject.instance, subject.problem.work
    weights = in_count(sum(layer.weight for layer in work.layers))
    form = "a chain" if work.is_chain else "a graph with joins"
    choices = ", ".join(one.spec.cost.choices)
    found = [
        ("Network", f"{one.name}: {len(work.layers):,} layers that are decided, {form}, {weights} weights"),
        ("Batch", f"{one.batch:,} samples a step, {one.bytes_per_element} bytes a number"),
        ("Array", f"{one.levels} levels, {1 << one.levels:,} accelerators: {kind(one.machine)}"),
        ("Accounting", one.accounting),
        ("Choices", f"{choices}; splits: {one.splits}"),
        ("Left out", "" if one.input_error else "the error of the network's input"),
        ("Objective", one.aim.spelt),
        ("Fixed", ", ".join(f"{layer} {word}" for layer, word in one.fix.items())),
        ("Hash", one.sha256),
    ]
    if one.accelerator is not None:
        line = accelerator_line(one.accelerator).removeprefix("each accelerator: ")
        found.insert(3, ("Each accelerator", line))
    return [(label, text) for label, text in found if text]


def asked(instance: Instance) -> str:
    """Return what names the instance on a command line: its shipped name, or its file."""
    return instance.name if instance.source is None else _named(instance.source)


def _named(source: Path) -> str:
    try:
        shipped = find_instance(source.stem)
    except InputError:
        return str(source)
    return source.stem if shipped.resolve() == source.resolve() else str(source)


def command(*words: str) -> str:
    """Return a command line on which every word stays one."""
    return shlex.join(["hypar-opt", *words])
