"""Plan files: a plan as JSON, and the strategies of one read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypar_opt.errors import InputError
from hypar_opt.files import write_atomically

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.plan import Plan

SCHEMA = "hypar-opt/plan/1"


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the plan as interface.md's plan file has it."""
    cost = None if plan.communication_bytes is None else {"communication_bytes": exact(plan.communication_bytes)}
    return {
        "schema": SCHEMA,
        "instance": plan.instance,
        "instance_sha256": plan.instance_sha256,
        "formulation": plan.formulation,
        "status": plan.status.value,
        "native_status": plan.native_status,
        "note": plan.note,
        "cost": cost,
        "objective": exact(plan.objective),
        "bound": exact(plan.bound),
        "plan": None if plan.strategies is None else dict(plan.strategies),
        "runtime_s": round(plan.runtime_s, 6),
        "statistics": dict(plan.statistics),
        "versions": dict(plan.versions),
        "seed": plan.seed,
        "overrides": dict(plan.overrides),
    }


def exact(value: int | Fraction | None) -> int | str | None:
    """Return an integer where the value is one, else the exact decimal (or fraction) as text."""
    if value is None:
        return None
    if value.denominator == 1:
        return value.numerator
    places = 0
    while (10**places) % value.denominator:
        places += 1
        if places > 40:
            return str(value)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def in_full(count: int | Fraction | None) -> str:
    """Return a count with all its digits, in groups of three."""
    text = str(exact(count))
    if count is None:
        return "nothing"
    number, dot, rest = text.partition(".")
    return f"{int(number):,}{dot}{rest}" if "/" not in text else text


def write_plan(plan: Plan, path: Path) -> None:
    """Write a plan file atomically."""
    write_atomically(path, json.dumps(plan_document(plan), indent=1) + "\n")


def read_strategies(path: Path) -> dict[str, str]:
    """Return the strategies of a plan file, by layer.

    Raises
    ------
    InputError
        If the file is not a plan file of this schema, or holds no plan.
    """
    from hypar_opt.instance.document import read_document

    data = read_document(path).data
    if data.get("schema") != SCHEMA:
        raise InputError(f"expected '{SCHEMA}', got {data.get('schema')!r}", file=path, field="schema")
    plan = data.get("plan")
    if not isinstance(plan, dict) or not all(isinstance(word, str) for word in plan.values()):
        raise InputError("expected a strategy for every layer", file=path, field="plan")
    return dict(plan)
