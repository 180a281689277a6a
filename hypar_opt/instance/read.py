"""Reading whatever can be solved: the entry points."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.formats import Document, file_of, format_of, read_document
from hypar_opt.instance.instance import Instance
from hypar_opt.instance.overrides import OVERRIDES, Overrides, check_names, overrides_of
from hypar_opt.instance.shipped import find_file, find_instance, shipped_graphs, shipped_instances
from hypar_opt.instance.sources import Sources, read_array, sources_of
from hypar_opt.instance.text import FieldPath, dotted
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.build import InvalidInstance
    from hypar_opt.instance.strategy_graph import StrategyGraph


def load(name_or_path: str | Path, **overrides: Any) -> Instance | StrategyGraph:
    """Read an instance or a strategy graph by its path, or by its name if it is a shipped one.

    Parameters
    ----------
    name_or_path
        For example `vgg-e`, `my-network.yaml` or `model.json.gz`. A file that is compressed by gzip, or JSON with
        `problem` at the top, is a strategy graph, whatever its name.
    overrides
        By the names of `hypar_opt.instance.overrides.Overrides`: replace what an instance says; None replaces nothing.
        The array may be a file, the name of a shipped array, or what would stand there.

    Raises
    ------
    InputError
        If there is no such file, something in it is wrong, or a field is to be replaced that there is not.
    """
    check_names(overrides)
    path = find_file(str(name_or_path), shipped_instances() | shipped_graphs(), "the name of a shipped instance")
    file = file_of(path)
    one = format_of(file)
    if one.holds == "instance":
        given = overrides_of(overrides)
        return _instance(one.read(file), given)
    for name, value in overrides.items():
        if value is not None:
            raise InputError(
                f"replaces a field of a network's instance; a {one.holds} has none",
                file=path,
                field=OVERRIDES[name].option,
            )
    graph: StrategyGraph = one.read(file)
    return graph


def load_instance(name_or_path: str | Path, **overrides: Any) -> Instance:
    """Read an instance, and no strategy graph, as `load` does.

    Raises
    ------
    InputError
        If there is no such instance, or something in it is wrong.
    """
    given = overrides_of(overrides)
    return read_instance(find_instance(str(name_or_path)), given)


def read_instance(path: Path, overrides: Overrides | None = None) -> Instance:
    """Read and check an instance file and the files that it refers to.

    Parameters
    ----------
    path
        Of a file in one of `hypar_opt.instance.formats`; docs/ has what it says, and `instance_json_schema` its schema.
    overrides
        Replace what the file says; nothing is replaced unless given.

    Raises
    ------
    InputError
        If something is wrong; names the file, line and field, or the override.
    """
    return _instance(read_document(Path(path)), overrides or Overrides())


def _instance(document: Document, overrides: Overrides) -> Instance:
    # pydantic and networkx take a tenth of a second each to import
    from hypar_opt.instance.build import InvalidInstance, build

    sources = sources_of(document)
    parts = build(sources.data, sources.error, overrides)
    try:
        return Instance.from_spec(*parts, overrides.given(), document.path)
    except InvalidInstance as error:
        raise _located(error, sources, overrides) from None


def _located(error: InvalidInstance, sources: Sources, overrides: Overrides) -> InputError:
    """Return the error with its file and line, or with the override that is to blame."""
    given = overrides.given()
    added = given.get(str(error.path[0]))
    if isinstance(added, dict) and error.path[0] == "fix" and error.path[1] in added:
        return InputError(error.message, field=f"{OVERRIDES['fix'].option} {error.path[1]}")
    option = next((name for name in ("array", "levels") if name in given), None)
    if option is not None and error.path[0] == "array":
        return InputError(error.message, field=f"--{option} {dotted(error.path[1:])}")
    return sources.error(error.message, error.path, of_key=error.of_key)


_AROUND: Final[Mapping[str, object]] = MappingProxyType(
    {
        "schema": "hypar-opt/instance/1",
        "name": "array",
        "batch": 1,
        "network": {"input": (1,), "layers": ({"name": "any", "linear": {"features": 1}},)},
    }
)
"""What stands around an array that is read alone."""


def is_array(path: Path) -> bool:
    """Return whether a file is an array's own: it names no schema and has no network, which every instance does.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    return not {"schema", "network"} & read_document(path).data.keys()


def load_array(path: Path, overrides: Overrides | None = None) -> Instance:
    """Read an array's own file.

    Returns
    -------
    An instance whose array it is, and whose network is one layer that says nothing.

    Raises
    ------
    InputError
        If something is wrong; names the file, line and field, or the override.
    """
    from hypar_opt.instance.build import build

    document = read_document(path)

    def error(message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
        return document.error(message, path[1:], of_key=of_key)

    overrides = overrides or Overrides()
    parts = build({**_AROUND, "array": read_array(path)}, error, overrides)
    return Instance.from_spec(*parts, overrides.given(), path)
