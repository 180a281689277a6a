"""Instances: networks on arrays, strategy graphs, and what is minimised; read, checked, shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.instance.choices import LETTERS
    from hypar_opt.instance.instance import Instance
    from hypar_opt.instance.objective.components import check_known
    from hypar_opt.instance.overrides import Overrides, array_text
    from hypar_opt.instance.read import load, load_instance, read_instance
    from hypar_opt.instance.required_fields import levelled_fault, unknown_needs
    from hypar_opt.instance.schema import instance_json_schema
    from hypar_opt.instance.shipped import find_array, find_instance, shipped_arrays, shipped_names
    from hypar_opt.instance.text import dotted

__all__ = [
    "LETTERS",
    "Instance",
    "Overrides",
    "array_text",
    "check_known",
    "dotted",
    "find_array",
    "find_instance",
    "instance_json_schema",
    "levelled_fault",
    "load",
    "load_instance",
    "read_instance",
    "shipped_arrays",
    "shipped_names",
    "unknown_needs",
]

__getattr__ = lazy_names(
    __name__,
    {
        "choices": ("LETTERS",),
        "instance": ("Instance",),
        "objective.components": ("check_known",),
        "overrides": ("Overrides", "array_text"),
        "read": ("load", "load_instance", "read_instance"),
        "required_fields": ("levelled_fault", "unknown_needs"),
        "schema": ("instance_json_schema",),
        "shipped": ("find_array", "find_instance", "shipped_arrays", "shipped_names"),
        "text": ("dotted",),
    },
)
