"""What a client can enter, generated from the JSON Schema of instances, and pick by its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from hypar_opt.formulation.registry import found, load_formulation
from hypar_opt.instance import instance_json_schema
from hypar_opt.instance.shipped import shipped_folder
from hypar_opt.util.errors import InputError, Refusal, did_you_mean
from hypar_opt.web.job_request import offered_instances
from hypar_opt.web.words import GROUPS, LAST_GROUPS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_REFERENCE = re.compile(r"^(network|array): \{file: ([\w./-]+)\}$")
Kind = Literal["text", "integer", "truth", "one", "several", "objective"]
PARTS: Final = ("array", "cost")
"""Mappings whose own scalar fields are in the form; everything else is edited as text."""


TRUTHS: Final[Mapping[str, bool]] = MappingProxyType({"true": True, "false": False})
"""As files spell them."""


@dataclass(frozen=True)
class FormField:
    """One field of the form.

    Parameters
    ----------
    path
        Keys, from the top of the instance.
    kind
        How it is entered.
    description
        The schema's own.
    options
        Of a choice, or of what is true or false.
    least, most
        Of an integer, where the schema says so.
    default
        Where the schema has one.
    """

    path: tuple[str, ...]
    kind: Kind
    description: str
    options: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    default: Any = None

    @property
    def name(self) -> str:
        """Dotted, as messages name it."""
        return ".".join(self.path)


@cache
def form_fields() -> tuple[FormField, ...]:
    """Return the scalar fields of an instance, of its array and of its cost."""
    schema = instance_json_schema()
    fields = [_field((name,), one) for name, one in schema["properties"].items()]
    for part in PARTS:
        properties = _resolved(schema, schema["properties"][part])["properties"]
        fields += [_field((part, name), one) for name, one in properties.items()]
    return tuple(field for field in fields if field is not None)


def spelt(value: bool) -> str:
    """Return a truth as files spell it."""
    return str(value).lower()


def _resolved(schema: dict[str, Any], field: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference refers to; of two ways to write a part, the one that is no file."""
    reference = field.get("$ref") or next(one["$ref"] for one in field.get("oneOf") or field["allOf"])
    found: dict[str, Any] = schema["$defs"][reference.rsplit("/", 1)[-1]]
    return found


def _field(path: tuple[str, ...], schema: dict[str, Any]) -> FormField | None:
    """Return a scalar's field; None for what is edited as text, and for what has one value only."""
    description, default = schema.get("description", ""), schema.get("default")
    if path == ("objective",):
        return FormField(path, "objective", description, default="communication")
    if "const" in schema:
        return None
    choices = schema.get("enum") or next((one["enum"] for one in schema.get("anyOf", ()) if "enum" in one), ())
    if choices:
        return FormField(path, "one", description, tuple(choices), default=default)
    items = schema.get("items", {})
    if schema.get("uniqueItems") and "enum" in items:
        return FormField(path, "several", description, tuple(items["enum"]), default=default)
    if schema.get("type") == "boolean":
        return FormField(path, "truth", description, tuple(TRUTHS), default=None if default is None else spelt(default))
    number = next((one for one in (schema, *schema.get("oneOf", ())) if one.get("type") == "integer"), None)
    if number is not None:
        return FormField(path, "integer", description, (), number.get("minimum"), number.get("maximum"), default)
    return FormField(path, "text", description, default=default) if schema.get("type") == "string" else None


@dataclass(frozen=True)
class Offer:
    """A formulation as it is offered.

    Parameters
    ----------
    name, summary
        Its own.
    decides
        `strategies`, `placement` or `both`.
    proves
        In words.
    certifies
        Whether it leaves evidence that can be checked without it.
    takes_networks
        Whether it is for networks at all.
    """

    name: str
    summary: str
    decides: str
    proves: str
    certifies: bool
    takes_networks: bool


def formulations() -> tuple[Offer, ...]:
    """Return the installed formulations; those that cannot be loaded are left out."""
    offers = []
    for name in found():
        try:
            one = load_formulation(name)
        except Refusal:
            continue
        able = one.capabilities
        proves = "optimality" if able.exact else "nothing"
        offers.append(Offer(name, one.summary, able.decides, proves, able.certifies, not able.needs_tables))
    return tuple(sorted(offers, key=lambda one: (one.decides != "strategies", one.decides != "both")))


def instances() -> dict[str, list[str]]:
    """Return the names of the shipped instances by the folder that they are in, in the order of `GROUPS`."""
    by_folder: dict[str, list[str]] = {}
    for name, path in offered_instances().items():
        by_folder.setdefault(path.parent.name, []).append(name)
    named = {**GROUPS, **LAST_GROUPS}
    others = [folder for folder in by_folder if folder not in named]
    return {folder: by_folder[folder] for folder in (*GROUPS, *others, *LAST_GROUPS) if folder in by_folder}


def instance_groups() -> dict[str, list[str]]:
    """Return the names of the shipped instances by what their group is called."""
    named = {**GROUPS, **LAST_GROUPS}
    return {named.get(folder, folder): names for folder, names in instances().items()}


def instance_text(name: str) -> str:
    """Return a shipped instance as one text, what it takes from other shipped files put in their places.

    Raises
    ------
    InputError
        If there is none of that name; with the nearest one.
    """
    known = offered_instances()
    if name not in known:
        raise InputError(f"no shipped instance is called '{name}'{did_you_mean(name, known)}")
    return "".join(f"{_inlined(line, known[name])}\n" for line in known[name].read_text().splitlines())


def _inlined(line: str, path: Path) -> str:
    matched = _REFERENCE.match(line)
    if matched is None:
        return line
    part, name = matched.groups()
    other = (path.parent / name).resolve()
    assert other.is_relative_to(shipped_folder().resolve())
    return "\n".join([f"{part}:", *(f"  {one}".rstrip() for one in other.read_text().splitlines())])
