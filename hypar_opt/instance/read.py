"""Reading instances: the entry points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.errors import InputError, NetworkError
from hypar_opt.instance.instance import Instance
from hypar_opt.instance.overrides import Overrides, array_text
from hypar_opt.instance.shipped import find_instance
from hypar_opt.instance.sources import Sources, read_sources
from hypar_opt.instance.wording import dotted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.checking import InvalidInstance
    from hypar_opt.instance.network_schema import NetworkSpec
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.wording import FieldPath
    from hypar_opt.network import Network


def load(
    name_or_path: str | Path,
    *,
    accounting: str | None = None,
    batch: int | None = None,
    levels: int | None = None,
    array: Mapping[str, object] | str | Path | None = None,
    placement: str | None = None,
    objective: str | None = None,
    splits: str | None = None,
    input_error: bool | None = None,
) -> Instance:
    """Read an instance by its path, or by its name if it is a shipped one.

    Parameters
    ----------
    name_or_path
        For example `vgg-e` or `instances/hypar/vgg-e.yaml`.
    accounting, batch, levels, placement, splits, input_error
        Replace what the instance says.
    array
        Replaces the array: a file, the name of a shipped array, or what would stand there.
    objective
        Replaces the objective, for example `comm-time` or `hop-bytes=1,comm-time=0.5`.

    Raises
    ------
    InputError
        If there is no such instance, or something in it is wrong.
    """
    overrides = Overrides(accounting, batch, levels, array_text(array), placement, objective, splits, input_error)
    return read_instance(find_instance(str(name_or_path)), overrides)


def read_instance(path: Path, overrides: Overrides | None = None) -> Instance:
    """Read and check an instance file and the files that it refers to.

    Parameters
    ----------
    path
        A YAML or JSON file; docs/ has the format, and `instance_json_schema` its JSON Schema.
    overrides
        Replace what the file says; nothing is replaced unless given.

    Raises
    ------
    InputError
        If something is wrong; names the file, line and field, or the override.
    """
    # pydantic and networkx take a tenth of a second each to import
    from hypar_opt.instance.arrays import array_fault
    from hypar_opt.instance.canonical import sha256
    from hypar_opt.instance.checking import InvalidInstance
    from hypar_opt.instance.override import override

    overrides = overrides or Overrides()
    sources = read_sources(Path(path))
    original = _validated(sources)
    wrong = array_fault(original)
    if wrong is not None:
        raise sources.error(wrong[1], wrong[0])
    spec = override(original, overrides)
    network = _network(spec.network, sources)
    try:
        return Instance(spec, network, sha256(original), overrides.given(), Path(path))
    except InvalidInstance as error:
        fault = error
    raise _located(fault, sources, overrides)


def _located(error: InvalidInstance, sources: Sources, overrides: Overrides) -> InputError:
    """Return the error with its file and line, or with the override that is to blame."""
    fault, given = error.fault, overrides.given()
    option = next((name for name in ("array", "levels") if name in given), None)
    if option is not None and fault.path[0] == "array":
        return InputError(fault.message, field=f"--{option} {dotted(fault.path[1:])}")
    return sources.error(fault.message, fault.path, of_key=fault.of_key)


def _validated(sources: Sources) -> InstanceSpec:
    from pydantic import ValidationError

    from hypar_opt.instance.faults import first_fault
    from hypar_opt.instance.schema import InstanceSpec

    data = sources.data
    try:
        return InstanceSpec.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error, InstanceSpec, data)
    raise sources.error(fault.message, fault.path, of_key=fault.of_key)


def _network(spec: NetworkSpec, sources: Sources) -> Network:
    from hypar_opt.instance.build import build_network

    try:
        return build_network(spec)
    except NetworkError as error:
        problem = error
    raise sources.error(problem.message, (*_path_of_layer(spec, problem.layer), *problem.field)) from None


def _path_of_layer(spec: NetworkSpec, name: str | None) -> FieldPath:
    """Return where a layer stands; of two with one name, the second, which is the one too many."""
    places = [i for i, layer in enumerate(spec.layers) if layer.name == name][:2]
    return ("network", "layers", places[-1]) if places else ("network",)
