"""hypar-opt schema."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.option("--json", "as_json", is_flag=True, help="The same; for symmetry with the other commands.")
def command(as_json: bool) -> None:
    """Print the JSON Schema of instance files, for editors that complete and check as you type.

    Save it and name it in the first line of an instance file:
    # yaml-language-server: $schema=hypar-opt.schema.json
    """
    from hypar_opt.instance import instance_json_schema

    click.echo(json.dumps(instance_json_schema(), indent=1))
