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
    kind, same, make = type(one), dict(vars(one)), object.__new__
    (field, first), *others = columns.items()
    found: list[T] = []
    for value in first:
        other = make(kind)
        held = vars(other)
        held.update(same)
        held[field] = value
        found.append(other)
    for field, column in others:
        for other, value in zip(found, column, strict=True):
            vars(other)[field] = value
    return found
