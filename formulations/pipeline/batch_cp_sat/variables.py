"""What a batch's time is made of, as variables in CP-SAT."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

from formulations.pipeline.batch import is_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ortools.sat.python.cp_model import IntVar

    from formulations.pipeline.cp_sat.variables import CpSatStages
    from formulations.pipeline.programme import StageProgramme
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.costgraph.pipeline.batch import BatchTimes


@dataclass(frozen=True)
class CpSatBatch:
    """Stages in CP-SAT, with what a batch of microbatches takes.

    Parameters
    ----------
    stages
        Groups in slots.
    batch
        Its times in units of the programme.
    line
        Whether each stage reads the one before it.
    makespan
        At least what the batch takes.
    forward, backward, lags
        By slot, at least what its phases take, and until others have what it made.
    at
        By slot and place, counted from the pipeline's end: whether the slot's stage stands there; empty where a closed
        form needs no places.
    phases
        By place, at least what its stage takes forward, backward, and its lag.
    ends
        By place, phase and microbatch, the date at which the operation ends.
    """

    stages: CpSatStages
    batch: BatchTimes
    line: bool
    makespan: IntVar
    forward: tuple[IntVar, ...]
    backward: tuple[IntVar, ...]
    lags: tuple[IntVar, ...]
    at: Mapping[tuple[int, int], IntVar]
    phases: tuple[tuple[IntVar, IntVar, IntVar], ...]
    ends: tuple[tuple[tuple[IntVar, ...], tuple[IntVar, ...]], ...]

    @classmethod
    def of(cls, built: CpSatStages, programme: StageProgramme) -> Self:
        """Return stages with further variables, and no constraint of them."""
        graph, model = programme.graph, built.model
        assert graph.batch is not None  # as accepted
        batch, line = graph.batch.divided(programme.unit), is_line(graph)
        each = partial(model.new_int_var, 0, batch.most // batch.microbatches)
        slots = range(len(graph.slots))
        places = range(0 if line and batch.rule == "gpipe" else most_stages(graph))
        return cls(
            built,
            batch,
            line,
            model.new_int_var(0, batch.most, "makespan"),
            tuple(each(f"f_{s}") for s in slots),
            tuple(each(f"b_{s}") for s in slots),
            tuple(each(f"l_{s}") for s in slots),
            {(s, k): model.new_bool_var(f"at_{s}_{k}") for s in slots for k in places},
            tuple((each(f"F_{k}"), each(f"B_{k}"), each(f"L_{k}")) for k in places),
            tuple(
                (
                    tuple(model.new_int_var(0, batch.most, f"F_{k}_{i}") for i in range(batch.microbatches)),
                    tuple(model.new_int_var(0, batch.most, f"B_{k}_{i}") for i in range(batch.microbatches)),
                )
                for k in places
            ),
        )


def most_stages(graph: StageGraph) -> int:
    """Return how many stages there may be."""
    few = graph.groups if graph.most_stages is None else graph.most_stages
    return min(graph.groups, graph.devices, few)
