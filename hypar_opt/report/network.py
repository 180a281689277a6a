"""A network as it is understood: a row a layer, with shapes, parameters, multiply-adds and bytes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.network import workload
from hypar_opt.report.console import fits, terminal_table
from hypar_opt.report.numbers import in_bytes, scaled
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows
from hypar_opt.report.tables.displayed import shown
from hypar_opt.report.tables.table import label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hypar_opt.instance import Instance
    from hypar_opt.instance.network.layers import Layer, Shape

ONCE: Final = (1, 1)
"""A dilation that is none."""
DIGITS: Final = 4
"""Of quantities in the table."""


@dataclass(frozen=True)
class LayerFacts:
    """A layer, its sizes for one sample.

    Parameters
    ----------
    name, kind
        As in the network.
    inputs
        Names of what it reads.
    decided
        Whether it has a strategy: it has weights, or joins.
    given
        What is given of its strategy, a `.` for an open level; None where nothing is.
    input_shapes, output_shape
        (channels, height, width) or (features,).
    kernel, stride, pad, dilation
        (vertical, horizontal); None where the kind has none.
    groups
        Of a convolution.
    parameters
        Weights, biases left out.
    macs
        Multiply-adds of the forward phase.
    weight_bytes, output_bytes
        At the instance's bytes per element.
    """

    name: str
    kind: str
    inputs: tuple[str, ...]
    decided: bool
    given: str | None
    input_shapes: tuple[Shape, ...]
    output_shape: Shape
    kernel: tuple[int, int] | None
    stride: tuple[int, int] | None
    pad: tuple[int, int] | None
    dilation: tuple[int, int] | None
    groups: int | None
    parameters: int
    macs: int
    weight_bytes: int
    output_bytes: int


def layer_facts(instance: Instance) -> tuple[LayerFacts, ...]:
    """Return what is known of every layer, in topological order; parameters and multiply-adds are the cost model's."""
    decided = {one.name: one for one in workload(instance.network).layers}
    shapes, each, given = instance.network.shapes, instance.bytes_per_element, instance.fix

    def facts(layer: Layer) -> LayerFacts:
        op, one = vars(layer.op), decided.get(layer.name)
        window = (op.get("kernel"), op.get("stride"), op.get("pad"), op.get("dilation"), op.get("groups"))
        parameters, macs = (0, 0) if one is None else (one.weight, one.macs)
        return LayerFacts(
            layer.name, layer.op.layer_kind, layer.inputs, one is not None, given.get(layer.name),
            tuple(shapes[name] for name in layer.inputs), shapes[layer.name], *window,
            parameters, macs, parameters * each, prod(shapes[layer.name]) * each,
        )  # fmt: skip

    return tuple(map(facts, instance.network.ordered))


def totals(instance: Instance, layers: Sequence[LayerFacts]) -> dict[str, int]:
    """Return the sums over all layers, for a sample and for a step's batch."""
    macs, output = sum(one.macs for one in layers), sum(one.output_bytes for one in layers)
    return {
        "layers": len(layers),
        "decided_layers": sum(one.decided for one in layers),
        "parameters": sum(one.parameters for one in layers),
        "weight_bytes": sum(one.weight_bytes for one in layers),
        "macs": macs,
        "output_bytes": output,
        "batch_macs": macs * instance.batch,
        "batch_output_bytes": output * instance.batch,
    }


def network_document(instance: Instance) -> dict[str, Any]:
    """Return everything in full; a layer's numbers are of one sample."""
    layers = layer_facts(instance)
    return {
        "name": instance.name,
        "instance_sha256": instance.sha256,
        "batch": instance.batch,
        "bytes_per_element": instance.bytes_per_element,
        "input": list(instance.network.input),
        "layers": [asdict(one) for one in layers],
        "totals": totals(instance, layers),
    }


def headline(instance: Instance) -> list[str]:
    """Return what the network is, and its sums, in lines."""
    layers = layer_facts(instance)
    known = totals(instance, layers)
    return [
        f"{instance.name}: {known['layers']:,} layers, {known['decided_layers']:,} of them decided; "
        f"{known['parameters']:,} parameters, biases left out",
        f"a sample of {_shape(instance.network.input)}: {known['macs']:,} multiply-adds forward, "
        f"outputs {in_bytes(known['output_bytes'])}",
        f"a batch of {instance.batch:,}: {known['batch_macs']:,} multiply-adds forward, "
        f"outputs {in_bytes(known['batch_output_bytes'])}; weights {in_bytes(known['weight_bytes'])} "
        f"at {instance.bytes_per_element} bytes a number",
    ]


