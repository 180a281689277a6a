"""From what an instance says to what it is made of, wherever it is said: in files, as plain data, as an array alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from hypar_opt.instance.arrays import array_fault
from hypar_opt.instance.data import sha256
from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.network import Network
from hypar_opt.instance.overrides import override
from hypar_opt.instance.schema import InstanceSpec
from hypar_opt.instance.text import dotted
from hypar_opt.util.errors import InputError, NetworkError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.instance.network_schema import NetworkSpec
    from hypar_opt.instance.overrides import Overrides
    from hypar_opt.instance.text import FieldPath


def build(
    data: dict[str, object], error: Callable[..., InputError], overrides: Overrides
) -> tuple[InstanceSpec, Network, str]:
    """Return what an instance says with its overrides, its network, and its hash without them.

    Parameters
    ----------
    data
        The fields of an instance file, everything inline.
    error
        From a message, a field's path and whether its key is to blame (`of_key`) to the error that says where it is.
    overrides
        Replace what the data say.

    Raises
    ------
    InputError
        If something is wrong: as `error` makes it, or with the name of the override.
    """
    try:
        original = InstanceSpec.model_validate(data)
    except ValidationError as invalid:
        fault = first_fault(invalid, InstanceSpec, data)
        raise error(fault.message, fault.path, of_key=fault.of_key) from None
    wrong = array_fault(original)
    if wrong is not None:
        raise error(wrong[1], wrong[0])
    spec = override(original, overrides)
    try:
        return spec, Network.from_spec(spec.network), sha256(original)
    except NetworkError as problem:
        raise error(problem.message, (*_path_of_layer(spec.network, problem.layer), *problem.field)) from None


def _path_of_layer(spec: NetworkSpec, name: str | None) -> FieldPath:
    """Return where a layer stands; of two with one name, the second, which is the one too many."""
    places = [i for i, layer in enumerate(spec.layers) if layer.name == name][:2]
    return ("network", "layers", places[-1]) if places else ("network",)


def field_error(message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
    """Return the error of a field of plain data, which stand in no file."""
    return InputError(message, field=dotted(path) or None)
