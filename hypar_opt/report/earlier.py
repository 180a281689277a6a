"""A folder's instance files that an earlier campaign wrote: those that its document lists and nobody has changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.util.files import make_folder, write_to_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

LISTING: Final = "campaign.json"


def write_anew(
    folder: Path, texts: Mapping[str, str], named: Callable[[Any], Iterable[tuple[str, Any]]]
) -> tuple[list[Path], list[Path]]:
    """Write a campaign's files by name, and remove instance files that the earlier one lists and this one lacks.

    Parameters
    ----------
    named
        Yields the names and contents of the instance files that a campaign's document lists; may raise KeyError,
        TypeError and ValueError of one that is somebody else's.

    Returns
    -------
    What was written, and what was removed.
    """
    earlier = [path for path in _listed(folder, named) if path.relative_to(folder).as_posix() not in texts]
    for below in {(folder / name).parent for name in texts} - {folder}:
        make_folder(below)
    written = write_to_folder(folder, texts)
    for path in earlier:
        path.unlink(missing_ok=True)
    return written, earlier


def _listed(folder: Path, named: Callable[[Any], Iterable[tuple[str, Any]]]) -> list[Path]:
    try:
        found = [*named(json.loads((folder / LISTING).read_text(encoding="utf-8")))]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return []  # none, or somebody else's
    return [folder / name for name, instance in found if _is(folder / name, instance)]


def _is(path: Path, instance: Any) -> bool:
    """Say whether a file has an instance: one that was changed by hand is no campaign's any more."""
    import yaml

    try:
        return not path.is_symlink() and yaml.safe_load(path.read_bytes()) == instance
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return False
