"""Records that are found by their names: ours in a table, others' by entry points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint

Record = TypeVar("Record")


def records(group: str, ours: Mapping[str, str], kind: type[Record], what: str) -> dict[str, Record]:
    """Return all records of a kind by name, imported: ours in their order, then those that others have installed.

    Parameters
    ----------
    group
        Of entry points; one that is called as ours is left out.
    ours
        By name, where a record stands, `module:attribute`.
    what
        The kind, in words.

    Raises
    ------
    Refusal
        If one cannot be loaded, or is none.
    """
    from importlib.metadata import EntryPoint, entry_points  # which takes longer to import than to ask

    points = [EntryPoint(name, value, group) for name, value in ours.items()]
    points += sorted((one for one in entry_points(group=group) if one.name not in ours), key=lambda one: one.name)
    found = {one.name: load_record(one, lambda record: isinstance(record, kind), what) for one in points}
    return cast("dict[str, Record]", found)


def load_record(point: EntryPoint, is_one: Callable[[Any], bool], what: str) -> Any:
    """Return what an entry point leads to.

    Parameters
    ----------
    is_one
        Whether that is of the kind.
    what
        The kind, in words.

    Raises
    ------
    Refusal
        If it cannot be imported, or is none.
    """
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise Refusal(f"{point.name} ({point.value}) cannot be loaded: {type(error).__name__}: {error}") from error
    if not is_one(found):
        raise Refusal(f"the entry point '{point.name}' of {point.value} is not a {what}")
    return found
