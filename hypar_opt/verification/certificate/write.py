"""Writing certificates: a header as JSON, the messages as one array, stored in a zip archive."""

from __future__ import annotations

import hashlib
import json
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from hypar_opt.util.numbers import exact
from hypar_opt.verification.certificate.header import problem_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan

SCHEMA = "hypar-opt/certificate/1"
WIDEST = np.iinfo(np.int64)


def write_certificate(target: IO[bytes], problem: NetworkProblem, potentials: Potentials, plan: Plan) -> None:
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
    with ZipFile(target, "w", ZIP_STORED) as archive:
        digest = write_messages(archive, [message.values for message in potentials.messages])
        header = header_document(problem, potentials, plan) | {"arrays_sha256": digest}
        archive.writestr(ZipInfo("header.json"), json.dumps(header))


def header_document(problem: NetworkProblem, potentials: Potentials, plan: Plan) -> dict[str, Any]:
    """Return the header but for the digest; docs/certificates.md has the format."""
    boundaries: dict[tuple[int, int], list[int]] = {}
    for number, edge in enumerate(problem.work.boundaries):
        pair = min(edge.producer, edge.reader), max(edge.producer, edge.reader)
        boundaries.setdefault(pair, []).append(number)
    denominator = problem.graph.objective.denominator
    return {
        "schema": SCHEMA,
        "problem": problem_document(problem),
        "scale": (denominator & -denominator).bit_length() - 1,
        "clusters": [
            {
                "kind": cluster.kind,
                "variables": list(cluster.variables),
                "unary": list(cluster.unary),
                "edges": [number for pair in cluster.edges for number in boundaries[pair]],
            }
            for cluster in potentials.clusters
        ],
        "messages": [
            {"from": message.source, "to": message.target, "variables": list(message.variables)}
            for message in potentials.messages
        ],
        "multipliers": [str(number) for number in potentials.multipliers],
        "claim": {"bound": str(exact(plan.bound)), "plan": dict(plan.strategies or {})},
    }


def write_messages(archive: ZipFile, tables: list[Array]) -> str:
    """Write all entries one after the other; return the digest of their bytes."""
    count = sum(table.size for table in tables)
    width = max((_width(table) for table in tables), default=8)
    shape, dtype = ((count,), "<i8") if width == 8 else ((count, width), "|u1")
    return write_array(archive, "messages", dtype, shape, (_content(table, width) for table in tables))


def write_array(archive: ZipFile, name: str, dtype: str, shape: tuple[int, ...], contents: Iterable[bytes]) -> str:
    """Write an array as a member, given by its bytes part by part; return their digest."""
    digest = hashlib.sha256()
    with archive.open(ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
        np.lib.format.write_array_header_1_0(member, {"descr": dtype, "fortran_order": False, "shape": shape})
        for content in contents:
            digest.update(content)
            member.write(content)
    return digest.hexdigest()


def _width(table: Array) -> int:
    """Return the bytes that an entry takes: 8, or more where one does not fit."""
    if table.dtype != object or not table.size:
        return 8
    least, most = int(table.min()), int(table.max())
    return max(8, (max(most, ~least).bit_length() + 8) // 8)


def _content(table: Array, width: int) -> bytes:
    """Return a table's entries in C order, little-endian."""
    if width == 8:
        return table.astype("<i8").tobytes()
    return b"".join(int(entry).to_bytes(width, "little", signed=True) for entry in table.reshape(-1))
