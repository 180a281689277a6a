"""Instances from plain data, and plain data as the text of an instance file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hypar_opt.errors import InputError, NetworkError

if TYPE_CHECKING:
    from hypar_opt.instance import Instance


def instance_of(document: Mapping[str, Any]) -> Instance:
    """Return the instance that a document with everything inline says, checked as a file is.

    Raises
    ------
    InputError
        If something is wrong; names the field.
    """
    from pydantic import ValidationError

    from hypar_opt.instance import Instance
    from hypar_opt.instance.build import build_network
    from hypar_opt.instance.canonical import sha256
    from hypar_opt.instance.faults import first_fault
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.wording import dotted

    if not isinstance(document, Mapping):
        raise InputError(f"expected a mapping with an instance's fields, got a {type(document).__name__}")
    if document.get("fix"):
        raise InputError("a campaign's instances fix no strategies", field="fix")
    data = dict(document)
    try:
        spec = InstanceSpec.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error, InstanceSpec, data)
        raise InputError(fault.message, field=dotted(fault.path)) from None
    try:
        network = build_network(spec.network)
    except NetworkError as error:
        raise InputError(str(error), field="network") from None
    return Instance(spec, network, sha256(spec), {})


def instance_text(document: Mapping[str, Any], *comments: str) -> str:
    """Return a document as the text of a YAML file: a layer a line, comments on top."""
    lines = [f"# {comment}" for comment in comments]
    for field, value in document.items():
        if field != "network":
            lines.append(f"{field}: {_flow(value)}")
            continue
        lines += ["network:", f"  input: {_flow(value['input'])}", "  layers:"]
        lines += [f"    - {_flow(layer)}" for layer in value["layers"]]
    return "\n".join(lines) + "\n"


def _flow(value: object) -> str:
    import yaml

    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=2**20)
    return text.removesuffix("...\n").strip()
