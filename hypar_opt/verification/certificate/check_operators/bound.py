"""What messages between clusters of variables prove: that no plan costs less than the clusters' least sums together."""

from __future__ import annotations

from collections import defaultdict
from math import prod
from reprlib import repr as short
from typing import TYPE_CHECKING, Any, TypeAlias

from .archive import expect
from .exact import ExactTable, dtype_of, least

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .archive import Array
    from .costs import Costs

Given: TypeAlias = tuple[tuple[int, ...], int, int]
"""Variables, the number of a table, and 1 where it is given to the cluster, -1 where it is paid."""


def check_clusters(header: Mapping[str, Any], costs: Costs) -> None:
    """Check what the bound rests on: that every cost is charged once, and that messages are between two clusters."""
    count, pairs = len(costs.variables.names), costs.pairs
    clusters = [set(one["variables"]) for one in header["clusters"]]
    charged: dict[str, list[Any]] = {"unary": [], "edges": []}
    for number, one in enumerate(header["clusters"]):
        where, own = f"header.json: clusters[{number}]", clusters[number]
        is_so = 0 < len(own) == len(one["variables"]) <= 32 and max(own) < count  # NumPy has no more axes
        expect(is_so, f"{where}: variables: expected 1 to 32 different ones of {count}, got {short(one['variables'])}")
        edges = [tuple(pair) for pair in one["edges"]]
        is_so = pairs.issuperset(edges) and own.issuperset(one["unary"]) and all(own.issuperset(pair) for pair in edges)
        expect(is_so, f"{where}: expected costs of its variables only")
        charged["unary"] += one["unary"]
        charged["edges"] += edges
    for kind, known in (("unary", [*range(count)]), ("edges", sorted(pairs))):
        text = f"header.json: clusters: {kind}: expected each of {len(known)} once in all"
        expect(sorted(charged[kind]) == known, text)
    first = 0
    for number, one in enumerate(header["messages"]):
        where, scope = f"header.json: messages[{number}]", one["variables"]
        low, high = sorted((one["from"], one["to"]))
        is_so = first <= low < high < len(clusters)
        expect(is_so, f"{where}: expected two clusters, and messages ordered by the first")
        is_so = len(set(scope)) == len(scope) and (clusters[low] & clusters[high]).issuperset(scope)
        expect(is_so, f"{where}: variables: expected different ones that both clusters have, got {short(scope)}")
        first = low


def table_shapes(header: Mapping[str, Any], costs: Costs) -> list[list[int]]:
    """Return the shape of every table of messages, which are numbered in the order in which messages name them."""
    found: list[list[int]] = []
    for number, one in enumerate(header["messages"]):
        shape = [costs.variables.domains[x].size for x in one["variables"]]
        dtype_of(prod(shape), 0)  # whether there is room
        where = f"header.json: messages[{number}]: table"
        expect(one["table"] <= len(found), f"{where}: expected at most {len(found)}, as tables are named in order")
        found += [shape] if one["table"] == len(found) else []
        expect(found[one["table"]] == shape, f"{where}: is of shape {found[one['table']]}, expected {shape}")
    return found


def bound(header: Mapping[str, Any], costs: Costs, shapes: Sequence[Sequence[int]], raw: Iterator[Array]) -> int:
    """Return the sum of the clusters' least sums, in units of the costs; of clusters that are alike it is known.

    Parameters
    ----------
    header
        With clusters and messages.
    costs
        What is charged.
    shapes, raw
        Of the tables of messages, and their entries; they are read when the first cluster needs them, and dropped
        behind the last.
    """
    messages, found = header["messages"][::-1], 0
    last: dict[int, int] = {}
    for one in messages:
        last[one["table"]] = max(last.get(one["table"], 0), one["from"], one["to"])
    dropped = defaultdict[int, list[int]](list)
    for table, behind in last.items():
        dropped[behind].append(table)
    tables: dict[int, ExactTable] = {}
    waiting = defaultdict[int, list[Given]](list)
    known: dict[Any, int] = {}
    for number, cluster in enumerate(header["clusters"]):
        while messages and number == min(messages[-1]["from"], messages[-1]["to"]):
            one = messages.pop()
            table, scope = one["table"], tuple(one["variables"])
            if table not in tables:
                tables[table] = ExactTable.of(next(raw).reshape(shapes[table]))
            waiting[one["from"]].append((scope, table, -1))
            waiting[one["to"]].append((scope, table, 1))
        found += _least(cluster, waiting.pop(number, []), costs, tables, known)
        for table in dropped[number]:
            del tables[table]
    return found


def _least(
    cluster: Mapping[str, Any],
    given: Sequence[Given],
    costs: Costs,
    tables: Mapping[int, ExactTable],
    known: dict[Any, int],
) -> int:
    """Return a cluster's least sum."""
    axis = {x: place for place, x in enumerate(cluster["variables"])}
    sizes = [costs.variables.domains[x].size for x in axis]
    charged: list[tuple[tuple[int, ...], ExactTable]] = [((axis[x],), costs.own(x)) for x in cluster["unary"]]
    charged += [((axis[i], axis[j]), costs.pair(i, j)) for i, j in cluster["edges"]]
    got = [(tuple(axis[x] for x in scope), table, sign) for scope, table, sign in given]
    # Costs of what is alike are one object, which is kept; a message's table keeps its number.
    key = tuple(sizes), tuple(sorted((axes, id(table)) for axes, table in charged)), tuple(sorted(got))
    if key not in known:
        moved = [(axes, tables[table].times(sign)) for axes, table, sign in got]
        known[key] = least(sizes, [*charged, *moved], costs.room)
    return known[key]
