"""An array on the terminal."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.communication import PHASES
from hypar_opt.evaluation.legality import unbuildable_text
from hypar_opt.instance.objective.components import HOP_BYTES
from hypar_opt.report.arrays.accelerator import accelerator_line
from hypar_opt.report.arrays.document import stage_rows
from hypar_opt.report.console import show as show_rows
from hypar_opt.report.numbers import in_bytes, in_component, in_si, share
from hypar_opt.report.overlap import overlap_line
from hypar_opt.report.plan_costs import cost_lines
from hypar_opt.report.scheduled_sums import show_sum_rows, show_sums

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.instance.hardware import Hop, Machine
    from hypar_opt.report.arrays.shown import PlacedArray

FULLEST = 10
"""Links in the table of the busiest."""
MOST_LEAVES = 16
"""Whose places are listed."""


def show_array(console: Console, shown: PlacedArray) -> None:
    """Print an array, its levels, and with a plan what that puts on the links."""
    each = () if shown.accelerator is None else (accelerator_line(shown.accelerator),)
    places = [shown.machine.accelerators[site] for site in shown.placed[:MOST_LEAVES]]
    places += ["..."] if len(shown.placed) > MOST_LEAVES else []
    placement = f"placement {shown.placement}: {' '.join(places)}"
    console.print("\n".join((*headline(shown), _sizes(shown), *each, placement)))
    unbuildable = unbuildable_text(shown.splits)
    if unbuildable:
        console.print(f"note: {unbuildable}", markup=False)
    timed = None if shown.timed is None else shown.timed.timed
    if timed is not None:
        console.print()
        show_sum_rows(console, timed)
        show_sums(console, timed)
    if shown.levels:
        console.print()
        show_rows(console, _levels(shown))
    if shown.traffic is not None and shown.measured.loads:
        for rows in (_phases(shown), _fullest(shown)):
            console.print()
            show_rows(console, rows)
    if shown.step is not None and shown.step.stages:
        console.print()
        show_rows(console, stage_rows(shown.step))
        if shown.step.together is not None:
            console.print(overlap_line(shown.step.together))


def headline(shown: PlacedArray) -> tuple[str, ...]:
    """Return what the array is, and what the plan costs on it."""
    first = f"{shown.name}: {kind(shown.machine)}, {_count(len(shown.machine.accelerators), 'accelerator')}"
    *totals, rest = cost_lines(shown.costs) or [""]
    return (first, *filter(None, [rest]), *totals)


def kind(machine: Machine) -> str:
    """Return the topology with its dimensions, and its routes if they are divided."""
    dims = " " + " x ".join(map(str, machine.dims)) if machine.dims else ""
    return f"{machine.topology}{dims}" + (", routes divided" if machine.rule == "split" else "")


def _sizes(shown: PlacedArray) -> str:
    machine, found = shown.machine, shown.facts
    parts = [_count(len(machine.switches), "switch", "switches")] if machine.switches else []
    parts.append(_count(len(machine.links), "link"))
    if found.bandwidth:
        parts.append(f"{in_bytes(found.bandwidth)}/s each way in all")
    if found.crossing is not None:
        width = f", {in_bytes(found.bisection)}/s each way" if found.bisection is not None else ""
        parts.append(f"at least {_count(found.crossing, 'link')}{width} between the halves of level 1")
    if found.diameter is not None:
        parts.append(f"diameter {_count(found.diameter, 'hop')}")
    return "; ".join(parts)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _levels(shown: PlacedArray) -> list[dict[str, str]]:
    walked = shown.measured.walked
    rows = []
    for h, busiest in enumerate(shown.measured.busiest):
        ends = {walked.nearest[h], walked.farthest[h]}
        row = {"level": str(h + 1), "hops": " to ".join(map(str, sorted(ends)))}
        if shown.traffic is None:
            load = {"its routes": "" if busiest is None else f"{float(busiest.load):.4g}"}
        else:
            hop_bytes = sum(shown.measured.levels[h].values(), start=Fraction(0))
            load = {"bytes": in_bytes(shown.measured.volumes[h]), HOP_BYTES: in_component(HOP_BYTES, hop_bytes)}
            load["its load"] = in_bytes(busiest.load) if busiest else "0"
            load["time"] = in_si(float(busiest.time), "s") if busiest and busiest.time is not None else "-"
        rows.append({**row, "busiest link": "-" if busiest is None else shown.hop(busiest.hop), **load})
    return rows


def _phases(shown: PlacedArray) -> list[dict[str, str]]:
    """Return one row a phase: bytes of layers and boundaries, and at each level."""
    parts = shown.traffic.parts if shown.traffic is not None else ()
    rows = []
    for phase in PHASES:
        mine = [part for part in parts if part.phase == phase]
        row = {"phase": phase, "bytes": in_bytes(sum(sum(part.levels) for part in mine))}
        row |= {
            f"of {name}": in_bytes(sum(sum(part.levels) for part in mine if part.kind == kind))
            for kind, name in (("layer", "layers"), ("boundary", "boundaries"))
        }
        row |= {f"level {h + 1}": in_bytes(sum(part.levels[h] for part in mine)) for h in range(shown.levels)}
        rows.append(row)
    return rows


def _fullest(shown: PlacedArray) -> list[dict[str, str]]:
    loads = shown.measured.loads
    ranked = sorted(loads, key=lambda hop: (-shown.busy(hop, loads[hop]), hop))[:FULLEST]
    total = sum(loads.values(), start=Fraction(0))
    heading = "busiest links" if shown.by_time else "fullest links"
    return [
        {heading: shown.hop(hop)}
        | _timed(shown, hop, loads[hop])
        | {"of hop-bytes": share(loads[hop], total)}
        | {f"level {h + 1}": in_bytes(level.get(hop, 0)) for h, level in enumerate(shown.measured.levels)}
        for hop in ranked
    ]


def _timed(shown: PlacedArray, hop: Hop, load: Fraction) -> dict[str, str]:
    """Return what a link carries and, where they are known, its speed and its time: what ranks it comes first."""
    carried = {"bytes": in_bytes(load)}
    rate, seconds = shown.machine.link_of[hop].bandwidth, shown.measured.time(hop, load)
    if rate is None or seconds is None:
        return carried
    took, speed = {"time": in_si(float(seconds), "s")}, {"speed": f"{in_bytes(rate)}/s"}
    return took | carried | speed if shown.by_time else carried | took | speed
