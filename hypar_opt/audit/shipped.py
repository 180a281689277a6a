"""The claims files that come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.shipped import find_file, shipped_folder

if TYPE_CHECKING:
    from pathlib import Path


def shipped_claims() -> dict[str, Path]:
    """Return the paths of the shipped claims files, by name, sorted."""
    return {file.stem: file for file in sorted((shipped_folder() / "claims").glob("*.yaml"))}


def find_claims(name_or_path: str) -> Path:
    """Return the path of a claims file: that of a file if there is one, else of a shipped one.

    Raises
    ------
    InputError
        If there is neither; with the nearest shipped name.
    """
    return find_file(name_or_path, shipped_claims(), "the name of shipped claims", listed=True)
