"""What replaces fields of an instance of operators: as of other instances, but that an array is one of axes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.exact import INTEGER
from hypar_opt.instance.faults import checked
from hypar_opt.instance.operators.schema import OperatorInstanceSpec
from hypar_opt.instance.overrides import OVERRIDES, Overrides, after, blamed, check_kind, value_of
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


def override(spec: OperatorInstanceSpec, overrides: Overrides) -> OperatorInstanceSpec:
    """Return the instance with fields replaced, checked again.

    Raises
    ------
    InputError
        If the result is not valid, or there is no such field; names the override as the command line spells it.
    """
    if not overrides.given():
        return spec
    check_kind(overrides, "operators")
    data: dict[str, Any] = {**spec.model_dump(by_alias=True, exclude={"network"}), "network": spec.network}
    for part in ("array", "cost"):
        data[part] = getattr(spec, part).model_dump(exclude_defaults=True)
    return checked(OperatorInstanceSpec, replaced(data, overrides), partial(blamed, overrides))


def replaced(data: dict[str, Any], overrides: Overrides) -> dict[str, Any]:
    """Return what an instance says, with fields replaced.

    Raises
    ------
    InputError
        If what replaces axes is no list of these.
    """
    said = {**data, "array": data["array"], "cost": dict(data.get("cost", {}))}
    array = None if overrides.array is None else value_of(OVERRIDES["array"], overrides.array)
    if array is not None:
        said["array"] = array
    if overrides.axes is not None:
        said["array"] = _cut(said["array"], axes=axes_of(overrides.axes, said["array"]))
    elif overrides.levels is not None:
        said["array"] = _cut(said["array"], levels=overrides.levels)
    if overrides.placement is not None:
        said["array"] = {**said["array"], "placement": overrides.placement}
    for one in OVERRIDES.values():
        value = getattr(overrides, one.name)
        if value is not None and one.path[0] != "array":
            *parents, last = one.path
            into = said
            for key in parents:
                into = into[key]
            into[last] = after(one, into.get(last), value_of(one, value))
    return said


def _cut(array: Mapping[str, Any], **how: object) -> dict[str, Any]:
    """Return an array that is cut in another way, with what else is said of its devices and their graph."""
    kept = {name: one for name, one in array.items() if name not in ("axes", "levels", "devices") and one is not None}
    return {**how, **kept}


def axes_of(text: object, array: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return axes as the command line has them; one keeps the link that the array gives an axis of its name.

    Raises
    ------
    InputError
        If it is not of the form NAME=SIZE,NAME=SIZE.
    """
    if not isinstance(text, str):
        raise InputError(f"expected text, for example node=4,gpu=8, got {shown(text)}", field="--axes")
    links = {one["name"]: one["link"] for one in array.get("axes") or () if one.get("link") is not None}
    found = []
    for part in text.split(","):
        name, equals, size = (one.strip() for one in part.partition("="))
        if not equals or not name or not INTEGER.fullmatch(size) or len(size) > 20:
            raise InputError(f"expected NAME=SIZE, for example node=4,gpu=8, got {shown(part.strip())}", field="--axes")
        if int(size) < 2:
            raise InputError(f"expected of axis {shown(name)} a size of at least 2, got {size}", field="--axes")
        found.append({"name": name, "size": int(size), **({"link": links[name]} if name in links else {})})
    return found
