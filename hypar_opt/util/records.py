"""Immutable records, many of which differ in a name alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


def renamed(one: T, **fields: object) -> T:
    """Return a copy of a record with other fields, as `dataclasses.replace` does, but unchecked and in half the time.

    For records by the ten thousand whose checks, if they have any, the first of them has passed.
    """
    other = object.__new__(type(one))
    vars(other).update(vars(one), **fields)
    return other


def copies(one: T, **columns: Sequence[object]) -> list[T]:
    """Return many copies of a record, each with its own of other fields; unchecked as in `renamed`, and faster.

    Parameters
    ----------
    columns
        By field, what each copy has.
    """
    kind, same, fields = type(one), vars(one), tuple(columns)
    found: list[T] = []
    for values in zip(*columns.values(), strict=True):
        other = object.__new__(kind)
        held = vars(other)
        held.update(same)
        held.update(zip(fields, values, strict=True))
        found.append(other)
    return found
