"""What of an instance a claim replaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

from pydantic import Field, PlainValidator

from hypar_opt.instance.cost_schema import Accounting
from hypar_opt.instance.fields import Given, Size, Spec, refusal
from hypar_opt.instance.limits import MOST_LEVELS
from hypar_opt.instance.wording import shown


def _array(value: object) -> Mapping[str, Any] | str:
    if isinstance(value, Mapping) or (isinstance(value, str) and value):
        return value
    raise refusal(f"expected what stands under `array:` in an instance, or a file or shipped array, got {shown(value)}")


ArrayGiven: TypeAlias = Annotated[Mapping[str, Any] | str, PlainValidator(_array)]
"""An array as an instance has it, or where one is."""


class OverridesSpec(Spec):
    """What replaces fields of the instances that a claim is about."""

    accounting: Annotated[Accounting | None, Given] = Field(None, description="replaces cost.accounting")
    batch: Annotated[Size | None, Given] = Field(None, description="replaces batch")
    levels: Annotated[Annotated[int, Field(ge=0, le=MOST_LEVELS)] | None, Given] = Field(
        None, description="replaces array.levels, after array"
    )
    array: Annotated[ArrayGiven | None, Given] = Field(
        None, description="replaces array: what stands there in an instance, or a file or shipped array"
    )


@dataclass(frozen=True)
class Reading:
    """What a statement replaces, after the claim's own overrides; None leaves a field as it is.

    Parameters
    ----------
    fields
        As the overrides of a claim.
    objective
        As on the command line.
    place
        The field of the statement that says so; empty where all of it does.
    """

    fields: OverridesSpec = field(default_factory=OverridesSpec)
    objective: str | None = None
    place: str = ""

    def over(self, own: OverridesSpec) -> OverridesSpec:
        """Return both: what this replaces, else what the claim's own overrides do."""
        return own.model_copy(update={name: getattr(self.fields, name) for name in self.fields.model_fields_set})


def under(accounting: Accounting | None) -> Reading:
    """Return the reading of an accounting; of None the claim's own."""
    return Reading() if accounting is None else Reading(OverridesSpec(accounting=accounting))
