"""What hypar-opt compare does with --bytes: one collective of several sizes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.on import opened
from hypar_opt.cli.progress import watching
from hypar_opt.instance.byte_sizes import byte_sizes
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cli.options import Place, Wanted
    from hypar_opt.executor import EngineSpec
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.read import AnyInput


def message_sizes(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Read sizes as in 64MiB, 1KiB,1MiB or 1KiB-1GiB, where each is twice the last; none twice, ascending."""
    try:
        return () if value is None else byte_sizes(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def compare_sizes(
    instances: Sequence[AnyInput],
    sizes: Sequence[int],
    formulations: Sequence[str],
    time_limit: float | None,
    limits: Limits,
    on: EngineSpec | None,
    place: Place,
    wanted: Wanted,
) -> int:
    """Compare the algorithms of one collective over its bytes; print and write what comes out.

    Raises
    ------
    InputError
        If there are several instances, or one that is no collective.
    """
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.report.collective.message_sizes import show_sizes, sizes_document, sizes_tables
    from hypar_opt.report.tables import write_document
    from hypar_opt.studies.collectives import times_over_sizes

    collectives = [one for one in instances if isinstance(one, CollectiveInstance)]
    if len(instances) != 1 or len(collectives) != 1:
        got = f"{len(instances)} instances" if len(instances) != 1 else f"{instances[0].name}, which is none"
        raise InputError(f"expected one collective, got {got}", field="--bytes")
    with watching("comparing", limits, wanted) as watch, opened(on, limits, wanted, watch) as workers:
        found = times_over_sizes(
            collectives[0], sizes, formulations,
            limits=limits, time_limit_s=time_limit, listener=watch.listener, workers=workers,
        )  # fmt: skip
        drawn = found if found.found else None
        written = place.write(partial(write_document, sizes_tables(found)), None if drawn is None else "sizes", drawn)
    show_result(wanted, sizes_document, show_sizes, found)
    wanted.tell_of(written)
    return watch.exit_code or int(any(one.failed for one in found.algorithms))
