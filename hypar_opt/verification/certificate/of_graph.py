"""Certificates of strategy graphs: the graph, a digest of it, who follows whom, messages and prices, and a plan."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import IO, TYPE_CHECKING, Any, Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from hypar_opt.costgraph import Array, Duals, Priced, Tables, offsets
from hypar_opt.costgraph.presolve import Reduction, lifted
from hypar_opt.costgraph.presolve.aggregation import Followers
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import in_full
from hypar_opt.verification.certificate.header import require_same
from hypar_opt.verification.certificate.write import SCHEMA, write_array

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.instance.strategy_graph import StrategyGraph
    from hypar_opt.solver.graph_problem import GraphProblem
    from hypar_opt.solver.plan import Plan


KIND: Final = "strategy-graph"
"""Of a certificate's problem."""


def graph_arrays(graph: StrategyGraph) -> dict[str, Array]:
    """Return a strategy graph as arrays of one dimension, by their names; docs/certificates.md has the format.

    Many edges have the same costs, which stand in `tables` once; `places` says where.
    """
    places, tables = _shared(graph)
    return {
        "intervals": graph.intervals.reshape(-1),
        "sizes": graph.sizes,
        "costs": graph.costs,
        "usages": graph.usages,
        "ends": graph.ends.reshape(-1),
        "places": places,
        "tables": tables,
    }


def _shared(graph: StrategyGraph) -> tuple[Array, Array]:
    """Return where every edge's costs begin among those that differ, and these."""
    found: dict[bytes, int] = {}
    places, size = np.zeros(graph.edges, dtype=np.int64), 0
    for edge, (start, end) in enumerate(pairwise(graph.edge_starts.tolist())):
        content = graph.edge_costs[start:end].tobytes()
        places[edge] = found.setdefault(content, size)
        size += end - start if places[edge] == size else 0
    return places, np.frombuffer(b"".join(found), dtype=np.int64)


def digest_of(arrays: Mapping[str, Array]) -> str:
    """Return the SHA-256 of arrays, each with its name and length before it."""
    digest = hashlib.sha256()
    for name, values in arrays.items():
        digest.update(f"{name} {len(values)}\n".encode())
        digest.update(values.astype("<i8").tobytes())
    return digest.hexdigest()


def graph_document(graph: StrategyGraph, arrays: Mapping[str, Array]) -> dict[str, Any]:
    """Return what a certificate's header says of its problem.

    Parameters
    ----------
    arrays
        The graph's.
    """
    return {
        "kind": KIND,
        "instance": graph.name,
        "instance_sha256": graph.sha256,
        "overrides": {},
        "usage_limit": graph.usage_limit,
        "arrays_sha256": digest_of(arrays),
    }


def bind_graph(header: Mapping[str, Any], graph: StrategyGraph, path: Path | str) -> None:
    """Check that a certificate is one of this strategy graph.

    Raises
    ------
    InputError
        If it is not; names the first field that differs.
    """
    require_same(header["problem"], graph_document(graph, graph_arrays(graph)), path, sys.maxsize)


@dataclass(frozen=True, eq=False)
class Leaders:
    """Tables of the nodes that follow none, and prices of theirs.

    Parameters
    ----------
    tables, duals
        Of one another; a variable has its node's strategies.
    nodes
        By variable, the node; in ascending order.
    ties
        Leaders and nodes that follow them: whenever it is a node's turn, an edge joins the two, once those that had
        their turn before are merged with their leaders; shape (ties, 2).
    """

    tables: Tables
    duals: Duals
    nodes: Array
    ties: Array


def leaders_of(reduction: Reduction, duals: Duals) -> Leaders:
    """Return the leaders, and prices of the reduced tables as prices of theirs, whose bound is no lower.

    Raises
    ------
    Refusal
        If presolve made a step behind which there are none.
    """
    try:
        duals = lifted(reduction, duals)
    except (NotImplementedError, ValueError) as error:
        why = str(error) or "presolve went further than prices can follow"
        raise Refusal(f"the bound cannot be carried back to the graph: {why}; try --no-presolve") from None
    first = reduction.steps[0] if reduction.liftable else None
    if not isinstance(first, Followers):
        return Leaders(reduction.leaders, duals, np.arange(reduction.original.count), np.zeros((0, 2), np.int64))
    return Leaders(reduction.leaders, duals, first.variables, _ties(first))


