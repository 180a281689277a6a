"""hypar-opt schema."""

from __future__ import annotations

import json

import click

from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.options import Wanted, output_options

EPILOG = epilog(
    "hypar-opt schema > hypar-opt.schema.json",
    codes={0: "printed", 2: BAD_INPUT},
)


@click.command("schema", epilog=EPILOG)
@output_options
def command(wanted: Wanted) -> None:
    """Print the JSON Schema of instance files, for editors that complete and check as you type.

    Save it and name it in the first line of an instance file:
    # yaml-language-server: $schema=hypar-opt.schema.json
    """
    from hypar_opt.instance.operators.json_schema import any_instance_json_schema

    click.echo(json.dumps(any_instance_json_schema(), indent=None if wanted.json_lines else 1))
