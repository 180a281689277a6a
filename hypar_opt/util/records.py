"""Immutable records, many of which differ in a name alone."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def renamed(one: T, **fields: object) -> T:
    """Return a copy of a record with other fields, as `dataclasses.replace` does, but unchecked and in half the time.

    For records by the ten thousand whose checks, if they have any, the first of them has passed.
    """
    other = object.__new__(type(one))
    vars(other).update(vars(one), **fields)
    return other
