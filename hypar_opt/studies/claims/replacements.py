"""What of an instance a claim replaces; plans, differences and commands as text."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Field, PlainValidator

from hypar_opt.instance.cost_schema import Accounting
from hypar_opt.instance.fields import Given, Size, Spec, refusal
from hypar_opt.instance.limits import MOST_LEVELS
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance import Instance, Overrides
    from hypar_opt.instance.read import InstanceFile


def _array(value: object) -> Mapping[str, Any] | str:
    if isinstance(value, Mapping) or (isinstance(value, str) and value):
        return value
    raise refusal(f"expected what stands under `array:` in an instance, or a file or shipped array, got {shown(value)}")


ArrayGiven: TypeAlias = Annotated[Mapping[str, Any] | str, PlainValidator(_array)]
"""An array as an instance has it, or where one is."""


class OverridesSpec(Spec):
    """What replaces fields of the instances that a claim is about."""

    accounting: Annotated[Accounting | None, Given] = Field(None, description=OVERRIDES["accounting"].help)
    batch: Annotated[Size | None, Given] = Field(None, description=OVERRIDES["batch"].help)
    levels: Annotated[Annotated[int, Field(ge=0, le=MOST_LEVELS)] | None, Given] = Field(
        None, description=OVERRIDES["levels"].help
    )
    array: Annotated[ArrayGiven | None, Given] = Field(None, description=OVERRIDES["array"].help)


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


@dataclass(frozen=True)
class Case:
    """An instance with the fields that a claim replaces.

    Parameters
    ----------
    given
        What the command line takes: a shipped name or a path.
    overrides
        What replaces the instance's fields.
    instance
        As read, overrides applied.
    array
        What `--array` takes; empty where the claim spells the array out, or leaves the instance's own.
    file
        Where the instance is from, for what a statement replaces besides; None where it is from no file.
    """

    given: str
    overrides: Overrides
    instance: Instance = field(compare=False)
    array: str = field(default="", compare=False)
    file: InstanceFile | None = field(default=None, compare=False, repr=False)

    @property
    def label(self) -> str:
        """Which problem, in short."""
        one = self.instance
        return f"{one.name}, {one.accounting}, batch {one.batch}, H = {one.levels}"

    @property
    def row(self) -> dict[str, Any]:
        """The same for machines."""
        one = self.instance
        return {"instance": one.name, "accounting": one.accounting, "batch": one.batch, "levels": one.levels}


_NO_LEVEL = '""'


def words_of(case: Case, strategies: Mapping[str, str] | None, others: str | None) -> dict[str, str]:
    """Return the word of every layer of which there is one."""
    given = strategies or {}
    names = case.instance.network.decision_names
    words = {name: given.get(name, others) for name in names}
    return {name: word for name, word in words.items() if word is not None}


def difference(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return both words of each layer in which the first plan, which may be a part of one, is unlike the other."""
    return {layer: (word, other[layer]) for layer, word in one.items() if other[layer] != word}


def worded(words: Mapping[str, str]) -> str:
    """Return words in a line, that of no level as a claims file has it."""
    return ", ".join(f"{layer} {word or _NO_LEVEL}" for layer, word in words.items())


def as_argument(path: Path | str) -> str:
    """Return a path as a command takes it: not as an option."""
    text = str(path)
    return f"./{text}" if text.startswith("-") else text


def solve_command(case: Case, formulation: str) -> str:
    """Return the command that solves a case; empty where an array is spelt out, which no option takes."""
    given = case.overrides.given() | ({"array": case.array} if case.array else {})
    if not isinstance(given.get("array", ""), str):
        return ""
    options = [text for name, value in given.items() for text in (OVERRIDES[name].option, str(value))]
    return shlex.join(["hypar-opt", "solve", case.given, "-f", formulation, *options])
