"""What hypar-opt schedule writes and prints: schedules of one batch, or batches of several sizes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import form_of, table_formats
from hypar_opt.util.errors import InputError, did_you_mean
from hypar_opt.util.files import atomically, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.report.charts.theme import Figure
    from hypar_opt.report.tables import TableDocument
    from hypar_opt.studies.schedules.compare import NamedSchedule
    from hypar_opt.studies.schedules.links import LinkedSchedule
    from hypar_opt.studies.schedules.throughput import Throughput
    from hypar_opt.studies.simulation import Simulation


def shown_of(found: Sequence[NamedSchedule], name: str | None) -> NamedSchedule:
    """Return the schedule of a name, or the shortest that fits.

    Raises
    ------
    InputError
        If none has the name.
    """
    known = {one.name: one for one in found if one.judged is not None}
    if name is None:
        fitting = [one for one in known.values() if one.fits] or list(known.values())
        return min(fitting, key=lambda one: one.seconds or 0)
    _check_named(name, known)
    return known[name]


def _check_named(name: str, known: Collection[str]) -> None:
    if name not in known:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise InputError(f"no schedule here is called '{name}'{hint}", field="--draw")


def tell_schedules(
    heading: str,
    name: str,
    found: Sequence[NamedSchedule],
    shown: NamedSchedule,
    output: Path | None,
    trace: Path | None,
    wanted: Wanted,
) -> None:
    """Write and print the schedules of one batch; one of them is drawn."""
    from hypar_opt.report.schedules import schedules_document, schedules_tables, show_schedules

    def figure() -> Figure:
        from hypar_opt.report.charts.schedule_gantt import schedule_figure

        return schedule_figure(name, shown)

    _write(output, partial(schedules_tables, name, found), figure)
    if trace is not None and shown.judged is not None:
        from hypar_opt.studies.schedules.trace import schedule_trace

        write_atomically(trace, schedule_trace(f"{name}, {shown.name}", shown.judged))
    if wanted.machine or not wanted.quiet:
        show_result(wanted, schedules_document, show_schedules, heading, found)


def machine_of(array: str | None, judged: JudgedPipeline, devices: int) -> Machine:
    """Return the array of a name or a file, or one of a link in and one out for every device.

    Raises
    ------
    InputError
        If there is none, or one of the devices says no bandwidth.
    """
    if array is None:
        from hypar_opt.studies.schedules.links import own_links

        return own_links(judged, devices)
    from hypar_opt.instance import shipped_arrays
    from hypar_opt.instance.read import load_array
    from hypar_opt.instance.shipped import find_file

    return load_array(find_file(array, shipped_arrays(), "the name of a shipped array")).machine


def tell_linked(
    heading: str,
    found: Sequence[LinkedSchedule],
    draw: str | None,
    trace: Path | None,
    wanted: Wanted,
    chakra: Path | None = None,
) -> None:
    """Print schedules on links, and write one of them as a trace and as traces: of a name, or the shortest."""
    from hypar_opt.report.linked_schedules import linked_document, show_linked
    from hypar_opt.studies.simulation.trace import write_trace

    known = {one.name: one for one in found}
    if draw is not None:
        _check_named(draw, known)
    drawn = (known[draw] if draw else min(found, key=lambda one: one.seconds)).simulation
    if chakra is not None:
        _write_traces(drawn, chakra)
    if trace is not None:
        write_trace(drawn, trace)
    if wanted.machine or not wanted.quiet:
        show_result(wanted, linked_document, show_linked, heading, found)


def _write_traces(found: Simulation, folder: Path) -> None:
    """Write the tasks of a simulated batch as execution traces, with the array that they are on."""
    from hypar_opt.studies.traces.read import graph_files
    from hypar_opt.util.files import prepare_folder, write_bytes_to_folder

    files = graph_files(found.graph, found.machine, "astra-sim")
    prepare_folder(folder, files)
    write_bytes_to_folder(folder, files)


def tell_throughput(heading: str, name: str, found: Throughput, output: Path | None, wanted: Wanted) -> None:
    """Write and print batches of several sizes."""
    from hypar_opt.report.throughput import show_throughput, throughput_document, throughput_tables

    def figure() -> Figure:
        from hypar_opt.report.charts.throughput import throughput_figure

        return throughput_figure(name, found)

    _write(output, partial(throughput_tables, name, found), figure)
    if wanted.machine or not wanted.quiet:
        show_result(wanted, throughput_document, show_throughput, heading, found)


def _write(output: Path | None, tables: Callable[[], TableDocument], figure: Callable[[], Figure]) -> None:
    """Write tables or a picture, as the file's name says."""
    if output is None:
        return
    form = table_formats().get(output.suffix.lower())
    if form is not None:
        content = form.write(tables()).encode(errors="surrogateescape")
    else:
        from hypar_opt.report.charts.export import picture

        content = picture(figure(), form_of(output, "--output"))
    with atomically(output) as stream:
        stream.write(content)
