"""From pydantic's errors to one that a user can act on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial, reduce
from operator import getitem
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from hypar_opt.instance.exact import as_in_files
from hypar_opt.instance.mixed_kinds import TAGS
from hypar_opt.instance.network_schema import LAYER_KINDS, LayerSpec
from hypar_opt.instance.other_layers import instead_of
from hypar_opt.instance.text import FieldPath, dotted, shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails


S = TypeVar("S", bound=BaseModel)


def field_error(message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
    """Return the error of a field of plain data, which stand in no file."""
    return InputError(message, field=dotted(path) or None)


def checked(model: type[S], data: object, error: Callable[..., InputError] = field_error, later: str = "") -> S:
    """Return what data say.

    Parameters
    ----------
    model
        What they have to be.
    error
        From a message, a field's path and whether its key is to blame (`of_key`) to the error that says where it is.
    later
        What is looked at only when nothing is wrong here.

    Raises
    ------
    InputError
        If something is wrong: as `error` makes it. It knows all else that is.
    """
    try:
        return model.model_validate(data)
    except ValidationError as invalid:
        first, *others = faults_of(invalid, model, data)
    raised = error(_with(first, others, error), first.path, of_key=first.of_key)
    raise raised.beside(partial(errors_of, others, error), len(others), alone=first.message, later=later)


def fitting(
    model: type[S],
    data: object,
    misfit: Callable[[S], tuple[FieldPath, str] | None],
    error: Callable[..., InputError] = field_error,
) -> S:
    """Return what data say, of which all fits together.

    Parameters
    ----------
    model, data, error
        As of `checked`.
    misfit
        Where something does not fit what else is said, and what is wrong there.

    Raises
    ------
    InputError
        If something is wrong: as `error` makes it.
    """
    spec = checked(model, data, error)
    wrong = misfit(spec)
    if wrong is not None:
        raise error(wrong[1], wrong[0])
    return spec


def errors_of(faults: Iterable[Fault], error: Callable[..., InputError]) -> list[InputError]:
    """Return the errors of faults, each as `error` makes it for `checked`."""
    return [error(one.message, one.path, of_key=one.of_key) for one in faults]


def validated(model: type[S], given: Mapping[str, Any]) -> S:
    """Return what was given in Python, checked as a file's mapping; floats stand for the decimals that print the same.

    Raises
    ------
    InputError
        If something is wrong; names the field.
    """
    return checked(model, as_in_files(given))


def known_fields(root: type[BaseModel], path: FieldPath) -> dict[str, FieldInfo]:
    """Return the fields, by the names that files use, of the mapping at a path.

    Parameters
    ----------
    root
        What the whole file is.
    path
        Of the mapping; its keys are known ones.
    """
    fields = _named(root)
    for part in path:
        if isinstance(part, str):
            fields = _named(_model_in(fields[part].annotation))
    return fields


def _named(model: type[BaseModel] | None) -> dict[str, FieldInfo]:
    return {info.alias or name: info for name, info in model.model_fields.items()} if model else {}


def _model_in(annotation: object) -> type[BaseModel] | None:
    """Return the mapping inside an annotation such as `tuple[LayerSpec, ...]` or `ConvSpec | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


MOST_OTHERS = 9
"""Errors that are said beside the first."""
_EXPECTED: dict[str, Callable[[dict[str, Any]], str]] = {
    "int_type": lambda _: "an integer",
    "float_type": lambda _: "a number",
    "bool_type": lambda _: "true or false",
    "greater_than_equal": lambda ctx: f"{_kind(ctx['ge'])} of at least {ctx['ge']}",
    "less_than_equal": lambda ctx: f"{_kind(ctx['le'])} of at most {_power(ctx['le'])}",
    "string_type": lambda _: "text",
    "string_too_short": lambda ctx: f"text of at least {ctx['min_length']} character",
    "string_too_long": lambda ctx: f"text of at most {ctx['max_length']} characters",
    "string_pattern_mismatch": lambda _: "text without control characters",
    "string_unicode": lambda _: "text",
    "literal_error": lambda ctx: ctx["expected"],
    "tuple_type": lambda _: "a list",
    "list_type": lambda _: "a list",
    "dict_type": lambda _: "a mapping",
    "model_type": lambda _: "a mapping",
    "too_short": lambda ctx: (
        "a list that is not empty" if ctx["min_length"] == 1 else f"a list of at least {ctx['min_length']}"
    ),
    "too_long": lambda ctx: f"a list of at most {ctx['max_length']:,}",
}


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where; `of_key` if the key is to blame rather than its value."""

    path: FieldPath
    message: str
    of_key: bool = False


def first_fault(error: ValidationError, root: type[BaseModel], data: object) -> Fault:
    """Return the first of the errors, as `faults_of` takes them; its message goes on with the others."""
    first, *others = faults_of(error, root, data)
    return Fault(first.path, _with(first, others), first.of_key)


def _with(first: Fault, others: Sequence[Fault], error: Callable[..., InputError] = field_error) -> str:
    """Return what is wrong first, and what else is, each with its field as its own error names it."""
    said = [f"{one.field or 'all of it'}: {one.message}" for one in errors_of(others[:MOST_OTHERS], error)]
    left = len(others) - len(said)
    more = [f"{left} more, which a file without these will show"] if left else []
    return "; ".join([first.message, *said, *more])


def faults_of(error: ValidationError, root: type[BaseModel], data: object) -> list[Fault]:
    """Return what is wrong, what says most first.

    Parameters
    ----------
    error
        From validating `data` as `root`.
    root, data
        Looked into for the names that are known.
    """
    details = error.errors(include_url=False)
    by_path = {_path(one): one for one in reversed(details) if not _is_echo(one)}
    distinct = list(reversed(by_path.values()))
    # a misspelt name shows up twice, as unknown and as missing: the former says more
    first = next((one for one in distinct if one["type"] != "missing"), distinct[0])
    return [_fault(one, root, data) for one in (first, *(one for one in distinct if one is not first))]


def _path(one: ErrorDetails) -> FieldPath:
    path = one["loc"]
    path = path[:-1] if path[-1:] == ("[key]",) else path  # pydantic's way to blame a key
    return tuple(part for part in path if part not in TAGS)


def _is_echo(one: ErrorDetails) -> bool:
    """Whether a list seems too short because its bad elements, which have their own errors, do not count."""
    return one["type"] == "too_short" and len(one["input"]) >= one["ctx"]["min_length"]


def _fault(one: ErrorDetails, root: type[BaseModel], data: object) -> Fault:
    path, ctx = _path(one), one.get("ctx", {})
    if one["loc"][-1:] == ("[key]",):
        return Fault(path, str(ctx.get("message", one["msg"])), of_key=True)
    if one["type"] == "refused":
        return Fault((*path, *filter(None, [ctx["at"]])), ctx["message"])
    if one["type"] == "extra_forbidden":
        return Fault(path, _unknown(path, root, data), of_key=True)
    if one["type"] == "missing":
        description = known_fields(root, path[:-1])[str(path[-1])].description
        return Fault(path, f"missing ({description})")
    return Fault(path, _unexpected(one, ctx))


def _unexpected(one: ErrorDetails, ctx: dict[str, Any]) -> str:
    value = one["input"]
    if one["type"] not in _EXPECTED:
        return f"{one['msg']}, got {shown(value)}"
    hint = ""
    if one["type"] == "literal_error" and isinstance(value, str):
        options = re.findall(r"'([^']*)'", ctx["expected"])
        hint = did_you_mean(value, options) if len(options) > 1 else ""
    return f"expected {_EXPECTED[one['type']](ctx)}, got {shown(value)}{hint}"


def _unknown(path: FieldPath, root: type[BaseModel], data: Any) -> str:
    name, known = str(path[-1]), known_fields(root, path[:-1])
    hint = did_you_mean(name, known)
    kindless = known.keys() == LayerSpec.model_fields.keys() and not _has_kind(reduce(getitem, path[:-1], data))
    known_instead = instead_of(name)
    if kindless and (known_instead or hint == did_you_mean(name, LAYER_KINDS)):  # and not nearer to `name` or `inputs`
        hint = known_instead or hint
        return f"unknown layer kind {shown(name)}, expected one of {', '.join(LAYER_KINDS)}{hint}"
    expected = f", expected one of {', '.join(known)}" if known else ", expected none"
    return f"unknown field {shown(name)}{hint or expected}"


def _has_kind(layer: object) -> bool:
    return isinstance(layer, dict) and any(kind in layer for kind in LAYER_KINDS)


def _kind(limit: float) -> str:
    return "an integer" if isinstance(limit, int) else "a number"


def _power(number: float) -> str:
    if not isinstance(number, int):
        return f"{number:.15g}"
    exponent = number.bit_length() - 1
    return f"2^{exponent}" if exponent >= 20 and number == 2**exponent else str(number)
