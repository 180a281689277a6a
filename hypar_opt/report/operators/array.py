"""An array of axes in words and numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.accelerator_schema import accelerator_of
from hypar_opt.instance.data import plain_lists
from hypar_opt.instance.operators.standing import machine_of_axes, with_article
from hypar_opt.report.console import show
from hypar_opt.report.numbers import in_bytes, in_operations, in_si

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.util.partition import Partition


def axes_text(partition: Partition) -> str:
    """Return axes with their sizes, outermost first."""
    return " x ".join(f"{axis.name} ({axis.size})" for axis in partition.axes)


def axes_document(name: str, array: AxesArraySpec) -> dict[str, Any]:
    """Return what an array is, for machines."""
    from hypar_opt.instance.exact import plain

    said = plain_lists(array.model_dump(exclude_defaults=True))
    axes = [{"name": axis.name, "size": axis.size} for axis in array.partition.axes]
    document: dict[str, Any] = plain({"name": name, "axes": axes, **said, "devices": array.partition.leaves})
    return document


def axes_headline(name: str, array: AxesArraySpec) -> list[str]:
    """Return what an array is, in lines."""
    partition = array.partition
    lines = [f"{name}: {partition.leaves:,} devices, {axes_text(partition)}"]
    machine = machine_of_axes(array)
    if machine is not None:
        wire = array.link
        said = [] if wire is None or wire.bandwidth is None else [f"{in_bytes(Fraction(wire.bandwidth))}/s a link"]
        parts = f"{len(machine.switches):,} switches, {len(machine.links):,} links"
        how = array.placement if isinstance(array.placement, str) else "given"
        lines.append(", ".join([f"on {with_article(array.topology or '')}: {parts}", *said, f"placement {how}"]))
    each = accelerator_of(array.accelerator)
    if each is not None:
        said = [in_operations(float(each.rate))]
        said += [] if each.capacity is None else [f"{in_bytes(each.capacity)} of memory"]
        said += [] if each.bandwidth is None else [f"{in_bytes(each.bandwidth)}/s of memory bandwidth"]
        lines.append(f"each device: {', '.join(said)}")
    return lines


def show_axes(console: Console, name: str, array: AxesArraySpec) -> None:
    """Print a row an axis, outermost first: what a device's link along it can do."""
    for line in axes_headline(name, array):
        console.print(line)
    if array.topology is None:
        show(console, link_rows(array))


def link_rows(array: AxesArraySpec) -> list[dict[str, Any]]:
    """Return a row an axis, outermost first: its size, and what a device's link along it can do."""
    links = [one.link for one in array.axes or ()] or [None] * array.partition.levels
    return [
        {
            "axis": axis.name,
            "size": axis.size,
            "bandwidth": "-" if link is None or link.bandwidth is None else f"{in_bytes(Fraction(link.bandwidth))}/s",
            "latency": "-" if link is None or link.latency is None else in_si(float(link.latency), "s"),
            "energy": "-" if link is None or link.energy is None else in_si(float(link.energy), "J/B"),
        }
        for axis, link in zip(array.partition.axes, links, strict=True)
    ]
