"""The instances that come with the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = Path(__file__).parent.parent
_OPERATORS = "operators"
_PIPELINE = "pipeline"
_COLLECTIVE = "collective"
_TASKS = "tasks"
_PARTS = ("networks", "arrays", "claims", _OPERATORS, _PIPELINE, _COLLECTIVE, _TASKS)


def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped instances whose layers are split in halves, sorted."""
    return tuple(sorted(shipped_instances()))


def find_instance(name_or_path: str) -> Path:
    """Return the path of an instance: that of a file if there is one, else of a shipped instance.

    Raises
    ------
    InputError
        If there is neither; with the nearest shipped name.
    """
    known = shipped_instances() | shipped_operators() | shipped_problems()
    return find_file(name_or_path, known, "the name of a shipped instance")


def shipped_arrays() -> dict[str, Path]:
    """Return the shipped arrays of links by name, then those of several kinds of accelerators."""
    folder = shipped_folder() / "arrays"
    files = (*sorted(folder.glob("*.yaml")), *sorted((folder / "mixed").glob("*.yaml")))
    return {file.stem: file for file in files}


def shipped_axes() -> dict[str, Path]:
    """Return the shipped arrays of axes by name."""
    return {file.stem: file for file in sorted((shipped_folder() / "arrays" / "axes").glob("*.yaml"))}


def find_array(name_or_path: str) -> Path:
    """Return the path of an array: that of a file if there is one, else of a shipped array.

    Raises
    ------
    InputError
        If there is neither; with the nearest shipped name.
    """
    return find_file(name_or_path, shipped_arrays() | shipped_axes(), "the name of a shipped array", listed=True)


def find_file(name_or_path: str, shipped: Mapping[str, Path], what: str, *, listed: bool = False) -> Path:
    """Return the path of a file if there is one, else of what is shipped under a name.

    Parameters
    ----------
    shipped
        By name.
    what
        A shipped one, in words.
    listed
        Whether to say which there are where none is near.

    Raises
    ------
    InputError
        If there is neither; with the nearest shipped name.
    """
    path = Path(name_or_path)
    there = is_there(path)
    if there and not path.is_dir():
        return path
    if name_or_path in shipped:
        return shipped[name_or_path]
    if there:
        return path  # a folder: reading it says what is wrong
    hint = _near(path.stem if path.suffix else name_or_path, shipped)
    known = f"; there are {', '.join(shipped)}" if listed and shipped and not hint else ""
    raise InputError(f"neither a file nor {what}{hint or known}", file=name_or_path)


def _near(name: str, shipped: Mapping[str, Path]) -> str:
    """Return the nearest name, with those that are the same but for hyphens, and what tells them apart.

    So `resnet-50` of layers in halves is told from `resnet50` of operators.
    """
    hint = did_you_mean(name, shipped)
    near = next((one for one in shipped if f"'{one}'" in hint), name)
    alike = [one for one in shipped if one.replace("-", "") == near.replace("-", "")]
    if len(alike) < 2:
        return hint
    kinds = {one: "operators" if shipped[one].parent.name == _OPERATORS else "layers split in halves" for one in alike}
    told = " or ".join(f"'{one}' ({kind})" for one, kind in kinds.items())
    return f"; did you mean {told}?"


def is_there(path: Path) -> bool:
    """Return whether there is such a file or folder; a name that no file can have is not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def shipped_folder() -> Path:
    """Return where what is shipped is: in an installed package, or beside it in the repository."""
    installed = _PACKAGE / "_instances"
    return installed if installed.is_dir() else _PACKAGE.parent / "instances"


def shipped_instances() -> dict[str, Path]:
    """Return the shipped instances whose layers are split in halves, by name."""
    folder = shipped_folder()
    files = sorted(folder.rglob("*.yaml"))
    return {file.stem: file for file in files if not set(file.relative_to(folder).parts[:-1]) & set(_PARTS)}


def shipped_operators() -> dict[str, Path]:
    """Return the shipped instances of operators by name."""
    return {file.stem: file for file in sorted((shipped_folder() / _OPERATORS).glob("*.yaml"))}


def shipped_graphs() -> dict[str, Path]:
    """Return the shipped strategy graphs by name."""
    return {file.stem: file for file in sorted((shipped_folder() / "strategy_graphs").glob("*.json"))}


def shipped_pipelines() -> dict[str, Path]:
    """Return the shipped pipelines by name."""
    return {file.stem: file for file in sorted((shipped_folder() / _PIPELINE).glob("*.yaml"))}


def shipped_collectives() -> dict[str, Path]:
    """Return the shipped collectives by name."""
    return {file.stem: file for file in sorted((shipped_folder() / _COLLECTIVE).glob("*.yaml"))}


def shipped_task_graphs() -> dict[str, Path]:
    """Return the shipped task graphs by name."""
    return {file.stem: file for file in sorted((shipped_folder() / _TASKS).glob("*.yaml"))}


def shipped_problems() -> dict[str, Path]:
    """Return what is shipped of problems that are no networks by name: pipelines, collectives and task graphs."""
    return shipped_pipelines() | shipped_collectives() | shipped_task_graphs()
