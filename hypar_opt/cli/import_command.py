"""hypar-opt import."""

from __future__ import annotations

from pathlib import Path

import click

from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import Wanted, check_graph_file, output_options, path_option
from hypar_opt.cli.progress import showing
from hypar_opt.instance.formats import FORMATS, file_of

KINDS = [one.name for one in FORMATS.values() if one.holds == "strategy graph"]
EPILOG = epilog(
    "hypar-opt import iopddl asplos-2025-iopddl-A.json.gz",
    "hypar-opt import iopddl model.json.gz -o model.json",
    "hypar-opt solve model.json                     # solve, compare and verify read such files themselves",
    codes={0: "read", 2: BAD_INPUT},
)


@click.command("import", epilog=EPILOG)
@click.argument("kind", type=click.Choice(KINDS), metavar="|".join(KINDS))
@click.argument("file", type=click.Path(path_type=Path))
@path_option("-o", "--output", metavar="OUT", help="Write it anew: .json or .json.gz.")
@output_options
def command(kind: str, file: Path, output: Path | None, wanted: Wanted) -> None:
    """Read and check the strategy graph of FILE, compressed by gzip or not, and say what presolve leaves of it.

    The format is that of the ASPLOS 2025 contest on intra-operator parallelism (iopddl): nodes with strategies,
    costs of strategies and of pairs of them, and a limit on the memory that is in use at any time.
    """
    from hypar_opt.instance.strategy_graph.write import write_strategy_graph
    from hypar_opt.report.strategy_graph import graph_document, show_graph
    from hypar_opt.solver.graph_problem import GraphProblem

    if output is not None:
        check_graph_file(output)
        check_apart({"--output": output}, file)
    with showing(f"reading {file.name}", wanted) as state:
        problem = GraphProblem(FORMATS[kind].read(file_of(file)))
        problem.tables  # noqa: B018 - which refuses what no sum of 64 bits holds, before anything is written
        if output is not None:
            state.doing("writing")
            write_strategy_graph(problem.instance, output)
        state.doing("presolving")
        document = {} if wanted.quiet and not wanted.machine else graph_document(problem)
    if wanted.machine or not wanted.quiet:
        show_result(wanted, dict, show_graph, document)
