"""Reading whatever can be solved: the entry points."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from hypar_opt.instance.collective import read_collective
from hypar_opt.instance.file_kinds import KINDS, check_kind
from hypar_opt.instance.formats import Document, file_of, format_of, read_document
from hypar_opt.instance.instance import Instance
from hypar_opt.instance.overrides import OVERRIDES, Overrides, check_names, overrides_of
from hypar_opt.instance.pipeline import read_pipeline
from hypar_opt.instance.shipped import (
    find_file,
    find_instance,
    shipped_graphs,
    shipped_instances,
    shipped_operators,
    shipped_problems,
)
from hypar_opt.instance.sources import Sources, array_sources, sources_of
from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.instance.text import cut, dotted
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.build import InvalidInstance
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.instance.operators.instance import OperatorInstance
    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.instance.strategy_graph import StrategyGraph
    from hypar_opt.instance.tasks import TaskGraphInstance

AnyInput: TypeAlias = (
    "Instance | OperatorInstance | StrategyGraph | PipelineInstance | CollectiveInstance | TaskGraphInstance"
)
"""Whatever can be solved, as read."""
Reported: TypeAlias = "Instance | OperatorInstance | PipelineInstance | CollectiveInstance | TaskGraphInstance"
"""Whatever pages show, as read."""


def load(name_or_path: str | Path, **overrides: Any) -> AnyInput:
    """Read an instance, a pipeline or a strategy graph by its path, or by its name if it is a shipped one.

    An instance is one of operators where its file says what only such can say (axes, new kinds of layers), or axes
    are given here.

    Parameters
    ----------
    name_or_path
        For example `vgg-e`, `my-network.yaml` or `model.json.gz`. A file that is compressed by gzip, or JSON with
        `problem` at the top, is a strategy graph, whatever its name.
    overrides
        By the names of `hypar_opt.instance.overrides.Overrides`: replace what an instance says; None replaces nothing.
        The array may be a file, the name of a shipped array, or what would stand there; objective, bounds (`at_most`)
        and `fix` texts as on the command line, or mappings as in a file.

    Raises
    ------
    InputError
        If there is no such file, something in it is wrong, or a field is to be replaced that there is not.
    """
    check_names(overrides)
    known = shipped_instances() | shipped_operators() | shipped_graphs() | shipped_problems()
    path = find_file(str(name_or_path), known, "the name of a shipped instance")
    file = file_of(path)
    one = format_of(file)
    if one.holds == "instance":
        document = one.read(file)
        if KINDS["collective"].holds(document.data):
            return _collective(document, overrides)
        if KINDS["task graph"].holds(document.data):
            return _task_graph(document, overrides)
        if not KINDS["pipeline"].holds(document.data):
            return _any_instance(document, overrides_of(overrides))
        _check_not_replaced(overrides, path, "pipeline")
        return read_pipeline(document.data, document.error, path)
    _check_not_replaced(overrides, path, one.holds)
    graph: StrategyGraph = one.read(file)
    return graph


def _collective(document: Document, overrides: Mapping[str, Any]) -> CollectiveInstance:
    _check_not_replaced(overrides, document.path, "collective")
    sources = sources_of(document)
    return read_collective(sources.data, sources.error, document.path)


def _task_graph(document: Document, overrides: Mapping[str, Any]) -> TaskGraphInstance:
    _check_not_replaced(overrides, document.path, "task graph")
    return read_task_graph(document.data, document.error, document.path)


def load_collective(name_or_path: str | Path, **overrides: Any) -> CollectiveInstance | None:
    """Read a collective as `load` does; None where something else stands in the file.

    Raises
    ------
    InputError
        If there is no such file, or something in it is wrong.
    """
    return cast("CollectiveInstance | None", _load_only("collective", name_or_path, overrides))


def load_task_graph(name_or_path: str | Path, **overrides: Any) -> TaskGraphInstance | None:
    """Read a task graph as `load` does; None where something else stands in the file.

    Raises
    ------
    InputError
        If there is no such file, or something in it is wrong.
    """
    return cast("TaskGraphInstance | None", _load_only("task graph", name_or_path, overrides))


def _load_only(kind: str, name_or_path: str | Path, overrides: Mapping[str, Any]) -> AnyInput | None:
    known = shipped_instances() | shipped_operators() | shipped_graphs() | shipped_problems()
    file = file_of(find_file(str(name_or_path), known, "the name of a shipped instance"))
    one = format_of(file)
    if one.holds != "instance" or not KINDS[kind].holds(one.read(file).data):
        return None
    return load(name_or_path, **overrides)


def _check_not_replaced(overrides: Mapping[str, Any], path: Path, kind: str) -> None:
    for name, value in overrides.items():
        if value is not None:
            raise InputError(
                f"replaces a field of a network's instance; a {kind} has none",
                file=path,
                field=OVERRIDES[name].option,
            )


def load_instance(name_or_path: str | Path, **overrides: Any) -> Instance:
    """Read an instance of layers that are split in halves, as `load` does.

    Raises
    ------
    InputError
        If there is no such instance, it is of another kind, or something in it is wrong.
    """
    given = overrides_of(overrides)
    return read_instance(find_instance(str(name_or_path)), given)


def load_any_instance(name_or_path: str | Path, **overrides: Any) -> Instance | OperatorInstance:
    """Read an instance of either kind, and no strategy graph, as `load` does.

    Raises
    ------
    InputError
        If there is no such instance, or something in it is wrong.
    """
    given = overrides_of(overrides)
    return _any_instance(read_document(find_instance(str(name_or_path))), given)


def load_for_report(name_or_path: str | Path, **overrides: Any) -> Reported:
    """Read whatever can be shown on pages, as `load` does: all but strategy graphs.

    Raises
    ------
    InputError
        If there is no such file, or something in it is wrong.
    """
    check_names(overrides)
    known = shipped_instances() | shipped_operators() | shipped_problems()
    path = find_file(str(name_or_path), known, "the name of a shipped instance")
    document = read_document(path)
    if KINDS["collective"].holds(document.data):
        return _collective(document, overrides)
    if KINDS["task graph"].holds(document.data):
        return _task_graph(document, overrides)
    if not KINDS["pipeline"].holds(document.data):
        return _any_instance(document, overrides_of(overrides))
    _check_not_replaced(overrides, path, "pipeline")
    return read_pipeline(document.data, document.error, path)


def read_any_instance(path: Path, overrides: Overrides) -> Instance | OperatorInstance:
    """Read and check an instance file of either kind, as `read_instance` does.

    Raises
    ------
    InputError
        If something is wrong; names the file, line and field, or the override.
    """
    return _any_instance(read_document(Path(path)), overrides)


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
    return InstanceFile(path).under(overrides or Overrides())


class InstanceFile:
    """An instance file, read once however many overrides it is taken under.

    Parameters
    ----------
    path
        As `read_instance` takes it.

    Raises
    ------
    InputError
        If the file cannot be read, or is of another kind; names the file and line.
    """

    def __init__(self, path: Path) -> None:
        document = read_document(Path(path))
        check_kind("instance", document.data, document.path)
        self._sources = sources_of(document)
        self._under: dict[Overrides, Instance] = {}

    def under(self, overrides: Overrides) -> Instance:
        """Return the instance with what replaces its fields.

        Raises
        ------
        InputError
            If something is wrong; names the file, line and field, or the override.
        """
        if overrides not in self._under:
            self._under[overrides] = _instance(self._sources, overrides)
        return self._under[overrides]


def _any_instance(document: Document, overrides: Overrides) -> Instance | OperatorInstance:
    from hypar_opt.instance.operators.instance import OperatorInstance
    from hypar_opt.instance.operators.recognition import is_of_operators

    check_kind("instance", document.data, document.path)
    sources = sources_of(document)
    data = sources.data
    if is_of_operators(data, overrides):
        return OperatorInstance.read(data, sources.error, overrides, document.path)
    return _of_halves(sources, overrides)


def _instance(sources: Sources, overrides: Overrides) -> Instance:
    from hypar_opt.instance.operators.recognition import is_of_operators

    if is_of_operators(sources.data, overrides):
        given = "" if is_of_operators(sources.data) else " with what is given here"
        raise OfOperators(f"is an instance of operators{given}; {TAKEN}", file=sources.main.path)
    return _of_halves(sources, overrides)


def _of_halves(sources: Sources, overrides: Overrides) -> Instance:
    # pydantic and networkx take a tenth of a second each to import
    from hypar_opt.instance.build import InvalidInstance, build

    document = sources.main
    parts = build(sources.data, sources.error, overrides)
    try:
        return Instance.from_spec(*parts, overrides.given(), document.path)
    except InvalidInstance as error:
        raise _located(error, sources, overrides) from None


class OfOperators(InputError):
    """An instance is one of operators, and layers that are split in halves were asked for."""


TAKEN: Final = "only solve, compare, diff, pareto, report, verify, show, instance and export take these yet"
"""What takes instances of operators."""


def _located(error: InvalidInstance, sources: Sources, overrides: Overrides) -> InputError:
    """Return the error with its file and line, or with the override that is to blame."""
    given = overrides.given()
    added = given.get("fix")
    option = next((name for name in ("array", "levels") if name in given), None)

    def located(one: InvalidInstance) -> InputError:
        if one.path[0] == "fix" and isinstance(added, dict) and one.path[1] in added:
            return InputError(one.message, field=f"{OVERRIDES['fix'].option} {cut(str(one.path[1]))}")
        if one.path == ("microbatches",) and "microbatches" in given:
            return InputError(one.message, field=OVERRIDES["microbatches"].option)
        if one.path == ("cost", "accounting") and "accounting" in given:
            return InputError(one.message, field=OVERRIDES["accounting"].option)
        if one.path[:2] == ("array", "collectives") and "collectives" in given:
            return InputError(one.message, field=OVERRIDES["collectives"].option)
        if option is None or one.path[0] != "array":
            return sources.error(one.message, one.path, of_key=one.of_key)
        field = f"--{option} {dotted(one.path[1:])}"
        if one.path[1:2] and one.path[1] in given:  # its own replacement is to blame, and no file
            return InputError(one.message, field=field)
        return overrides.array_error(one.message, one.path, field)

    others = [cast("InvalidInstance", one) for one in error.others]
    return located(error).beside(lambda: list(map(located, others)), len(others))


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


def load_axes(path: Path, overrides: Overrides | None = None) -> AxesArraySpec | None:
    """Read an array of axes from its own file; None where it is one of links.

    Raises
    ------
    InputError
        If something is wrong; names the file, line and field, or the override.
    """
    from hypar_opt.instance.faults import checked
    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.instance.operators.overrides import replaced
    from hypar_opt.instance.operators.standing import standing_fault

    sources, given = array_sources(path), overrides or Overrides()
    said = sources.array.keys()
    if "axes" not in said and ("topology" in said or "devices" not in said):
        return None
    spec = checked(
        AxesArraySpec, sources.array, lambda message, at, **of: sources.array_error(message, ("array", *at), **of)
    )
    wrong = standing_fault(spec)
    if wrong is not None:
        raise sources.array_error(wrong[1], wrong[0])
    if not given.given():
        return spec
    return AxesArraySpec.model_validate(replaced({"array": spec.model_dump(exclude_defaults=True)}, given)["array"])


def files_of_input(path: Path) -> tuple[Path, ...]:
    """Return the files that an instance's or an array's own refers to, and itself; itself alone of any other kind.

    Raises
    ------
    InputError
        If one of them cannot be read.
    """
    file = file_of(path)
    if format_of(file).holds != "instance":
        return (path,)
    document = read_document(path)
    if {"topology", "axes", "network"} & document.data.keys():
        return (array_sources(path) if "network" not in document.data else sources_of(document)).files
    return (path,)


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

    sources, overrides = array_sources(path), overrides or Overrides()
    parts = build({**_AROUND, **sources.data}, sources.array_error, overrides)
    return Instance.from_spec(*parts, overrides.given(), path)
