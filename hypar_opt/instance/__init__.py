"""Instance files: reading, checking, and the instances that are shipped."""

from hypar_opt.instance.asking import check_known, missing_for, unknown_needs
from hypar_opt.instance.instance import LETTERS, Instance
from hypar_opt.instance.json_schema import instance_json_schema
from hypar_opt.instance.overrides import Overrides, array_text
from hypar_opt.instance.read import load, read_instance
from hypar_opt.instance.shipped import find_array, find_instance, shipped_arrays, shipped_names
from hypar_opt.instance.wording import dotted

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
    "load",
    "missing_for",
    "read_instance",
    "shipped_arrays",
    "shipped_names",
    "unknown_needs",
]
