"""A network of operators as it is understood: a row a layer, with shapes, parameters and multiply-adds."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.operators.network import describe
from hypar_opt.report.console import show
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows
from hypar_opt.report.tables.table import label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.instance.operators.network import LayerRow

EACH: Final = "Numbers of equal layers in repeated blocks, which share a row, are those of each"


def layers_of(instance: OperatorInstance) -> Sequence[LayerRow]:
    """Return the layers with their shapes, of a whole batch, repeated ones each time."""
    return describe(instance.spec.network, instance.batch, instance.bytes_per_element)


def network_document(instance: OperatorInstance) -> dict[str, Any]:
    """Return everything in full, for machines; sizes are of a whole batch."""
    layers = layers_of(instance)
    return {
        "name": instance.name,
        "instance_sha256": instance.sha256,
        "batch": instance.batch,
        "bytes_per_element": instance.bytes_per_element,
        "layers": [asdict(one) for one in layers],
        "operators": [
            {"name": one.name, "layer": one.layer, "kind": one.kind, "sizes": dict(one.sizes), "splits": one.splits}
            for one in instance.graph.operators
        ],
        "totals": _totals(instance, layers),
    }


def _totals(instance: OperatorInstance, layers: Sequence[LayerRow]) -> dict[str, int]:
    return {
        "layers": len(layers),
        "operators": len(instance.graph.operators),
        "parameters": instance.graph.parameters,
        "multiply_adds": sum(one.multiply_adds for one in layers),
    }


def headline(instance: OperatorInstance) -> list[str]:
    """Return what the network is, and its sums, in lines."""
    known = _totals(instance, layers_of(instance))
    size = in_bytes(known["parameters"] * instance.bytes_per_element)
    return [
        f"{instance.name}: {known['layers']:,} layers, {known['operators']:,} operators; "
        f"{known['parameters']:,} parameters, {size} at {instance.bytes_per_element} bytes a number",
        f"a batch of {instance.batch:,}: {known['multiply_adds']:,} multiply-adds forward",
    ]


def show_network(console: Console, instance: OperatorInstance) -> None:
    """Print a row a layer, of equal ones in repeated blocks one together."""
    for line in headline(instance):
        console.print(line)
    show(console, network_rows(instance))


def network_rows(instance: OperatorInstance) -> list[dict[str, Any]]:
    """Return a row a layer, of equal ones in repeated blocks one together."""
    names = ("kind", "writes", "parameters", "multiply-adds", "can be split along", "reads")
    return [
        {"layer": one.label, **dict(zip(names, one.value, strict=True))}
        for one in RepeatedBlocks(instance.graph).folded(_items(instance))
    ]


def network_tables(instance: OperatorInstance) -> TableDocument:
    """Return the network as a table: a row a layer, for people of equal ones in repeated blocks one together."""
    columns = (
        Column("layer", "layer"),
        Column("kind", "kind"),
        Column("output", "writes"),
        Column("parameters", "parameters"),
        Column("multiply_adds", "multiply-adds"),
        Column("splits", "can be split along", width=0.2),
        Column("inputs", "reads", width=0.25),
    )
    every = _items(instance)
    folded = [(one.label, *one.value) for one in RepeatedBlocks(instance.graph).folded(every)]
    name, title = f"network-{label(instance.name)}", f"The layers of {instance.name}"
    said = (*headline(instance), *((EACH,) if len(folded) < len(every) else ()))
    data = Table(name, title, columns, entry_rows(columns, [(one, *map(_plain, rest)) for one, rest in every]))
    people = Table(name, title, columns, entry_rows(columns, folded), said)
    return TableDocument("network", data, (people,))


def _plain(value: str | int) -> str | int | None:
    """Return what machines read: nothing where there is none, sizes without commas in them."""
    return value if isinstance(value, int) else None if value == "-" else re.sub(r"(?<=\d),(?=\d)", "", value)


def _items(instance: OperatorInstance) -> list[tuple[str, tuple[Any, ...]]]:
    """Return by layer what stands in a row."""
    splits: dict[str, dict[str, None]] = {}
    for one in instance.graph.operators:
        splits.setdefault(one.layer, {}).update(dict.fromkeys(one.splits))
    return [
        (
            one.layer,
            (
                one.kind,
                "-" if one.output is None else _shape(one.output),
                one.parameters,
                one.multiply_adds,
                ", ".join(splits.get(one.layer, {})) or "-",
                " + ".join(map(_shape, one.inputs)) or "-",
            ),
        )
        for one in layers_of(instance)
    ]


def _shape(dims: Mapping[str, int]) -> str:
    return " x ".join(f"{name} {size:,}" for name, size in dims.items())
