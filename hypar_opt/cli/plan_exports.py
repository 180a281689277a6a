"""Plans as files, or as folders of them, as export writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.progress import showing
from hypar_opt.export.targets import BEGINS, LAYOUTS, SCHEDULE_FOLDERS, SCHEDULES, TARGETS
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.export.targets import FolderTarget, Target

NAMES: Final = (*TARGETS, *LAYOUTS, *SCHEDULES, *BEGINS, *SCHEDULE_FOLDERS)
"""What plans are exported to."""
_OF: Final[tuple[tuple[str, Mapping[str, Target[Any] | FolderTarget[Any]]], ...]] = (
    ("What PLAN is exported to", TARGETS),
    ("of a pipeline", LAYOUTS),
    ("of a collective", SCHEDULES),
    ("of a task graph", BEGINS),
    ("of a collective, or of a training step", SCHEDULE_FOLDERS),
)
TO_HELP: Final = "; ".join(
    f"{of}: {', '.join(f'{one.name} ({one.about})' for one in targets.values())}" for of, targets in _OF
)
_FILES: Final[Mapping[str, Target[Any]]] = {**TARGETS, **LAYOUTS, **SCHEDULES, **BEGINS}


def export_plan(instance: str, plan: Path, name: str, output: Path, wanted: Wanted) -> None:
    """Write a plan as one file, or as a folder of files, and say so.

    Raises
    ------
    InputError
        If the output cannot be written, or would replace what is read; nothing is written then.
    """
    if name in SCHEDULE_FOLDERS:
        _export_folder(instance, plan, name, output, wanted)
    else:
        _export_file(instance, plan, name, output, wanted)


def _planned(instance: str, plan: Path, name: str) -> Callable[[str], str]:
    """Return what writes a plan for a target, given a file's name."""
    if name in TARGETS:
        from hypar_opt.export.read import read_step

        step = read_step(instance, plan)
        return lambda file: TARGETS[name].text(step, file)
    if name in SCHEDULES:
        from hypar_opt.export.read_schedule import read_judged

        judged = read_judged(instance, plan)
        return lambda file: SCHEDULES[name].text(judged, file)
    if name in BEGINS:
        from hypar_opt.export.read_schedule import read_tasks

        tasks = read_tasks(instance, plan)
        return lambda file: BEGINS[name].text(tasks, file)
    from hypar_opt.export.pipeline_layouts import read_stages

    stages = read_stages(instance, plan)
    return lambda file: LAYOUTS[name].text(stages, file)


def _export_file(instance: str, plan: Path, name: str, output: Path, wanted: Wanted) -> None:
    from hypar_opt.util.files import check_writable, write_atomically

    ending = _FILES[name].ending
    if not output.name.endswith(ending):
        raise InputError(f"expected a name that ends in {ending}, got '{output.name}'", field="--output")
    check_writable(output)
    check_apart({"--output": output}, instance, plan)
    with showing(f"exporting {instance}", wanted):
        text = _planned(instance, plan, name)(output.name)
        write_atomically(output, text)
    count = text.count("\n")
    lines = f"{count:,} line{'s' if count > 1 else ''} for {name}"
    _say({"name": instance, "to": name, "file": str(output), "lines": count}, f"{instance}: {lines}", output, wanted)


def _planned_files(instance: str, plan: Path, name: str) -> Mapping[str, bytes]:
    from hypar_opt.studies.traces.read import traced_files

    return traced_files(instance, plan, name)


def _export_folder(instance: str, plan: Path, name: str, output: Path, wanted: Wanted) -> None:
    from hypar_opt.util.files import prepare_folder, write_bytes_to_folder

    if output.is_file():  # known before the work
        raise InputError("is a file, expected a folder to write to", file=output)
    with showing(f"exporting {instance}", wanted):
        files = _planned_files(instance, plan, name)
        check_apart({"--output": [output / one for one in files]}, instance, plan)
        prepare_folder(output, files)
        write_bytes_to_folder(output, files)
    ranks = sum(one.endswith(".0.et") for one in files)
    traces = sum(one.endswith(".et") for one in files)
    said = f"{instance}: {traces:,} traces of {traces // ranks:,} ranks for {name}"
    _say({"name": instance, "to": name, "folder": str(output), "files": sorted(files)}, said, output, wanted)


def _say(document: dict[str, Any], said: str, output: Path, wanted: Wanted) -> None:
    if wanted.machine:
        echo_document(document, wanted)
    elif not wanted.quiet:
        click.echo(f"{said}; written to {output}")
