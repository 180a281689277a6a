"""The form's fields, generated from the JSON Schema of instances."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    from hypar_opt.instance import instance_json_schema

    schema = instance_json_schema()
    found = [_field((name,), one) for name, one in schema["properties"].items()]
    for part in PARTS:
        properties = _resolved(schema, schema["properties"][part])["properties"]
        found += [_field((part, name), one) for name, one in properties.items()]
    return tuple(field for field in found if field is not None)


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
    if schema.get("type") == "integer":
        return FormField(path, "integer", description, (), schema.get("minimum"), schema.get("maximum"), default)
    return FormField(path, "text", description, default=default) if schema.get("type") == "string" else None
