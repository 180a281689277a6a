"""Replacing fields of an instance from outside, as by `--batch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from hypar_opt.errors import InputError
from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.schema import InstanceSpec

if TYPE_CHECKING:
    from hypar_opt.instance.instance import Overrides


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
    # the network is passed as it is: it was checked, and it may be large
    data: dict[str, object] = {**spec.model_dump(by_alias=True, exclude={"network"}), "network": spec.network}
    if "batch" in given:
        data["batch"] = given["batch"]
    if "levels" in given:
        data["array"] = {**spec.array.model_dump(), "levels": given["levels"]}
    if "accounting" in given:
        data["cost"] = {**spec.cost.model_dump(), "accounting": given["accounting"]}
    try:
        return InstanceSpec.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error, InstanceSpec, data)
    # the instance was valid before, so an override is to blame
    option = {"batch": "batch", "array": "levels", "cost": "accounting"}[str(fault.path[0])]
    option = option if option in given else next(iter(given))
    raise InputError(fault.message, field=f"--{option}")
