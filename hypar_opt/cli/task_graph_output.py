"""How commands write task graphs: a file of YAML or JSON, or on the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import path_option
from hypar_opt.util.errors import InputError, printable
from hypar_opt.util.files import check_writable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.cli.options import Wanted

F = TypeVar("F", bound="Callable[..., Any]")


def task_graph_option(function: F) -> F:
    """Add `-o`, where the task graph is written to."""
    say = "Write it here: JSON if it ends in .json, else YAML."
    return path_option("-o", "--output", metavar="FILE", help=say)(function)


def check_task_graph_file(output: Path | None, *named: str | Path | None) -> None:
    """Find out before the work whether a task graph can be written to a file.

    Parameters
    ----------
    output
        The file, or None.
    named
        What is read, as `check_apart` takes it.

    Raises
    ------
    InputError
        If it cannot, its name says something else, or it is one that is read.
    """
    if output is None:
        return
    if output.suffix.lower() not in (".yaml", ".yml", ".json"):
        raise InputError(f"expected a name that ends in .yaml or .json, got '{output.name}'", field="--output")
    check_writable(output)
    check_apart({"--output": output}, *named)


def tell_task_graph(
    document: Mapping[str, Any], output: Path | None, wanted: Wanted, comments: Sequence[str] = ()
) -> None:
    """Write a task graph to its file, or print it.

    Parameters
    ----------
    document
        As its file has it; numbers are integers or exact text.
    comments
        Lines on top of YAML: where it comes from.
    """
    if output is not None:
        is_json = output.suffix.lower() == ".json"
        text = json.dumps(document, indent=1) + "\n" if is_json else task_graph_yaml(document, comments)
        write_atomically(output, text)
    if wanted.machine:
        echo_document(document, wanted)
    elif output is None:
        click.echo(task_graph_yaml(document, comments), nl=False)
    if output is not None:
        wanted.tell_of([output])


def task_graph_yaml(document: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return a task graph as YAML, a task a line."""
    from hypar_opt.instance.data import flow

    lines = [f"# {printable(one)}" for one in comments]
    for field, value in document.items():
        if field == "tasks":
            lines += ["tasks:", *(f"  - {flow(one)}" for one in value)]
        else:
            lines.append(f"{field}: {flow(value)}")
    return "\n".join(lines) + "\n"