def show_network(console: Console, instance: Instance) -> None:
    """Print a row a layer; where the terminal is too narrow, without the columns that matter least, and say so."""
    for line in headline(instance):
        console.print(line)
    table, hidden = _table(instance), list[str]()
    for key in DISPENSABLE:
        if fits(console, terminal_table(table, options=_unfolded(table))):
            break
        columns = tuple(column for column in table.columns if column.key != key)
        hidden += [column.heading.replace("\n", " ") for column in table.columns if column.key == key]
        rows = tuple({column.key: row[column.key] for column in columns} for row in table.rows)
        table = replace(table, columns=columns, rows=rows)
    console.print(terminal_table(table, options=_unfolded(table)))
    if hidden:
        console.print(f"(too narrow for: {', '.join(hidden)}; --json has all)")


DISPENSABLE: Final = (
    "dilation",
    "pad",
    "stride",
    "output_shape",
    "weights",
    "input",
    "kind",
    "given",
    "groups",
    "kernel",
)
"""Columns in the order in which a narrow terminal loses them."""
RARE: Final = ("given", "groups", "dilation")
"""Columns that are left out where they say nothing of any layer."""


def network_tables(instance: Instance) -> TableDocument:
    """Return the network as a table: a row a layer, for scripts with every column and exact numbers."""
    every, people = _whole_table(instance), _table(instance)
    return TableDocument("network", every, (replace(people, notes=tuple(headline(instance))),))


def _table(instance: Instance) -> Table:
    """Return the layers, without the columns of `RARE` that say nothing of any."""
    table = _whole_table(instance)
    said = [
        one for one in table.columns if one.key not in RARE or any(row[one.key].value is not None for row in table.rows)
    ]
    rows = tuple({one.key: row[one.key] for one in said} for row in table.rows)
    return replace(table, columns=tuple(said), rows=rows)


def _whole_table(instance: Instance) -> Table:
    layers = layer_facts(instance)
    weights, outputs = ([getattr(one, name) for one in layers] for name in ("weight_bytes", "output_bytes"))
    (per_weight, weight_unit), (per_output, output_unit) = scaled(weights, "B"), scaled(outputs, "B")
    columns = (
        Column("layer", "layer"),
        Column("kind", "kind"),
        Column("decided", "decided"),
        Column("given", "given"),
        Column("input", "input\n(c x h x w)"),
        Column("kernel", "kernel", align="right"),
        Column("stride", "stride", align="right"),
        Column("pad", "pad", align="right"),
        Column("groups", "groups"),
        Column("dilation", "dilation", align="right"),
        Column("output_shape", "output\n(c x h x w)"),
        Column("parameters", "parameters"),
        Column("macs", "multiply-adds\n(M/sample)", "", 10**6, DIGITS),
        Column("weights", f"weights\n({weight_unit})", "", per_weight, DIGITS),
        Column("output", f"output\n({output_unit}/sample)", "", per_output, DIGITS),
    )
    name, title = f"network-{label(instance.name)}", f"The layers of {instance.name}"
    return Table(name, title, columns, entry_rows(columns, map(_row, layers)))


def _row(one: LayerFacts) -> tuple[object, ...]:
    """Return what stands in the columns; nothing where a kind of layer has no such thing, or the usual one."""
    return (
        one.name, one.kind, "yes" if one.decided else "no", one.given,
        " + ".join(map(_shape, one.input_shapes)), _pair(one.kernel), _pair(one.stride), _pair(one.pad),
        one.groups if one.groups != 1 else None, _pair(one.dilation) if one.dilation != ONCE else None,
        _shape(one.output_shape), one.parameters or None, one.macs or None, one.weight_bytes or None, one.output_bytes,
    )  # fmt: skip


def _unfolded(table: Table) -> dict[str, dict[str, Any]]:
    """Return how columns are shown: nothing is folded or cut."""
    lines = {
        column.key: (*column.heading.split("\n"), *(shown(column, x[column.key]) for x in table.rows))
        for column in table.columns
    }
    return {key: {"no_wrap": True, "min_width": max(map(len, texts))} for key, texts in lines.items()}


def _shape(shape: Shape) -> str:
    return " x ".join(map(str, shape))


def _pair(pair: tuple[int, int] | None) -> str | None:
    """Return a pair, as one number where both are the same."""
    return None if pair is None else str(pair[0]) if pair[0] == pair[1] else f"{pair[0]} x {pair[1]}"
