"""Certificates of networks of operators: the operators, what is charged where, messages without repetition, a plan."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import IO, TYPE_CHECKING, Any, Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from hypar_opt.cost.operators.domains import KEPT, SHARED
from hypar_opt.instance.fix import OPEN
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact
from hypar_opt.verification.certificate.header import LONGEST, require_same
from hypar_opt.verification.certificate.write import SCHEMA, write_messages

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.potentials import Message, Potentials
    from hypar_opt.instance.operators import Operand, Operator
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan

KIND: Final = "operators"
"""Of a certificate's problem."""


def operators_document(problem: OperatorProblem) -> dict[str, Any]:
    """Return what the checker needs to know of a problem; docs/certificates.md has the format."""
    instance = problem.instance
    places = {name: place for place, name in enumerate(instance.graph.tensors)}
    return {
        "kind": KIND,
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "overrides": json.loads(json.dumps(instance.overrides)),
        "batch": instance.batch,
        "accounting": instance.accounting,
        "axes": [{"name": axis.name, "size": axis.size} for axis in instance.partition.axes],
        "splits": instance.splits,
        "choices": None if instance.choices is None else list(instance.choices),
        "storages": list(instance.storages),
        "fix": {name: " ".join(OPEN if one is None else one for one in word) for name, word in instance.fix.items()},
        "objective": {COMMUNICATION: str(exact(problem.objective.weights[COMMUNICATION]))},
        "tensors": [
            {
                "name": one.name,
                "sizes": list(one.sizes),
                "role": one.role,
                "element_bytes": one.element_bytes,
                "has_gradient": one.has_gradient,
            }
            for one in instance.graph.tensors.values()
        ],
        "operators": [_operator(one, places) for one in instance.graph.operators],
    }


def _operator(one: Operator, places: Mapping[str, int]) -> dict[str, Any]:
    return {
        "name": one.name,
        "sizes": dict(one.sizes),
        "splits": list(one.splits),
        "is_cheap": one.is_cheap,
        "operands": [_operand(operand, places) for operand in one.operands],
        "output": {"tensor": places[one.output.tensor], "dims": list(one.output.dims)},
        "statistics": [
            {
                "dims": list(some.dims),
                "forward": some.forward,
                "backward": some.backward,
                "element_bytes": some.element_bytes,
            }
            for some in one.statistics
        ],
    }


def _operand(one: Operand, places: Mapping[str, int]) -> dict[str, Any]:
    return {
        "tensor": places[one.tensor],
        "dims": list(one.dims),
        "windows": {dim: asdict(window) for dim, window in one.windows.items()},
        "saved": one.saved,
        "is_added": one.is_added,
        "has_gradient": one.has_gradient,
    }


def bind_operators(header: Mapping[str, Any], problem: OperatorProblem, path: Path | str) -> None:
    """Check that a certificate is one of this problem.

    Raises
    ------
    InputError
        If it is not; names the first field that differs. Or if certificates do not cover what the problem asks for.
    """
    kind, other = header["problem"]["kind"], problem.uncertifiable
    if kind != KIND:
        message = f"is a certificate of a {kind.replace('-', ' ')}, this is a network of operators"
        raise InputError(message, file=path, field="problem.kind")
    if other is not None:
        raise InputError(f"is a certificate of another problem: {other}", file=path, field="problem.objective")
    require_same(header["problem"], operators_document(problem), path, LONGEST)


def write_operator_certificate(target: IO[bytes], problem: OperatorProblem, potentials: Potentials, plan: Plan) -> None:
    """Write the certificate of a plan.

    Parameters
    ----------
    target
        A binary file.
    problem
        What the plan solves.
    potentials
        Of the proof.
    plan
        Has strategies, and its objective is its bound.
    """
    messages, tables = _numbered(potentials.messages, _copying(problem))
    with ZipFile(target, "w", ZIP_STORED) as archive:
        digest = write_messages(archive, tables)
        header = {
            "schema": SCHEMA,
            "problem": operators_document(problem),
            "scale": 0,
            "arrays_sha256": digest,
            "clusters": [
                {"variables": one.variables, "unary": one.unary, "edges": one.edges} for one in potentials.clusters
            ],
            "messages": messages,
            "claim": {"bound": str(exact(plan.bound)), "plan": _words(plan)},
        }
        archive.writestr(ZipInfo("header.json"), json.dumps(header, separators=(",", ":")))


def _words(plan: Plan) -> dict[str, str]:
    """Return a plan's words and storages; what it keeps of maps costs nothing that would be charged here."""
    return {name: word for name, word in (plan.strategies or {}).items() if not name.endswith(KEPT)}


def _copying(problem: OperatorProblem) -> tuple[Array, ...]:
    """Return by variable its values that keep a copy of all that they read; others never cost less."""
    known: dict[int, Array] = {}
    found = []
    for domain in problem.compiled.domains:
        key = id(domain.values)
        if key not in known:
            known[key] = np.flatnonzero([SHARED not in value.kept for value in domain.values])
        found.append(known[key])
    return tuple(found)


def _numbered(messages: Sequence[Message], values: Sequence[Array]) -> tuple[list[dict[str, Any]], list[Array]]:
    """Return messages with numbers of tables, and these: their least entry is 0, and those that are equal are one.

    What all entries have in common is given and paid whatever the plan is. Without it equal blocks have equal messages.
    """
    numbers: dict[Hashable, int] = {}
    tables: list[Array] = []
    found = []
    for one in messages:
        table = one.values[np.ix_(*(values[x] for x in one.variables))]
        table = table - table.min()
        key = table.shape, table.tobytes() if table.dtype == np.int64 else tuple(table.reshape(-1).tolist())
        number = numbers.setdefault(key, len(tables))
        tables += [table] if number == len(tables) else []
        found.append({"from": one.source, "to": one.target, "variables": one.variables, "table": number})
    return found, tables
