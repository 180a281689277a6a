"""Strategy graphs as files that commands write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import InputError
from hypar_opt.files import check_writable

if TYPE_CHECKING:
    from pathlib import Path

ENDINGS = (".json", ".json.gz")


def check_graph_file(path: Path) -> None:
    """Find out before the work whether a strategy graph can be written to a file of this name.

    Raises
    ------
    InputError
        If it cannot.
    """
    if not path.name.endswith(ENDINGS):
        raise InputError(f"expected a name that ends in {' or '.join(ENDINGS)}, got '{path.name}'", field="--output")
    check_writable(path)
