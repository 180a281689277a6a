"""What a file is, told by what stands in it, and what takes it: for messages where a file of another kind is needed."""

from __future__ import annotations

import shlex
import zipfile
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KindName: TypeAlias = Literal[
    "instance", "plan", "front", "claims", "certificate", "exploration", "report",
    "placements", "sends", "conversions", "pipeline", "collective", "task graph",
    "strategy graph", "array", "network", "custom graph",
]  # fmt: skip


@dataclass(frozen=True)
class FileKind:
    """A kind of files that people have and commands take.

    Parameters
    ----------
    name
        Without an article.
    taken
        Which commands take such a file, or which files name it; `{file}` stands for its name, without a folder:
        messages begin with the path, which is nothing to who edits a text in a browser.
    schema
        What the field `schema` begins with, the version left out; nothing where files have no such field.
    fields
        Of a kind without a schema: what stands at the top, in one of these combinations.
    subject
        The field that says what it is of, if one does.
    points
        The field that lists what can be taken out of it by a number; `{count}` in what takes it is the last number.
    instead
        By the kind that is needed, what to do where that is not to use what takes it.
    article
        What its name has in front.
    """

    name: KindName
    taken: str
    schema: str = ""
    fields: tuple[frozenset[str], ...] = ()
    subject: str = ""
    points: str = ""
    instead: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    article: str = "a "

    @property
    def words(self) -> str:
        """Its name with its article."""
        return f"{self.article}{self.name}"

    def holds(self, data: Mapping[str, object]) -> bool:
        """Return whether that is what stands in a file of the kind, right or wrong otherwise."""
        if "schema" in data:
            return bool(self.schema) and str(data["schema"]).startswith(self.schema)
        return any(fields <= data.keys() for fields in self.fields)


_ALL: Final = (
    FileKind("instance", "hypar-opt solve {file} takes it", "hypar-opt/instance/", article="an "),
    FileKind("plan", "hypar-opt verify INSTANCE {file} takes it", "hypar-opt/plan/", subject="instance"),
    FileKind("front", "hypar-opt verify INSTANCE {file}#{count} takes a point of it", "hypar-opt/front/",
             points="points", instead={"plan": "name one of them, as in {file}#{count}"}),
    FileKind("claims", "hypar-opt audit {file} takes it", "hypar-opt/claims/", article="a file of "),
    FileKind("certificate", "hypar-opt check-certificate {file} takes it", "hypar-opt/certificate/"),
    FileKind("exploration", "hypar-opt explore wrote it and no command takes it", "hypar-opt/exploration/",
             article="an "),
    FileKind("report", "a browser shows the pages beside it", "hypar-opt/report/", article="the list of files of a "),
    FileKind("placements", "hypar-opt export wrote it for other programs", "hypar-opt/placements/",
             article="a file of "),
    FileKind("sends", "hypar-opt export wrote it for other programs", "hypar-opt/sends/",
             article="a list of "),
    FileKind("conversions", "an instance takes it by cost: {{accounting: gspmd, conversions: {{file: {file}}}}}",
             "hypar-opt/conversions/", article="a table of "),
    FileKind("pipeline", "only solve, compare, diff, report, verify, show, schedule and export take it",
             "hypar-opt/pipeline/", subject="name"),
    FileKind("collective", "only solve, compare, diff, report, verify, show, simulate and export take it",
             "hypar-opt/collective/", subject="name"),
    FileKind("task graph", "only solve, compare, diff, report, verify, show, simulate and export take it",
             "hypar-opt/task-graph/", subject="name"),
    FileKind("strategy graph", "only solve, compare, verify and import take it",
             fields=(frozenset({"problem"}),)),
    FileKind("array", "hypar-opt solve INSTANCE --array {file} takes it",
             fields=(frozenset({"topology"}), frozenset({"axes"})), article="an "),
    FileKind("network", "an instance takes it by network: {{file: {file}}}",
             fields=(frozenset({"input", "layers"}), frozenset({"inputs", "layers"}))),
    FileKind("custom graph", "an array takes it by topology: custom and graph: {{file: {file}}}",
             fields=(frozenset({"nodes", "links"}), frozenset({"nodes", "edges"}))),
)  # fmt: skip
KINDS: Final[Mapping[str, FileKind]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""


class WrongKind(InputError):
    """A file is of another kind than is needed.

    Parameters
    ----------
    message
        Says which, and what takes it.
    kind
        The file's.
    path
        Of the file.
    field
        That says its kind, if one does.
    """

    def __init__(self, message: str, kind: KindName, path: Path, field: str | None) -> None:
        super().__init__(message, file=path, field=field)
        self.kind = kind


def kind_of(data: Mapping[str, object]) -> FileKind | None:
    """Return the kind of a file by what stands at its top; None where nothing tells."""
    return next((one for one in _ALL if one.holds(data)), None)


def kind_of_binary(path: Path) -> FileKind | None:
    """Return the kind of a file that is no text; None where nothing tells."""
    try:
        with zipfile.ZipFile(path) as archive:
            return KINDS["certificate"] if "header.json" in archive.namelist() else None
    except (OSError, zipfile.BadZipFile):
        return None


def check_kind(expected: KindName, data: Mapping[str, object], path: Path) -> None:
    """Raise `WrongKind` where a file is of another kind than is needed; what is of none is let pass.

    Parameters
    ----------
    expected
        The kind that is needed.
    data
        What the file says.
    path
        Of the file.
    """
    kind = kind_of(data)
    if kind is not None and kind.name != expected:
        raise mistaken(kind, path, expected, data)


def mistaken(kind: FileKind, path: Path, expected: str, data: Mapping[str, object] = MappingProxyType({})) -> WrongKind:
    """Return the error of a file that is of another kind than is needed: what it is, and what takes it.

    Parameters
    ----------
    kind, path, data
        The file's, and what it says as far as that is known.
    expected
        The kind that is needed, or other words for what is.
    """
    points = data.get(kind.points)
    count = len(points) if isinstance(points, list) else 0
    taken = kind.instead.get(expected, kind.taken).format(file=shlex.quote(path.name), count=count)
    hint = f"; {taken}" if count or not kind.points else ""
    needed = KINDS[expected].words if expected in KINDS else expected
    said = f"is {kind.words}{_about(kind, data, count)}, expected {needed}{hint}"
    return WrongKind(said, kind.name, path, "schema" if "schema" in data else None)


def _about(kind: FileKind, data: Mapping[str, object], count: int) -> str:
    """Return what a file says it is of, or how much it holds."""
    if kind.points:
        return f" of {count:,} point{'s' if count > 1 else ''}" if count else " without points"
    subject = data.get(kind.subject)
    return f" of {shown(subject)}" if isinstance(subject, str) else ""
