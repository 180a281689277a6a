"""What a job is asked for, and its instance: one that would take parts from files is refused before any is opened."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, create_model, model_validator

from hypar_opt.formulation.registry import found
from hypar_opt.instance.fields import Name, Spec, refusal
from hypar_opt.instance.formats import Document, read_document
from hypar_opt.instance.overrides import OVERRIDES, Override
from hypar_opt.instance.read import load_for_report
from hypar_opt.instance.shipped import (
    shipped_arrays,
    shipped_axes,
    shipped_instances,
    shipped_operators,
    shipped_problems,
)
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import InputError, did_you_mean
from hypar_opt.web.job_files import INSTANCE, JOB, checked, is_regular, read_stored

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.read import Reported


MOST_FORMULATIONS = 20
LONGEST_OBJECTIVE = 300
"""Characters."""
MOST_ENTRIES = 100
"""Of any list or mapping; more would be complained of one by one, a million of them for seconds."""


def _positive(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise refusal(f"expected a number above 0, got {shown(value)}")
    return float(value)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise refusal(f"expected true or false, got {shown(value)}")
    return value


def _few(value: object) -> object:
    if isinstance(value, dict) and len(value) > MOST_ENTRIES:
        raise refusal(f"expected at most {MOST_ENTRIES} entries, got {len(value):,}")
    return value


Truth: TypeAlias = Annotated[bool, BeforeValidator(_truth)]


def _entry(one: Override) -> Any:
    """Return the type of what replaces a field."""
    if one.kind == "integer":
        return Annotated[int, Field(ge=one.least, le=one.most)]
    text = Annotated[str, Field(max_length=LONGEST_OBJECTIVE)]
    words = Annotated[dict[str, text], BeforeValidator(_few)]
    return Literal[one.choices] if one.choices else {"truth": Truth, "array": Name, "fix": words}.get(one.kind, text)


if TYPE_CHECKING:
    RequestOverrides: TypeAlias = Spec
else:
    RequestOverrides = create_model(
        "RequestOverrides",
        __base__=Spec,
        __doc__="What replaces fields of the instance, as the options of the command line do.",
        **{name: (_entry(one) | None, Field(None, description=one.help)) for name, one in OVERRIDES.items()},
    )


class LimitsSpec(Spec):
    """What the search may use; never more than the server's own limits."""

    time_s: Annotated[float | None, BeforeValidator(_positive)] = Field(
        None, description="seconds, of each formulation"
    )
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = Field(0, description="of solvers that take one")
    workers: Annotated[int, Field(ge=1, le=64)] = Field(2, description="threads of a solver")
    memory_gib: Annotated[float, BeforeValidator(_positive)] = Field(2.0, description="of the tables of joint-dp")


class Asked(Spec):
    """A job: an instance, by its text or by the name of a shipped one, and what is wanted of it."""

    instance: str | None = Field(None, description="the text of an instance file")
    shipped: Name | None = Field(None, description="the name of a shipped instance, where there is no text")
    formulations: Annotated[tuple[Name, ...], Field(strict=False, max_length=MOST_FORMULATIONS)] = Field(
        (), description="names; the default one where there is none"
    )
    overrides: RequestOverrides = Field(default_factory=RequestOverrides, description="what replaces fields")
    limits: LimitsSpec = Field(default_factory=LimitsSpec, description="what the search may use")
    start: str | None = Field(None, description="the text of a plan file to start from")
    certificate: Truth = Field(True, description="whether evidence of optimality is wanted, where there can be any")
    report: Truth = Field(False, description="whether a report is wanted")

    @model_validator(mode="after")
    def _one_instance(self) -> Asked:
        if (self.instance is None) == (self.shipped is None):
            raise refusal("expected either the text of an instance or the name of a shipped one", at="instance")
        return self


def offered_instances() -> dict[str, Path]:
    """Return the shipped instances that can be solved here, by name: networks, and problems that are none."""
    return {**shipped_instances(), **shipped_operators(), **shipped_problems()}


def offered_arrays() -> dict[str, Path]:
    """Return the shipped arrays, of links and of axes, by name."""
    return {**shipped_arrays(), **shipped_axes()}


def read_asked(data: object) -> Asked:
    """Check what a client asks for, names of shipped instances, arrays and formulations among it.

    Raises
    ------
    InputError
        If something is wrong; names the field and the nearest name.
    """
    if not isinstance(data, dict):
        raise InputError(f"expected a mapping, got {shown(data)}")
    for name, value in (("", data), *tuple(data.items())[:MOST_ENTRIES]):
        if isinstance(value, list | dict) and len(value) > MOST_ENTRIES:
            raise InputError(f"expected at most {MOST_ENTRIES} entries, got {len(value):,}", field=str(name) or None)
    asked = checked(data, Asked)
    _check_name(asked.shipped, offered_instances(), "shipped", "shipped instance")
    _check_name(asked.overrides.model_dump()["array"], offered_arrays(), "overrides.array", "shipped array")
    for position, name in enumerate(asked.formulations):
        _check_name(name, found(), f"formulations[{position}]", "formulation")
    return asked


def _check_name(name: str | None, known: Any, field: str, what: str) -> None:
    if name is not None and name not in known:
        raise InputError(f"no {what} is called {shown(name)}{did_you_mean(name, known)}", field=field)


def receive(path: Path, overrides: RequestOverrides) -> Reported:
    """Read a client's instance from the file that it was put into.

    Raises
    ------
    InputError
        If something is wrong, or it refers to a file.
    """
    _refuse_files(read_document(path))
    given = overrides.model_dump()
    array = given["array"]
    replaced = {**given, "array": None if array is None else offered_arrays()[array]}
    return load_for_report(path, **replaced)


def _refuse_files(document: Document) -> None:
    """Raise `InputError` where a document refers to a file: no path that a client gives is opened."""
    for part in ("network", "array"):
        value = document.data.get(part)
        _refuse(document, value, (part,))
        if isinstance(value, dict):
            _refuse(document, value.get("graph"), (part, "graph"))
            each = value.get("accelerator")
            _refuse(document, each, (part, "accelerator"))
            if isinstance(each, dict):
                _refuse(document, each.get("times"), (part, "accelerator", "times"))


def _refuse(document: Document, value: Any, path: FieldPath) -> None:
    if isinstance(value, dict) and "file" in value:
        what = f"no file can be named here, got {shown(value['file'])}; put what it says in its place"
        raise document.error(what, (*path, "file"))


def _with_instance(asked: object) -> object:
    return asked | {"instance": "in its file", "shipped": None} if isinstance(asked, dict) else asked


class Order(Spec):
    """A job's limits, and what is wanted; the texts that go with it are in files of their own."""

    memory: int = Field(ge=1, le=2**62, description="bytes")
    time_s: float = Field(gt=0, le=2**62, allow_inf_nan=False, description="seconds, in all")
    asked: Annotated[Asked, BeforeValidator(_with_instance)] = Field(description="what is wanted")


def read_order(folder: Path) -> Order:
    """Return what the worker of a folder is told to do.

    Raises
    ------
    InputError
        If that is damaged, there is no instance, or something else than files waits for the worker.
    """
    for path in (folder / INSTANCE, *(folder.iterdir() if folder.is_dir() else ())):
        if not is_regular(path):
            raise InputError("expected a regular file", file=path.name)
    return read_stored(folder / JOB, Order)
