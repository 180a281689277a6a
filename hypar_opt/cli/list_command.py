"""hypar-opt list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.options import Wanted, output_options

if TYPE_CHECKING:
    from collections.abc import Callable


Rows = list[dict[str, Any]]


def _instances() -> Rows:
    from hypar_opt.instance import load_instance
    from hypar_opt.instance.network import workload
    from hypar_opt.instance.shipped import shipped_instances

    found = []
    for name, file in sorted(shipped_instances().items()):
        instance = load_instance(name)
        work = workload(instance.network)
        found.append(
            {
                "name": name,
                "layers": len(work.layers),
                "graph": "chain" if work.is_chain else "with joins",
                "weights": sum(layer.weight for layer in work.layers),
                "MACs": sum(layer.macs for layer in work.layers),
                "MACs on input": sum(layer.macs_on_input for layer in work.layers),
                "batch": instance.batch,
                "levels": instance.levels,
                "devices": instance.partition.leaves,
                "accounting": instance.accounting,
                "folder": file.parent.name,
            }
        )
    return [*found, *_operators()]


def _operators() -> Rows:
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.instance.read import load_any_instance
    from hypar_opt.instance.shipped import shipped_operators

    found = []
    for name, file in shipped_operators().items():
        instance = load_any_instance(name)
        assert isinstance(instance, OperatorInstance)
        graph = instance.graph
        found.append(
            {
                "name": name,
                "layers": len({one.layer for one in graph.operators}),
                "graph": "operators",
                "weights": graph.parameters,
                "MACs": sum(one.multiply_adds for one in graph.operators) // instance.batch,
                "MACs on input": None,
                "batch": instance.batch,
                "levels": None,
                "devices": instance.devices,
                "accounting": instance.accounting,
                "folder": file.parent.name,
            }
        )
    return found


def _formulations() -> Rows:
    from hypar_opt.formulation.registry import found, load_formulation
    from hypar_opt.util.errors import Refusal

    rows = []
    for name in found():
        try:
            one = load_formulation(name)
        except Refusal as refusal:
            unknown = dict.fromkeys(("decides", "proves", "takes", "warm start"), "-")
            rows.append({"name": name, **unknown, "summary": str(refusal)})
            continue
        able = one.capabilities
        row = {"name": name, "decides": able.decides, "proves": "optimality" if able.exact else "nothing"}
        named = "operators" if able.needs_splits else "any graph"
        row |= {"takes": "chains" if able.chains_only else "tables" if able.needs_tables else named}
        rows.append(row | {"warm start": "yes" if able.warm_start else "no", "summary": one.summary})
    return rows


def _topologies() -> Rows:
    from hypar_opt.instance.hardware import TOPOLOGIES

    return [
        {"name": one.name, "parameters": ", ".join(one.parameters), "routes": one.rule, "summary": one.summary}
        for one in TOPOLOGIES.values()
    ]


def _arrays() -> Rows:
    from hypar_opt.instance import Overrides, shipped_arrays
    from hypar_opt.instance.read import load_array
    from hypar_opt.report.mixed.array import kinds_of, kinds_text
    from hypar_opt.report.numbers import in_bytes

    rows = []
    for name, path in shipped_arrays().items():
        array = load_array(path, Overrides())
        machine = array.machine
        bandwidths = [link.bandwidth for link in machine.links if link.bandwidth is not None]
        row = {"name": name, "topology": machine.topology, "accelerators": len(machine.accelerators)}
        row |= {"switches": len(machine.switches), "links": len(machine.links)}
        row |= {"bandwidth in all": f"{in_bytes(sum(bandwidths))}/s" if bandwidths else "-"}
        kinds = "-" if array.mixed is None else kinds_text(kinds_of(array.mixed))
        rows.append(row | {"each": kinds if array.accelerator is None else array.accelerator.model})
    return [*rows, *_axes()]


def _axes() -> Rows:
    from hypar_opt.instance.read import load_axes
    from hypar_opt.instance.shipped import shipped_axes
    from hypar_opt.report.operators.array import axes_text

    rows = []
    for name, path in shipped_axes().items():
        array = load_axes(path)
        assert array is not None
        row = {"name": name, "topology": f"axes: {axes_text(array.partition)}", "accelerators": array.partition.leaves}
        row |= {"switches": None, "links": None, "bandwidth in all": "-"}
        rows.append(row | {"each": "-" if array.accelerator is None else array.accelerator.model})
    return rows


def _strategy_graphs() -> Rows:
    from hypar_opt.instance.shipped import shipped_graphs
    from hypar_opt.instance.strategy_graph import read_strategy_graph

    rows = []
    for name, path in shipped_graphs().items():
        graph = read_strategy_graph(path)
        row = {"name": name, "nodes": graph.nodes, "edges": graph.edges, "strategies": len(graph.costs)}
        rows.append(row | {"usage limit": graph.usage_limit})
    return rows


def _pipelines() -> Rows:
    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.instance.read import load
    from hypar_opt.instance.shipped import shipped_pipelines

    rows = []
    for name, path in shipped_pipelines().items():
        one = load(path)
        assert isinstance(one, PipelineInstance)
        row = {"name": name, "operators": len(one.operators), "devices": one.devices, "kinds": len(one.kinds)}
        row |= {"replicas": "yes" if any(kind.replicas > 1 for kind in one.kinds) else "no"}
        rows.append(row | {"stages": "contiguous" if one.contiguous else "any", "objective": one.goal})
    return rows


def _collectives() -> Rows:
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.read import load
    from hypar_opt.instance.shipped import shipped_collectives

    rows = []
    for name, path in shipped_collectives().items():
        one = load(path)
        assert isinstance(one, CollectiveInstance)
        row = {"name": name, "collective": one.collective, "topology": one.machine.topology}
        rows.append(row | {"accelerators": len(one.group), "chunks": len(one.chunks), "objective": one.goal})
    return rows


def _task_graphs() -> Rows:
    from hypar_opt.instance.read import load
    from hypar_opt.instance.shipped import shipped_task_graphs
    from hypar_opt.instance.tasks import TaskGraphInstance

    rows = []
    for name, path in shipped_task_graphs().items():
        one = load(path)
        assert isinstance(one, TaskGraphInstance)
        row = {"name": name, "tasks": len(one.tasks), "waits": sum(len(task.after) for task in one.tasks)}
        row |= {"resources": len(one.resources), "units": sum(one.resources.values())}
        rows.append(row | {"memories": len(one.memories), "groups": len(one.groups), "objective": one.goal})
    return rows


KINDS: dict[str, Callable[[], Rows]] = {
    "instances": _instances,
    "formulations": _formulations,
    "topologies": _topologies,
    "arrays": _arrays,
    "strategy-graphs": _strategy_graphs,
    "pipelines": _pipelines,
    "collectives": _collectives,
    "task-graphs": _task_graphs,
}
EPILOG = epilog(
    "hypar-opt list instances",
    "hypar-opt list formulations",
    "hypar-opt list arrays --json",
    codes={0: "shown", 2: BAD_INPUT},
)


@click.command("list", epilog=EPILOG)
@click.argument("kind", type=click.Choice(list(KINDS)))
@output_options
def command(kind: str, wanted: Wanted) -> None:
    """Show what there is of a kind: instances, formulations, topologies, arrays, pipelines and so on."""
    rows = KINDS[kind]()
    if wanted.as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    if wanted.json_lines:
        click.echo("\n".join(map(json.dumps, rows)))
        return
    from hypar_opt.report.console import console, show

    show(console(), [{name: "-" if value is None else value for name, value in row.items()} for row in rows])
