"""What replaces fields of an instance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from pathlib import Path

from hypar_opt.aim import LEXICOGRAPHIC, PRODUCT
from hypar_opt.errors import InputError, did_you_mean
from hypar_opt.instance.asking import check_known
from hypar_opt.instance.exact import decimal, plain
from hypar_opt.instance.shipped import find_array
from hypar_opt.instance.wording import shown


@dataclass(frozen=True)
class Overrides:
    """What replaces fields of an instance; None leaves the field as it is.

    Parameters
    ----------
    accounting
        Replaces `cost.accounting`.
    batch
        Replaces `batch`.
    levels
        Replaces `array.levels`, after `array`.
    array
        Replaces `array`: what stands there, as JSON.
    placement
        Replaces `array.placement`: `free` or `identity`.
    objective
        Replaces `objective`, as `comm-time`, `hop-bytes=1,comm-time=0.5` or `product:time,energy`.
    splits
        Replaces `cost.splits`: `any` or `divisible`.
    input_error
        Replaces `cost.input_error`.
    """

    accounting: str | None = None
    batch: int | None = None
    levels: int | None = None
    array: str | None = None
    placement: str | None = None
    objective: str | None = None
    splits: str | None = None
    input_error: bool | None = None

    def given(self) -> dict[str, object]:
        """Return those that were given, as plan files have them."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        given = {name: value for name, value in values.items() if value is not None}
        return given | ({"array": json.loads(self.array)} if self.array is not None else {})


def array_text(array: Mapping[str, object] | str | Path | None) -> str | None:
    """Return an array as JSON: the mapping itself, or what a file or a shipped array says.

    Raises
    ------
    InputError
        If there is no such array, or its file cannot be read.
    """
    if array is None:
        return None
    if not isinstance(array, Mapping):
        from hypar_opt.instance.sources import read_array

        array = read_array(find_array(str(array)))
    try:
        return json.dumps(plain(array), sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise InputError(str(error), field="--array") from None


def weights_of(text: str) -> dict[str, Decimal | tuple[str, ...]]:
    """Return an objective in short: components, each with its weight or with 1, or `product:` and two of them.

    Raises
    ------
    InputError
        If a component is none, comes twice, or its weight is no number.
    """
    kind, colon, listed = text.partition(":")
    if colon:
        return _put_together(kind.strip(), [name.strip() for name in listed.split(",")])
    found: dict[str, Decimal | tuple[str, ...]] = {}
    for part in text.split(","):
        name, equals, weight = part.strip().partition("=")
        check_known((name,), "--objective")
        if name in found:
            raise InputError(f"{shown(name)} comes twice", field="--objective")
        try:
            found[name] = decimal(weight) if equals else Decimal(1)
        except (InvalidOperation, ValueError):
            raise InputError(f"expected a number, got {shown(weight)}", field=f"--objective {name}") from None
    return found


def _put_together(kind: str, names: list[str]) -> dict[str, Decimal | tuple[str, ...]]:
    kinds = (PRODUCT, LEXICOGRAPHIC)
    if kind not in kinds:
        hint = did_you_mean(kind, kinds)
        raise InputError(f"expected {' or '.join(kinds)} before ':', got {shown(kind)}{hint}", field="--objective")
    check_known(names, "--objective")
    return {kind: tuple(names)}
