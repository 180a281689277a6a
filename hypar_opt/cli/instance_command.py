"""hypar-opt instance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Wanted, output_options, override_options, path_option
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.util.errors import InputError, printable

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance

EPILOG = epilog(
    "hypar-opt instance vgg-e                       # on the screen",
    "hypar-opt instance vgg-e --levels 6 -o mine.yaml",
    "hypar-opt solve mine.yaml                      # as it is, or edited",
    codes={0: "printed or written", 2: BAD_INPUT},
)


@click.command("instance", epilog=EPILOG)
@click.argument("instance", shell_complete=words.instances)
@override_options
@path_option("-o", "--output", metavar="FILE", help="Write it here: JSON if it ends in .json, else YAML.")
@output_options
def command(instance: str, output: Path | None, wanted: Wanted, **overrides: Any) -> None:
    """Print INSTANCE, a shipped one's name or a file, as one instance file, to be edited.

    Its network and its array stand in their places, overrides are applied, and what is as it would be anyway is left
    out. Without overrides it has the SHA-256 of INSTANCE, so that plans of one are plans of the other.
    """
    from hypar_opt.instance.read import load_any_instance
    from hypar_opt.util.files import atomically, check_writable

    if output is not None:
        check_writable(output)
        check_apart({"--output": output}, instance, overrides["array"])
    one = load_any_instance(instance, **overrides)
    if output is not None:
        text = json.dumps(_plain(one), indent=1) + "\n" if output.suffix.lower() == ".json" else _yaml(one)
        with atomically(output) as stream:
            stream.write(text.encode())
    if wanted.machine:
        echo_document(_plain(one), wanted)
    elif output is None:
        click.echo(_yaml(one), nl=False)
    else:
        wanted.tell_of([output])


def _yaml(one: Instance | OperatorInstance) -> str:
    """Return the text, and on top of it where it comes from and which hash it has."""
    given = f", with {', '.join(OVERRIDES[name].option for name in one.overrides)}" if one.overrides else ""
    sha256 = type(one).from_dict(one.to_dict()).sha256 if one.overrides else one.sha256
    title = printable(f"{one.name}{given}: everything inline.")
    return one.to_yaml(title, f"SHA-256 until it is edited: {sha256}")


def _plain(one: Instance | OperatorInstance) -> dict[str, Any]:
    """Return the instance as JSON has it.

    Raises
    ------
    InputError
        If a number has more digits than JSON's have.
    """
    from hypar_opt.instance.exact import plain

    try:
        document: dict[str, Any] = plain(one.to_dict())
    except ValueError as error:
        raise InputError(f"{error}; YAML has all of them", field="--json") from None
    return document
