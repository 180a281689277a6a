"""What hypar-opt compare does with --bytes: one collective of several sizes."""

from __future__ import annotations

import re
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click

from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.progress import watching
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cli.options import Place, Wanted
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.read import AnyInput

UNITS: Final[Mapping[str, int]] = MappingProxyType(
    {"": 1, "B": 1} | {f"{name}iB": 1024**power for power, name in enumerate("KMGT", 1)}
    | {f"{name}B": 1000**power for power, name in enumerate("kMGT", 1)}
)  # fmt: skip
"""As sizes are spelt."""
MOST_BYTES: Final = 2**50
_SIZE: Final = re.compile(r"\s*([0-9]{1,16})\s*([A-Za-z]*)\s*")


def message_sizes(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Read sizes as in 64MiB, 1KiB,1MiB or 1KiB-1GiB, where each is twice the last; none twice, ascending."""
    if value is None:
        return ()
    found: set[int] = set()
    for part in value.split(","):
        first, dash, last = part.partition("-")
        low = _size(first, value)
        high = _size(last, value) if dash else low
        if high < low:
            raise click.BadParameter(f"the range {part.strip()} is empty; the smaller number comes first")
        found.add(high)
        while low < high:
            found.add(low)
            low *= 2
    return tuple(sorted(found))


def _size(text: str, whole: str) -> int:
    match = _SIZE.fullmatch(text)
    unit = None if match is None else UNITS.get(match[2])
    if match is None or unit is None:
        raise click.BadParameter(
            f"expected bytes as 64MiB, several as 1KiB,1MiB or a range as 1KiB-1GiB, got '{whole}'; "
            f"units are {', '.join(filter(None, UNITS))}"
        )
    size = int(match[1]) * unit
    if not 1 <= size <= MOST_BYTES:
        raise click.BadParameter(f"expected from 1 byte to {MOST_BYTES // 2**40:,} TiB, got '{text.strip()}'")
    return size


def compare_sizes(
    instances: Sequence[AnyInput],
    sizes: Sequence[int],
    formulations: Sequence[str],
    time_limit: float | None,
    limits: Limits,
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
    with watching("comparing", limits, wanted) as watch:
        found = times_over_sizes(
            collectives[0], sizes, formulations, limits=limits, time_limit_s=time_limit, listener=watch.listener
        )
        drawn = found if found.found else None
        written = place.write(partial(write_document, sizes_tables(found)), None if drawn is None else "sizes", drawn)
    show_result(wanted, sizes_document, show_sizes, found)
    wanted.tell_of(written)
    return watch.exit_code or 0
