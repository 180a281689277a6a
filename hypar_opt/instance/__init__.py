"""Instances: networks on arrays, strategy graphs, and what is minimised; read, checked, shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.instance.instance import Instance
    from hypar_opt.instance.overrides import Overrides, array_text
    from hypar_opt.instance.read import load, load_instance, read_instance
    from hypar_opt.instance.schema import instance_json_schema
    from hypar_opt.instance.shipped import find_instance, shipped_arrays, shipped_names

__all__ = [
    "Instance",
    "Overrides",
    "array_text",
    "find_instance",
    "instance_json_schema",
    "load",
    "load_instance",
    "read_instance",
    "shipped_arrays",
    "shipped_names",
]

__getattr__ = lazy_names(
    __name__,
    {
        "instance": ("Instance",),
        "overrides": ("Overrides", "array_text"),
        "read": ("load", "load_instance", "read_instance"),
        "schema": ("instance_json_schema",),
        "shipped": ("find_instance", "shipped_arrays", "shipped_names"),
    },
)
