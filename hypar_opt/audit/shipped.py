"""The claims files that come with the package."""

from __future__ import annotations

from pathlib import Path

from hypar_opt.errors import InputError, did_you_mean

_PACKAGE = Path(__file__).parent.parent


def shipped_claims() -> dict[str, Path]:
    """Return the paths of the shipped claims files, by name, sorted."""
    installed = _PACKAGE / "_instances"
    folder = installed if installed.is_dir() else _PACKAGE.parent / "instances"
    return {file.stem: file for file in sorted((folder / "claims").glob("*.yaml"))}


def find_claims(name_or_path: str) -> Path:
    """Return the path of a claims file: that of a file if there is one, else of a shipped one.

    Raises
    ------
    InputError
        If there is neither; with the nearest shipped name.
    """
    path = Path(name_or_path)
    there = is_there(path)
    if there and not path.is_dir():
        return path
    shipped = shipped_claims()
    if name_or_path in shipped:
        return shipped[name_or_path]
    if there:
        return path  # a folder: reading it says what is wrong
    hint = did_you_mean(path.stem if path.suffix else name_or_path, shipped)
    known = f"; there are {', '.join(shipped)}" if shipped and not hint else ""
    raise InputError(f"neither a file nor the name of shipped claims{hint or known}", file=name_or_path)


def is_there(path: Path) -> bool:
    """Return whether there is such a file or folder; a name that no file can have is not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
