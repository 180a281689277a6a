"""What is asked of pipelines that are imported."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import click

from hypar_opt.cli.options import IntegerRange, above_0, together

MOST_DEVICES = 1024


def _asked(
    devices: int | None,
    bandwidth: Decimal | None,
    memory: Decimal | None,
    straight: bool,
    stages: int | None,
    blocks: bool,
    **others: Any,
) -> dict[str, Any]:
    from hypar_opt.importers.pipelines import PipelineWishes

    return {**others, "asked": PipelineWishes(devices, bandwidth, memory, straight, stages, blocks)}


pipeline_options = together(
    click.option("--devices", type=IntegerRange(1, MOST_DEVICES), metavar="N",
                 help="Of a pipeline whose file does not say how many there are."),
    click.option("--bandwidth", callback=above_0(), metavar="B",
                 help="Bytes a second of each of these; of PipeDream's profiles 1e9 unless given."),
    click.option("--memory", callback=above_0(), metavar="BYTES",
                 help="Of each of these; any amount fits unless given."),
    click.option("--straight", is_flag=True, help="A stage of a pipeline is on one device, never on replicas."),
    click.option("--stages", type=IntegerRange(1, MOST_DEVICES), metavar="K",
                 help="How many stages a plan of a pipeline may have; as many as devices unless given."),
    click.option("--blocks", is_flag=True,
                 help="Branches of a pipeline that join again are blocks that no cut divides, as PipeDream has it."),
    into=_asked,
)  # fmt: skip
"""Become `asked`."""
