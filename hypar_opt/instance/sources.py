"""An instance's files: its own, and those that it takes parts from."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from hypar_opt.instance.formats import Document, file_of, read_document
from hypar_opt.instance.hardware import read_graph
from hypar_opt.instance.limits import MOST_NODES_OF_ARRAY
from hypar_opt.instance.operators.device import TimesFile
from hypar_opt.instance.operators.times_file import lines_of, read_times
from hypar_opt.instance.text import FieldPath, dotted, shown
from hypar_opt.util.errors import InputError, MachineError

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_graph_file(path: Path) -> dict[str, object]:
    """Return what a graph file says, in the form of `array.graph`: nodes and links.

    Raises
    ------
    InputError
        If it cannot be read as what it is.
    """
    text = file_of(path).text
    try:
        nodes, links = read_graph(text, "graphml" if text.lstrip().startswith("<") else "node-link")
    except MachineError as error:
        raise InputError(error.message, file=path, field=error.place or None) from None
    if len(nodes) > MOST_NODES_OF_ARRAY:
        raise InputError(
            f"has {len(nodes):,} nodes, a custom graph has at most {MOST_NODES_OF_ARRAY:,}; try one of the other "
            "topologies, which need no graph for the objective communication",
            file=path,
            field="nodes",
        )
    return {"nodes": list(nodes), "links": list(links)}


_PARTS: Final[tuple[Literal["network", "array"], ...]] = ("network", "array")


@dataclass(frozen=True)
class Sources:
    """Which file says what.

    Parameters
    ----------
    main
        The instance's own file.
    parts
        For a part of the instance that stands in another file, that file.
    graph
        The file that `array.graph` refers to, and what it says.
    times
        The same of `array.accelerator.times`.
    conversions
        The file that `cost.conversions` refers to, and what it says.
    """

    main: Document
    parts: Mapping[str, Document]
    graph: tuple[Path, dict[str, object]] | None = None
    times: tuple[Path, list[dict[str, object]]] | None = None
    conversions: Document | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The instance's own, those of its parts, and the graph's."""
        graph = () if self.graph is None else self.graph[:1]
        return (self.main.path, *(one.path for one in self.parts.values()), *graph)

    @property
    def data(self) -> dict[str, object]:
        """What the files say together, references replaced by what they refer to."""
        data = {**self.main.data, **{part: document.data for part, document in self.parts.items()}}
        array = data.get("array")
        if self.graph is not None and isinstance(array, dict):
            data["array"] = {**array, "graph": self.graph[1]}
        if self.times is not None and isinstance(array, dict):
            data["array"] = {**array, "accelerator": {**array["accelerator"], "times": self.times[1]}}
        cost = data.get("cost")
        if self.conversions is not None and isinstance(cost, dict):
            data["cost"] = {**cost, "conversions": self.conversions.data}
        return data

    @property
    def array(self) -> dict[str, object]:
        """What the files say of the array; a mapping where an array's own file was read."""
        data = self.data["array"]
        assert isinstance(data, dict)
        return data

    def error(self, message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
        """Return the error with the file and line of a field."""
        if self.graph is not None and path[:2] == ("array", "graph") and path[2:]:
            return InputError(message, file=self.graph[0], field=dotted(path[2:]))
        if self.conversions is not None and path[:2] == ("cost", "conversions") and path[2:]:
            return self.conversions.error(message, path[2:], of_key=of_key)
        document, inner = self.main, path
        if path and path[0] in self.parts:
            document, inner = self.parts[str(path[0])], path[1:]
        line = document.line(inner, of_key=of_key)
        return InputError(message, file=document.path, line=line, field=dotted(path) or None)

    def array_error(self, message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
        """Return the error of an array that stands in a file of its own, whose fields begin there."""
        inner = path[2:] if path[:2] == ("array", "graph") else ()
        if self.graph is not None and inner:
            return InputError(message, file=self.graph[0], field=dotted(inner))
        return self.main.error(message, path[1:], of_key=of_key)


def sources_of(main: Document) -> Sources:
    """Read the files that an instance's own refers to.

    Raises
    ------
    InputError
        If one of them cannot be read. It names the line that refers to a file if the whole of that file is
        to blame, as when there is none.
    """
    alone = Sources(main, {})
    values = ((part, main.data.get(part)) for part in _PARTS)
    parts: dict[str, Document] = {
        part: _referred(alone, part, x) for part, x in values if isinstance(x, dict) and "file" in x
    }
    found = Sources(main, parts)
    return replace(found, graph=_graph(found), times=_times(found), conversions=_conversions(found))


def array_sources(path: Path) -> Sources:
    """Return an array's own file, and the graph's that it refers to; `data` has the array under its name.

    Raises
    ------
    InputError
        If one of the files cannot be read.
    """
    document = read_document(path, "array")
    found = Sources(replace(document, data={}), {"array": document})
    return replace(found, graph=_graph(found), times=_times(found))


def _graph(found: Sources) -> tuple[Path, dict[str, object]] | None:
    """Read the file that `array.graph` refers to, if it refers to one."""
    array = found.data.get("array")
    value = array.get("graph") if isinstance(array, dict) else None
    if not isinstance(value, dict) or "file" not in value:
        return None
    place = ("array", "graph", "file")
    if set(value) != {"file"} or not isinstance(value["file"], str) or not value["file"]:
        raise found.error("expected the path of a file, and nothing beside it", place)
    path = _tidy(found.parts.get("array", found.main).path.parent / value["file"])
    try:
        return path, read_graph_file(path)
    except InputError as error:
        if error.field is not None:
            raise
        raise found.error(f"{error.file}: {error.message}", place) from None


def _times(found: Sources) -> tuple[Path, list[dict[str, object]]] | None:
    """Read the table that `array.accelerator.times` refers to, if it refers to one."""
    array = found.data.get("array")
    accelerator = array.get("accelerator") if isinstance(array, dict) else None
    value = accelerator.get("times") if isinstance(accelerator, dict) else None
    if not isinstance(value, dict) or "file" not in value:
        return None
    place = ("array", "accelerator", "times", "file")
    if set(value) != {"file"} or not isinstance(value["file"], str) or not value["file"]:
        raise found.error("expected the path of a file, and nothing beside it", place)
    path = _tidy(found.parts.get("array", found.main).path.parent / value["file"])
    try:
        return path, read_times(path)
    except InputError as error:
        if error.line is not None:
            raise
        raise found.error(f"{error.file}: {error.message}", place) from None


def _conversions(found: Sources) -> Document | None:
    """Read the table that `cost.conversions` refers to, if it refers to one."""
    cost = found.data.get("cost")
    value = cost.get("conversions") if isinstance(cost, dict) else None
    if not isinstance(value, dict) or "file" not in value:
        return None
    place = ("cost", "conversions", "file")
    if set(value) != {"file"} or not isinstance(value["file"], str) or not value["file"]:
        raise found.error("expected the path of a file, and nothing beside it", place)
    try:
        return read_document(_tidy(found.main.path.parent / value["file"]))
    except InputError as error:
        if error.line is not None:
            raise
        raise found.error(f"{error.file}: {error.message}", place) from None


def _referred(alone: Sources, part: Literal["network", "array"], value: Mapping[str, object]) -> Document:
    for key in value:
        if key != "file":
            raise alone.error(f"unknown field {shown(key)} beside 'file', expected none", (part, key), of_key=True)
    name = value["file"]
    if not isinstance(name, str) or not name:
        raise alone.error(f"expected the path of a file, got {shown(name)}", (part, "file"))
    try:
        return read_document(_tidy(alone.main.path.parent / name), part)
    except InputError as error:
        if error.line is not None:
            raise
        raise alone.error(f"{error.file}: {error.message}", (part, "file")) from None


def _tidy(path: Path) -> Path:
    """Return a path without `..` where that is the same file, which it need not be behind a symbolic link."""
    tidy = Path(os.path.normpath(path))
    try:
        return tidy if tidy.samefile(path) else path
    except (OSError, ValueError):
        return path


def times_file(path: Path) -> TimesFile | None:
    """Return the file of measured times that an instance's own refers to, with its lines; None where it has gone."""
    try:
        found = sources_of(read_document(path)).times
        return None if found is None else TimesFile(found[0], lines_of(found[0]))
    except InputError:
        return None
