"""Random instances that were set aside: as plain data, as files, and how each can be had again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.data import instance_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from hypar_opt.studies.set_aside import SetAside

FOLDER: Final = "set-aside"


def set_aside_rows(aside: Sequence[SetAside], field: str) -> list[dict[str, Any]]:
    """Return them as plain data; `field` is that of the index, as `chain`."""
    return [
        {field: one.index, "accountings": [*one.accountings], "why": one.why, "instance": dict(one.document)}
        for one in aside
    ]


def set_aside_files(unit: str, indices_and_firsts: Iterable[tuple[int, str]]) -> list[str]:
    """Return what instances' files are called, below the folder of the report: each by a name of its own.

    Parameters
    ----------
    indices_and_firsts
        Of each its index and its first accounting; a chain may be set aside under several, one after the other.
    """
    found: list[str] = []
    for index, first in indices_and_firsts:
        name = f"{FOLDER}/{unit}-{index}.yaml"
        found.append(f"{FOLDER}/{unit}-{index}-{first}.yaml" if name in found else name)
    return found


def _files(aside: Sequence[SetAside], unit: str) -> list[str]:
    return set_aside_files(unit, ((one.index, one.accountings[0]) for one in aside))


def set_aside_texts(aside: Sequence[SetAside], unit: str) -> dict[str, str]:
    """Return an instance file for each, by name."""
    return {
        name: instance_text(
            one.document, f"{told_aside(one, unit)}.", "Where there are several accountings any of them may be it."
        )
        for name, one in zip(_files(aside, unit), aside, strict=True)
    }


def told_aside(one: SetAside, unit: str) -> str:
    """Say what was set aside, and why."""
    return f"{unit} {one.index}, under {', '.join(one.accountings)}, is set aside: {one.why}"


def set_aside_error(aside: Sequence[SetAside], unit: str, folder: Path | None) -> str | None:
    """Say how many were set aside, and where the first is to be found; None where none was.

    Parameters
    ----------
    folder
        Where instance files were written; None where the first has to be drawn again.
    """
    if not aside:
        return None
    one, *more = aside
    whose = f"{len(aside):,} {unit}s killed their workers, the first: " if more else ""
    where = f'python -c "{one.drawing}" prints it' if folder is None else f"{folder / _files(aside, unit)[0]}"
    return f"{whose}{told_aside(one, unit)}; {where}"
