"""What `show` says of trees with shares, and their tables: a row a chunk, for machines a row a branch."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hypar_opt.report.collective.packing import chunk_rows, packing_document, packing_headline, show_packing
from hypar_opt.report.collective.ways import ways_of_trees
from hypar_opt.report.shown import Shown
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows
from hypar_opt.report.tables.table import label
from hypar_opt.solver.packing_problem import PackingProblem
from hypar_opt.verification.checks import read_judged

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.report.charts import Figure
    from hypar_opt.verification.claim import Claim


def of_packing(instance: CollectiveInstance, path: Path) -> Shown:
    """Return trees that bring a collective about, whatever their status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    problem = PackingProblem(instance)
    claim, plan, judged = read_judged(path, problem, problem.packed)

    def drawn() -> Figure:
        from hypar_opt.report.charts.collective_loads import loads_figure

        return loads_figure(judged, table=links_of_trees(judged))

    def trees() -> Figure:
        from hypar_opt.report.charts.collective_ways import ways_figure

        return ways_figure(ways_of_trees(judged))

    return Shown(
        partial(packing_document, problem, plan),
        lambda: packing_headline(problem, plan, judged).split("\n"),
        lambda to: show_packing(to, problem, plan),
        drawn,
        graph=trees,
        tables=partial(packing_tables, judged, claim),
    )


def packing_tables(judged: JudgedPacking, claim: Claim) -> TableDocument:
    """Return trees for papers and for scripts: people read how chunks are cut, data has a row a branch."""
    name = judged.instance.name
    cut = chunks_table(judged)
    shown = Table(f"plan-{label(name)}", f"Trees of {name}", cut.columns, cut.rows, (claim.said(),))
    return TableDocument("plan", branches_table(judged), (shown,), f"Trees of {name}")


def chunks_table(judged: JudgedPacking) -> Table:
    """Return a row a chunk: how many trees it goes by, and how much of it by each."""
    columns = (Column("chunk", "chunk"), Column("trees", "trees"), Column("shares", "shares"))
    return Table("trees", "Trees", columns, entry_rows(columns, [tuple(row.values()) for row in chunk_rows(judged)]))


def links_of_trees(judged: JudgedPacking) -> Table:
    """Return a row a direction of a link, the busiest first: how many chunks it carries, bytes and seconds."""
    columns = (
        Column("link", "link"),
        Column("chunks", "chunks"),
        Column("bytes", "bytes", "B"),
        Column("seconds", "busy", "s"),
    )
    most = sorted(judged.seconds_by_link.items(), key=lambda one: (-one[1], one[0]))
    rows: list[tuple[Any, ...]] = [
        (judged.instance.machine.path(hop), judged.carried[hop], judged.bytes_by_link[hop], seconds)
        for hop, seconds in most
    ]
    return Table("links", "Links", columns, entry_rows(columns, rows))


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
    return Table("branches", f"Branches of the trees of {instance.name}", columns, entry_rows(columns, rows))