def _ties(merged: Followers) -> Array:
    """Return all who follow, each behind its parent, with their leaders."""
    roots = np.flatnonzero(merged.parents < 0)
    following = np.argsort(_depths(merged.parents), kind="stable")[len(roots) :]
    return np.stack([roots[merged.leaders[following]], following], axis=1)


def _depths(parents: Array) -> Array:
    """Return by variable how many it follows: its parent, its parent's parent and so on."""
    depths, above = np.zeros_like(parents), parents
    while (follows := above >= 0).any():
        depths += follows
        above = np.where(follows, parents[above], -1)
    return depths


def write_graph_certificate(target: IO[bytes], problem: GraphProblem, duals: Duals, plan: Plan) -> None:
    """Write the certificate of a bound and of a plan, which may cost more.

    Parameters
    ----------
    target
        A binary file.
    problem
        What the plan solves.
    duals
        Of the tables that formulations are given.
    plan
        Has strategies.

    Raises
    ------
    Refusal
        If presolve made a step behind which the bound cannot be carried back.
    """
    leaders = leaders_of(problem.reduction, duals)
    graph = graph_arrays(problem.instance)
    chosen = np.array(problem.choices(plan.strategies or {}), dtype=np.int64)
    proof = proof_arrays(leaders) | {"plan": chosen}
    header = {
        "schema": SCHEMA,
        "problem": graph_document(problem.instance, graph),
        "scale": leaders.duals.scale,
        "arrays_sha256": digest_of(proof),
        "claim": _claim(plan, ceil(Priced(leaders.tables, leaders.duals).bound)),
    }
    with ZipFile(target, "w", ZIP_STORED) as archive:
        archive.writestr(ZipInfo("header.json"), json.dumps(header))
        for name, values in (graph | proof).items():
            write_array(archive, name, "<i8", values.shape, [values.astype("<i8").tobytes()])


def proof_arrays(leaders: Leaders) -> dict[str, Array]:
    """Return ties, messages and prices as arrays of one dimension; what says nothing is left out."""
    tables, duals = leaders.tables, leaders.duals
    first, second = (offsets(tables.edge_sizes[:, side]).tolist() for side in (0, 1))
    links, messages = [], [np.zeros(0, dtype=np.int64)]
    for edge, ends in enumerate(leaders.nodes[tables.ends].reshape(-1, 2).tolist()):
        both = duals.first[first[edge] : first[edge + 1]], duals.second[second[edge] : second[edge + 1]]
        if both[0].any() or both[1].any():
            links.append(ends)
            messages += both
    rows = np.flatnonzero(duals.prices)
    return {
        "ties": leaders.ties.reshape(-1),
        "links": np.array(links, dtype=np.int64).reshape(-1),
        "messages": np.concatenate(messages),
        "prices": np.stack([tables.memory.moments[rows], duals.prices[rows]], axis=1).reshape(-1),
    }


def _claim(plan: Plan, bound: int) -> dict[str, Any]:
    """Return what is claimed, and who says what lies beyond it."""
    cost = int(plan.objective or 0)
    return {
        "proves": "optimality" if bound == cost else "bound",
        "bound": str(bound),
        "cost": str(cost),
        "rests_on": _beyond(plan, bound),
    }


def _beyond(plan: Plan, bound: int) -> str:
    """Return what a plan claims beyond a bound, and whose word that is; nothing if nothing."""
    word = f"the solver's word: {plan.formulation}"
    if plan.status is Status.OPTIMAL:
        return f"{word}, that the plan is optimal" if bound < (plan.objective or 0) else ""
    return "" if plan.bound is None or plan.bound <= bound else f"{word}, the bound {in_full(plan.bound)}"
