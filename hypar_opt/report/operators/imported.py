"""What was read of a model, for machines and for people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.exact import plain
from hypar_opt.report.operators.network import headline, network_document, show_network

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.importers.instance import Imported


def imported_document(made: Imported) -> dict[str, Any]:
    """Return what a model is, layer by layer, and the instance as its file has it."""
    return {
        **network_document(made.instance),
        "source": list(made.comments),
        "warnings": list(made.warnings),
        "instance": plain(made.instance.to_dict()),
    }


def show_imported(console: Console, made: Imported) -> None:
    """Print what a model is: a row a layer, or its sums alone where there are very many."""
    if len(made.instance.graph.operators) > MOST_ROWS:
        for line in headline(made.instance):
            console.print(line)
    else:
        show_network(console, made.instance)


MOST_ROWS = 5_000
"""Operators above which no table is printed."""


def instance_bytes(made: Imported, *, is_json: bool) -> bytes:
    """Return the instance's file."""
    text = json.dumps(plain(made.instance.to_dict()), indent=1) + "\n" if is_json else made.text
    return text.encode()
