"""Trees with shares as tables: how chunks are cut, what links carry, and for machines a row a branch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.collective.packing import chunk_rows
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows
from hypar_opt.report.tables.table import label

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.verification.claim import Claim


def packing_tables(judged: JudgedPacking, claim: Claim) -> TableDocument:
    """Return trees for papers and for scripts: people read how chunks are cut, data has a row a branch."""
    name, found = judged.instance.name, trees_table(judged)
    said = f"Its file says {claim.status} by {claim.formulation}; hypar-opt verify decides that"
    shown = Table(f"plan-{label(name)}", f"Trees of {name}", found.columns, found.rows, (said,))
    return TableDocument("plan", branches_table(judged), (shown,), f"Trees of {name}")


def branches_table(judged: JudgedPacking) -> Table:
    """Return a row a branch of a tree; trees are numbered within their chunk, from 1."""
    instance = judged.instance
    columns = (
        Column("chunk", "chunk"),
        Column("tree", "tree"),
        Column("share", "share"),
        Column("route", "route"),
        Column("adds", "adds"),
    )
    trees: dict[int, int] = {}
    rows: list[tuple[Any, ...]] = []
    for one in judged.packing.shares:
        number = trees[one.chunk] = trees.get(one.chunk, 0) + 1
        name = instance.chunks[one.chunk].name
        rows += [
            (name, number, one.share, instance.machine.path(route), "yes" if adds else "no")
            for route, adds in one.branches
        ]
    return Table("plan", f"Branches of the trees of {instance.name}", columns, entry_rows(columns, rows))


def trees_table(judged: JudgedPacking) -> Table:
    """Return a row a chunk: its trees, and their shares."""
    columns = (Column("chunk", "chunk"), Column("trees", "trees"), Column("shares", "shares"))
    rows = [tuple(row.values()) for row in chunk_rows(judged)]
    return Table("trees", f"Trees of {judged.instance.name}", columns, entry_rows(columns, rows))


def packing_links_table(judged: JudgedPacking) -> Table:
    """Return a row a direction of a link, the busiest first: its bytes, and the seconds that these take."""
    columns = (Column("link", "link"), Column("bytes", "bytes", "B"), Column("seconds", "time", "s", digits=4))
    most = sorted(judged.seconds_by_link.items(), key=lambda one: (-one[1], one[0]))
    rows: list[tuple[Any, ...]] = [
        (judged.instance.machine.path(hop), judged.bytes_by_link[hop], seconds) for hop, seconds in most
    ]
    return Table("links", "Links", columns, entry_rows(columns, rows))
