"""The instances that come with the package."""

from __future__ import annotations

from pathlib import Path

from hypar_opt.errors import InputError, did_you_mean

_PACKAGE = Path(__file__).parent.parent
_PARTS = ("networks", "arrays", "claims")


def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped instances, sorted."""
    return tuple(sorted(_shipped()))


def find_instance(name_or_path: str) -> Path:
    """Return the path of an instance: that of a file if there is one, else of a shipped instance.

    Raises
    ------
    InputError
        If there is neither; with the nearest shipped name.
    """
    path = Path(name_or_path)
    if _is_there(path) and not path.is_dir():
        return path
    shipped = _shipped()
    if name_or_path in shipped:
        return shipped[name_or_path]
    if _is_there(path):
        return path  # a folder: reading it says what is wrong
    hint = did_you_mean(path.stem if path.suffix else name_or_path, shipped)
    raise InputError(f"neither a file nor the name of a shipped instance{hint}", file=name_or_path)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # not a path that can be
        return False


def _folder() -> Path:
    """Return where the instances are: in an installed package, or beside it in the repository."""
    installed = _PACKAGE / "_instances"
    return installed if installed.is_dir() else _PACKAGE.parent / "instances"


def _shipped() -> dict[str, Path]:
    folder = _folder()
    files = sorted(folder.rglob("*.yaml"))
    return {file.stem: file for file in files if not set(file.relative_to(folder).parts[:-1]) & set(_PARTS)}
