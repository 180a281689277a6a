"""Plan files: a plan as JSON, and the strategies of one read back."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.components import COMMUNICATION, COMPONENTS, HOP_BYTES, SECONDS, TOTAL
from hypar_opt.errors import InputError
from hypar_opt.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.plan import Plan

SCHEMA = "hypar-opt/plan/1"
FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {HOP_BYTES: "hop_bytes"}
    | {
        name: f"{name.replace('-', '_')}_{'s' if name in SECONDS else 'J'}"
        for name in COMPONENTS
        if name not in (COMMUNICATION, HOP_BYTES)
    }
)
"""By component, the field of a plan's cost."""


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the plan as a plan file has it."""
    splits = {"unbuildable": list(plan.unbuildable), "uneven": list(plan.uneven)}
    placed = {} if plan.placement is None else {"placement": list(plan.placement), "decided": plan.decided}
    return {
        "schema": SCHEMA,
        "instance": plan.instance,
        "instance_sha256": plan.instance_sha256,
        "formulation": plan.formulation,
        "status": plan.status.value,
        "native_status": plan.native_status,
        "note": plan.note,
        "cost": _cost(plan),
        "objective": exact(plan.objective),
        "bound": exact(plan.bound),
        "plan": _strategies(plan),
        **placed,
        **{name: found for name, found in splits.items() if found},
        "runtime_s": round(plan.runtime_s, 6),
        "statistics": dict(plan.statistics),
        "versions": dict(plan.versions),
        "seed": plan.seed,
        "overrides": dict(plan.overrides),
    }


def _strategies(plan: Plan) -> dict[str, Any] | None:
    """Return words by layer, or the indices of strategies by node."""
    if plan.strategies is None:
        return None
    return {node: int(text) for node, text in plan.strategies.items()} if TOTAL in plan.costs else dict(plan.strategies)


def _cost(plan: Plan) -> dict[str, int | str | None] | None:
    if TOTAL in plan.costs:
        return {TOTAL: exact(plan.costs[TOTAL])}
    if plan.communication_bytes is None:
        return None
    placed = {FIELDS[name]: exact(cost) for name, cost in plan.costs.items() if name in FIELDS}
    return {"communication_bytes": exact(plan.communication_bytes), **placed}


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


def read_start(path: Path) -> tuple[dict[str, str], tuple[str, ...] | None]:
    """Return the strategies of a plan file, by layer, and its placement if it has one.

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
    if not isinstance(plan, dict) or not (_of_layers(plan) or _of_nodes(plan)):
        raise InputError("expected a strategy for every layer", file=path, field="plan")
    words = {name: str(word) for name, word in plan.items()}
    placement = data.get("placement")
    if placement is None:
        return words, None
    if not isinstance(placement, list) or not all(isinstance(name, str) for name in placement):
        raise InputError("expected an accelerator for every leaf", file=path, field="placement")
    return words, tuple(placement)


def _of_layers(plan: Mapping[str, object]) -> bool:
    return all(isinstance(word, str) for word in plan.values())


def _of_nodes(plan: Mapping[str, object]) -> bool:
    return all(name.isdecimal() and type(index) is int for name, index in plan.items())
