"""hypar-opt export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Wanted, check_graph_file, output_options, override_options, path_option
from hypar_opt.cli.plan_exports import NAMES, TO_HELP, export_plan
from hypar_opt.cli.progress import showing
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.util.errors import InputError

GRAPH = "strategy-graph"
"""What an instance is exported to without a plan."""
EPILOG = epilog(
    "hypar-opt export lenet-c -o lenet-c.json",
    "hypar-opt export vgg-e --levels 6 --accounting receiver -o vgg-e.json.gz",
    "hypar-opt solve lenet-c.json                   # the same optimum as lenet-c",
    "hypar-opt solve gpt2-block -o plan.json",
    "hypar-opt export gpt2-block plan.json --to jax -o step.py   # a training step as planned",
    "hypar-opt export five-devices plan.json --to list -o stages.txt   # of a pipeline, 5,7,8,10,10",
    "hypar-opt solve torus-4x4-gather -o schedule.json",
    "hypar-opt export torus-4x4-gather schedule.json --to astra-sim -o traces   # a folder: traces/run.sh",
    codes={0: "written", 2: "bad input, or tables too large to be written so, or a plan that has no such program"},
)


@click.command("export", epilog=EPILOG)
@click.argument("instance", shell_complete=words.exported)
@click.argument(
    "plan", required=False, type=click.Path(path_type=Path), metavar="[PLAN.json]", shell_complete=files.plans
)
@click.option("--to", type=click.Choice([GRAPH, *NAMES]), help=f"{TO_HELP}.")
@override_options
@path_option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    help="Of a strategy graph ends in .json or .json.gz; else by --to, of traces a folder.",
)
@output_options
def command(instance: str, plan: Path | None, to: str | None, output: Path, wanted: Wanted, **overrides: Any) -> None:
    """Write INSTANCE as a strategy graph, for solvers of those, or a PLAN of it as a program or for other programs.

    A strategy graph has the format of the ASPLOS 2025 contest: every layer becomes a node, every word over its choices
    a strategy, every pair of words of two neighbours an entry.

    With --to a plan, as solve writes it, is exported; what replaced fields of the instance stands in its file. A plan
    of a pipeline is exported to what trains it: a layout of its stages. A plan of a collective is exported to what
    simulates it: its sends as JSON, or as Chakra execution traces, with ASTRA-sim's configuration of the array.
    """
    if to in (None, GRAPH):
        if plan is not None:
            raise InputError(f"a plan is exported to one of {', '.join(NAMES)}", field="--to")
        _export_graph(instance, output, wanted, overrides)
        return
    if plan is None:
        raise InputError(f"expected PLAN.json, too: {to} is of a plan", field="--to")
    given = next((name for name, value in overrides.items() if value not in (None, (), {})), None)
    if given is not None:
        raise InputError("the plan's file says what replaces fields; leave it out", field=OVERRIDES[given].option)
    export_plan(instance, plan, str(to), output, wanted)


def _export_graph(instance: str, output: Path, wanted: Wanted, overrides: dict[str, Any]) -> None:
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.instance.read import load_any_instance
    from hypar_opt.instance.strategy_graph.write import write_strategy_graph
    from hypar_opt.report.strategy_graph import size_of
    from hypar_opt.solver.export import strategy_graph_of
    from hypar_opt.solver.kinds import network_problem_of
    from hypar_opt.solver.operator_problem import OperatorProblem

    check_graph_file(output)
    check_apart({"--output": output}, instance, overrides["array"])
    one = load_any_instance(instance, **overrides)
    problem = OperatorProblem(one) if isinstance(one, OperatorInstance) else network_problem_of(one)
    with showing(f"exporting {instance}", wanted):
        graph = strategy_graph_of(problem)
        write_strategy_graph(graph, output)
    size = size_of(graph)
    if wanted.machine:
        echo_document({"name": graph.name, "file": str(output), **size}, wanted)
    elif not wanted.quiet:
        counts = ", ".join(f"{what} {number:,}" for what, number in size.items())
        click.echo(f"{graph.name}: {counts}; written to {output}")
