"""hypar-opt export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Wanted, check_graph_file, output_options, override_options, path_option
from hypar_opt.cli.progress import showing

if TYPE_CHECKING:
    from pathlib import Path


EPILOG = epilog(
    "hypar-opt export lenet-c -o lenet-c.json",
    "hypar-opt export vgg-e --levels 6 --accounting receiver -o vgg-e.json.gz",
    "hypar-opt solve lenet-c.json                   # the same optimum as lenet-c",
    codes={0: "written", 2: "bad input, or tables too large to be written so"},
)


@click.command("export", epilog=EPILOG)
@click.argument("instance", shell_complete=words.instances)
@override_options
@path_option("-o", "--output", metavar="FILE", required=True, help="Ends in .json or .json.gz.")
@output_options
def command(instance: str, output: Path, wanted: Wanted, **overrides: Any) -> None:
    """Write INSTANCE as a strategy graph, for solvers of those: the format of the ASPLOS 2025 contest.

    Every layer becomes a node, every word over its choices a strategy, every pair of words of two neighbours an entry.
    """
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.instance.read import load_any_instance
    from hypar_opt.instance.strategy_graph.write import write_strategy_graph
    from hypar_opt.report.strategy_graph import size_of
    from hypar_opt.solver.export import strategy_graph_of
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.operator_problem import OperatorProblem

    check_graph_file(output)
    check_apart({"--output": output}, instance, overrides["array"])
    one = load_any_instance(instance, **overrides)
    problem = OperatorProblem(one) if isinstance(one, OperatorInstance) else NetworkProblem(one)
    with showing(f"exporting {instance}", wanted):
        graph = strategy_graph_of(problem)
        write_strategy_graph(graph, output)
    size = size_of(graph)
    if wanted.machine:
        echo_document({"name": graph.name, "file": str(output), **size}, wanted)
    elif not wanted.quiet:
        counts = ", ".join(f"{what} {number:,}" for what, number in size.items())
        click.echo(f"{graph.name}: {counts}; written to {output}")
