"""The instances of a folder, by the letters that the contest gave them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def found(folder: Path) -> dict[str, Path]:
    """Return the strategy graphs of a folder by name: the contest's letter, or what the file is called."""
    return {_name(path): path for path in sorted(folder.glob("*.json*")) if path.name.endswith((".json", ".json.gz"))}


def _name(path: Path) -> str:
    contest = re.fullmatch(r"asplos-2025-iopddl-([A-Y])\.json(\.gz)?", path.name)
    return contest[1] if contest else path.name.removesuffix(".gz").removesuffix(".json")
