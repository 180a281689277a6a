"""Where plans are read from: files of plans, and points of files of fronts, as in `front.json#6`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from hypar_opt.instance.faults import checked
from hypar_opt.instance.formats import Document, read_document
from hypar_opt.instance.text import shown
from hypar_opt.solver.front_file import SCHEMA, FrontSpec
from hypar_opt.solver.plan_file import AnyPlanSpec, plan_fields
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.text import FieldPath


@dataclass(frozen=True)
class PlanSource:
    """A plan that was read, and where it stands.

    Parameters
    ----------
    document
        The file's text; its path is as it was given, with the number of the point.
    fields
        Of the plan.
    at
        Where in the file the plan is.
    criteria
        The components of the front that it is a point of, if it is one.
    """

    document: Document
    fields: dict[str, Any]
    at: FieldPath = ()
    criteria: tuple[str, ...] = ()

    def error(self, message: str, field: str | None) -> InputError:
        """Return the error of one of the plan's fields, with its line."""
        return self.document.error(message, (*self.at, field or ""))


def read_plan(path: Path) -> PlanSource:
    """Read a plan's file, or a point of a front's: the file's name, '#' and a number from 1.

    Raises
    ------
    InputError
        If it is no plan file, or there is no such point; names the file, line and field.
    """
    place = _split(path)
    if place is None:
        document = read_document(path, "plan")
        return PlanSource(document, plan_fields(document))
    return _read_point(*place, path)


def read_start(path: Path) -> tuple[dict[str, str], tuple[str, ...] | None]:
    """Return the strategies of a plan, by layer, and its placement if it has one; a plan file needs no more than that.

    Raises
    ------
    InputError
        If the file is not a plan file of this schema, or holds no plan.
    """
    place = _split(path)
    if place is not None:
        fields = _read_point(*place, path).fields
        return fields["strategies"], fields["placement"]
    data = read_document(path, "plan").data
    (schema,) = get_args(AnyPlanSpec.model_fields["schema_version"].annotation)
    if data.get("schema") != schema:
        raise InputError(f"expected '{schema}', got {shown(data.get('schema'))}", file=path, field="schema")
    plan = data.get("plan")
    if not isinstance(plan, dict) or not (_of_layers(plan) or _of_nodes(plan)):
        raise InputError("expected a strategy for every layer", file=path, field="plan")
    words = {name: str(word) for name, word in plan.items()}
    placement = data.get("placement")
    if placement is None:
        return words, None
    if not isinstance(placement, list) or not all(isinstance(name, str) for name in placement):
        raise InputError("expected an accelerator for every leaf", file=path, field="placement")
    return words, tuple(placement)


def read_front(path: Path) -> FrontSpec:
    """Read a front's file.

    Raises
    ------
    InputError
        If it is none; names the file, line and field.
    """
    document = read_document(path, "front")
    return checked(FrontSpec, document.data, document.error)


def _split(path: Path) -> tuple[Path, str] | None:
    """Return a front's file and the number of a point, as text; None where the whole name is a file's.

    So it is if there is such a file, and if what '#' ends is no file and what follows no number: the fault is then
    that there is none of the whole name.
    """
    name, mark, number = path.name.rpartition("#")
    if not mark or not name or path.exists():
        return None
    file = path.with_name(name)
    return (file, number) if number.isdecimal() or file.exists() else None


def _read_point(file: Path, number: str, path: Path) -> PlanSource:
    document = read_document(file)
    if document.data.get("schema") != SCHEMA:
        said = shown(document.data.get("schema"))
        raise InputError(
            f"expected '{SCHEMA}' in front of '#{number}', got {said}; a plan's file has no points",
            file=file, field="schema",
        )  # fmt: skip
    front = checked(FrontSpec, document.data, document.error)
    count = len(front.points)
    expected = f"the number of a point after '#', from 1 to {count:,}" if count else "a front with points"
    if not (number.isascii() and number.isdecimal()) or not 1 <= _number(number) <= count:
        raise InputError(f"expected {expected}, got {shown(number)}", file=file, field="points")
    at = _number(number)
    return PlanSource(replace(document, path=path), front.fields_of(at), ("points", at - 1), tuple(front.components))


def _number(digits: str) -> int:
    """Return a number that is not larger than any front's, however long it is written."""
    return int(digits) if len(digits) < 20 else 10**20


def _of_layers(plan: Mapping[str, object]) -> bool:
    return all(isinstance(word, str) for word in plan.values())


def _of_nodes(plan: Mapping[str, object]) -> bool:
    return all(name.isdecimal() and type(index) is int for name, index in plan.items())
