"""What an instance of operators is, in the first lines of its page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.report.numbers import in_count
from hypar_opt.report.objective import bounds_text
from hypar_opt.report.operators.array import axes_headline
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from hypar_opt.instance.operators.schema import Recompute
    from hypar_opt.report.content import Subject

AGAIN: Final[Mapping[Recompute, str]] = MappingProxyType(
    {
        "none": "",
        "blocks": "repeated blocks, which keep no maps inside",
        "choose": "the repeated blocks that a plan chooses, which keep no maps inside",
    }
)
"""What runs once more, by what an instance says."""


def operator_facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the instance asks for and of what, label by label."""
    one = subject.instance
    graph, array = one.graph, axes_headline(one.name, one.spec.array)
    layers = len({operator.layer for operator in graph.operators})
    found = [
        (
            "Network",
            f"{one.name}: {counted(len(graph.operators), 'operator')} to decide, {counted(layers, 'layer')}, "
            f"{in_count(graph.parameters)} parameters",
        ),
        ("Batch", f"{counted(one.batch, 'sample')} a step, {one.bytes_per_element} bytes a number"),
        ("Array", array[0].removeprefix(f"{one.name}: ")),
        ("Each device", "".join(array[1:]).removeprefix("each device: ")),
        ("Accounting", one.accounting),
        ("Choices", f"{', '.join(one.choices or ()) or 'every dimension'}; splits: {one.splits}"),
        ("Parameters kept", ", ".join(one.storages)),
        ("Run once more", AGAIN[one.recompute]),
        ("Objective", one.objective.spelt),
        ("Bounds", bounds_text(one.bounds)),
        ("Fixed", ", ".join(f"{name} {' '.join(at or '.' for at in word)}" for name, word in one.fix.items())),
        ("Hash", one.sha256),
    ]
    return [(label, text) for label, text in found if text]
