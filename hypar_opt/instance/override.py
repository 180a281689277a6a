"""Replacing fields of an instance from outside, as by `--batch`."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from pydantic import ValidationError

from hypar_opt.errors import InputError
from hypar_opt.instance.arrays import array_fault
from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.overrides import weights_of
from hypar_opt.instance.schema import InstanceSpec
from hypar_opt.instance.wording import dotted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.overrides import Overrides
    from hypar_opt.instance.wording import FieldPath


OF_COST = ("accounting", "splits", "input_error")
"""Overrides of fields under `cost`."""


def override(spec: InstanceSpec, overrides: Overrides) -> InstanceSpec:
    """Return the instance with fields replaced, checked again.

    Raises
    ------
    InputError
        If the result is not valid; names the override as the command line spells it.
    """
    given = overrides.given()
    if not given:
        return spec
    data = _replaced(spec, overrides)
    try:
        replaced = InstanceSpec.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error, InstanceSpec, data)
        raise _error(fault.path, fault.message, given) from None
    wrong = array_fault(replaced)
    if wrong is not None:
        raise _error(*wrong, given)
    return replaced


def _replaced(spec: InstanceSpec, overrides: Overrides) -> dict[str, object]:
    # the network is passed as it is: it was checked, and it may be large
    data: dict[str, object] = {**spec.model_dump(by_alias=True, exclude={"network"}), "network": spec.network}
    array = dict(spec.array.model_dump(exclude_defaults=True))
    if overrides.array is not None:
        array = json.loads(overrides.array, parse_float=Decimal)
    for name in ("levels", "placement"):
        if getattr(overrides, name) is not None:
            array[name] = getattr(overrides, name)
    data["array"] = array
    if overrides.batch is not None:
        data["batch"] = overrides.batch
    cost = {name: getattr(overrides, name) for name in OF_COST if getattr(overrides, name) is not None}
    if cost:
        data["cost"] = {**spec.cost.model_dump(), **cost}
    if overrides.objective is not None:
        data["objective"] = weights_of(overrides.objective)
    return data


def _error(path: FieldPath, message: str, given: Mapping[str, object]) -> InputError:
    """Return the error of the override that is to blame: the instance was valid before."""
    part, rest = str(path[0]), path[1:]
    owners = {
        "batch": ("batch",),
        "array": (*(str(name) for name in rest[:1]), "levels", "array", "placement", "objective"),
        "cost": ("splits", "accounting") if rest[:1] == ("splits",) else ("accounting",),
        "objective": ("objective", "accounting"),
    }[part]
    option = next((name for name in owners if name in given), next(iter(given)))
    # the array's own fields are named where it came in as a whole
    inside = option != str(rest[0]) if part == "array" and rest else False
    return InputError(message, field=f"--{option}" + (f" {dotted(path[1:])}" if inside else ""))
