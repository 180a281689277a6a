"""An array for machines, everything in full and exact; what an accelerator computes, in rows."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.legality import unbuildable_field
from hypar_opt.evaluation.step import PHASES, Stage, Step
from hypar_opt.instance.objective.components import COST_FIELDS, PLACED
from hypar_opt.report.arrays.accelerator import accelerator_document
from hypar_opt.report.numbers import in_count, in_si
from hypar_opt.report.overlap import overlap_document
from hypar_opt.report.scheduled_sums import sums_document
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.evaluation.links import Traffic
    from hypar_opt.instance.hardware import Hop
    from hypar_opt.report.arrays.shown import PlacedArray


def array_document(shown: PlacedArray) -> dict[str, Any]:
    """Return all that `show` knows; with a plan, the load of every link and what each layer exchanges."""
    machine, found = shown.machine, shown.facts
    document: dict[str, Any] = {
        "name": shown.name,
        "topology": machine.topology,
        "dims": list(machine.dims),
        "routing": machine.rule,
        "levels": shown.levels,
        "accelerators": len(machine.accelerators),
        "switches": len(machine.switches),
        "links": len(machine.links),
        "bandwidth_bytes_per_s": exact(found.bandwidth),
        "links_between_halves": found.crossing,
        "bisection_bytes_per_s": exact(found.bisection),
        "diameter_hops": found.diameter,
        "accelerator": None if shown.accelerator is None else accelerator_document(shown.accelerator),
        "placement_from": shown.placement,
        "placement": [machine.accelerators[site] for site in shown.placed],
        "by_level": [_level(shown, h) for h in range(shown.levels)],
    }
    if shown.step is not None:
        document["step"] = step_document(shown.step)
    return document | ({} if shown.traffic is None else _plan(shown, shown.traffic))


def _level(shown: PlacedArray, h: int) -> dict[str, Any]:
    walked, busiest = shown.measured.walked, shown.measured.busiest[h]
    row: dict[str, Any] = {"level": h + 1, "hops": walked.hops[h], "least": walked.nearest[h]}
    row |= {"most": walked.farthest[h], "busiest_link": None if busiest is None else _ends(shown, busiest.hop)}
    if shown.traffic is None:
        return row | {"busiest_routes": None if busiest is None else exact(busiest.load)}
    return row | {
        "bytes": exact(shown.measured.volumes[h]),
        "busiest_bytes": exact(0 if busiest is None else busiest.load),
        "time_s": None if shown.measured.comm_time is None else exact(busiest.time if busiest else 0),
    }


def _plan(shown: PlacedArray, traffic: Traffic) -> dict[str, Any]:
    costs, levels = shown.costs, shown.measured.levels
    timed = None if shown.timed is None else shown.timed.timed
    named = {field: exact(costs.get(name)) for name, field in COST_FIELDS.items() if name in PLACED or name in costs}
    return {
        "cost": {"communication_bytes": exact((shown.timed or shown.measured).communication), **named},
        "parts": [
            {"name": part.name, "kind": part.kind, "phase": part.phase, "bytes_by_level": list(map(exact, part.levels))}
            for part in traffic.parts
        ],
        "loads": [
            {
                "link": _ends(shown, hop),
                "bytes": exact(load),
                "time_s": exact(shown.measured.time(hop, load)) if shown.is_timed else None,
                "bytes_by_level": [exact(level.get(hop, 0)) for level in levels],
            }
            for hop, load in sorted(shown.measured.loads.items())
        ],
        **({} if timed is None else {"sums": sums_document(timed)}),
        **unbuildable_field(shown.splits),
    }


def _ends(shown: PlacedArray, hop: Hop) -> list[str]:
    return [shown.machine.names[node] for node in hop]


MOST_LAYERS = 60
"""In the table."""


def stage_rows(step: Step) -> list[dict[str, str]]:
    """Return a row a layer: seconds of each phase, then operations and accesses of all of them."""
    by_layer: dict[str, list[Stage]] = {}
    for stage in step.stages:
        by_layer.setdefault(stage.layer, []).append(stage)
    return [_stage_row(layer, stages) for layer, stages in list(by_layer.items())[:MOST_LAYERS]]


def _stage_row(layer: str, stages: list[Stage]) -> dict[str, str]:
    seconds = dict.fromkeys(PHASES, Fraction(0)) | {one.phase: one.seconds for one in stages}
    row = {"each accelerator": layer} | {phase: in_si(float(seconds[phase]), "s") for phase in PHASES}
    multiplies, adds = (sum(getattr(one, name) for one in stages) for name in ("multiplies", "adds"))
    row |= {"operations": in_count(round(multiplies + adds))}
    return row | {
        f"{name} accesses": in_count(round(sum(getattr(one, name) for one in stages))) for name in ("sram", "dram")
    }


def step_document(step: Step) -> dict[str, Any]:
    """Return every stage of one accelerator for machines, exact; accesses are to elements."""
    stages = [
        {
            "layer": one.layer,
            "phase": one.phase,
            "seconds": exact(one.seconds),
            "multiplies": exact(one.multiplies),
            "adds": exact(one.adds),
            "sram_accesses": exact(one.sram),
            "dram_accesses": exact(one.dram),
        }
        for one in step.stages
    ]
    together = step.together
    if together is None:
        return {"stages": stages}
    return {"stages": stages, "overlap": overlap_document(together)}
