"""Reading a client's instance: files that it would take parts from are refused before any is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.formats import Document, read_document
from hypar_opt.instance.overrides import overrides_of
from hypar_opt.instance.read import read_instance
from hypar_opt.instance.shipped import shipped_arrays
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.instance import Instance
    from hypar_opt.instance.overrides import Overrides
    from hypar_opt.instance.text import FieldPath
    from hypar_opt.web.job_request import RequestOverrides

_PARTS = ("network", "array")


def receive(path: Path, overrides: RequestOverrides) -> Instance:
    """Read a client's instance from the file that it was put into.

    Raises
    ------
    InputError
        If something is wrong, or it refers to a file.
    """
    refuse_files(read_document(path))
    return read_instance(path, _overrides(overrides))


def refuse_files(document: Document) -> None:
    """Raise `InputError` where a document refers to a file: no path that a client gives is opened."""
    for part in _PARTS:
        value = document.data.get(part)
        _refuse(document, value, (part,))
        if isinstance(value, dict):
            _refuse(document, value.get("graph"), (part, "graph"))


def _refuse(document: Document, value: Any, path: FieldPath) -> None:
    if isinstance(value, dict) and "file" in value:
        what = f"no file can be named here, got {shown(value['file'])}; put what it says in its place"
        raise document.error(what, (*path, "file"))


def _overrides(request: RequestOverrides) -> Overrides:
    given = request.model_dump()
    array = given["array"]
    return overrides_of({**given, "array": None if array is None else shipped_arrays()[array]})
