"""An array on its own, read as the instance of a network that does not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from hypar_opt.instance.arrays import array_fault
from hypar_opt.instance.build import build_network
from hypar_opt.instance.canonical import sha256
from hypar_opt.instance.document import read_document
from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.instance import Instance
from hypar_opt.instance.override import override
from hypar_opt.instance.overrides import Overrides
from hypar_opt.instance.schema import InstanceSpec
from hypar_opt.instance.sources import read_array

if TYPE_CHECKING:
    from pathlib import Path

_AROUND: dict[str, object] = {
    "schema": "hypar-opt/instance/1",
    "name": "array",
    "batch": 1,
    "network": {"input": (1,), "layers": ({"name": "any", "linear": {"features": 1}},)},
}


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
    document = read_document(path)
    data = {**_AROUND, "array": read_array(path)}
    try:
        spec = InstanceSpec.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error, InstanceSpec, data)
        raise document.error(fault.message, fault.path[1:], of_key=fault.of_key) from None
    wrong = array_fault(spec)
    if wrong is not None:
        raise document.error(wrong[1], wrong[0][1:])
    overrides = overrides or Overrides()
    shown = override(spec, overrides)
    return Instance(shown, build_network(shown.network), sha256(spec), overrides.given(), path)
