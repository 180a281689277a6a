"""Plans of layers with d, m and o on halves, as plans of the operators that the layers are."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators import operator_plan
from hypar_opt.evaluation.operators.plan import is_shared
from hypar_opt.instance.choices import CHOICES, Dimension, LayerTensor
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import Operator, OperatorGraph

NAMES: Final[Mapping[Dimension, str]] = MappingProxyType(
    {Dimension.BATCH: "batch", Dimension.INPUT: "in", Dimension.OUTPUT: "out", Dimension.GROUPS: "groups"}
)
"""What operators call that which choices split."""


def as_operators(instance: Instance, words: Mapping[str, str]) -> tuple[OperatorInstance, OperatorPlan]:
    """Return an instance of layers as one of operators, on an axis of two a level, and a plan of it as one of that.

    Parameters
    ----------
    instance
        Of layers.
    words
        By layer, its letters, root level first.

    Raises
    ------
    Refusal
        If several layers read one, or a level is not of halves: letters do not say how all of that lies.
    """
    levels = instance.levels
    if any(axis.size != 2 or not axis.even for axis in instance.partition.axes):
        raise Refusal("letters are exported where every level halves; solve the instance with --axes")
    one = OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": instance.name,
            "batch": instance.batch,
            "network": instance.spec.network.model_dump(mode="json", exclude_defaults=True, exclude_none=True),
            "array": {"axes": [{"name": f"level{level}", "size": 2} for level in range(1, levels + 1)]},
            "cost": {"bytes_per_element": instance.bytes_per_element, "splits": "any"},
        }
    )
    graph = one.graph
    several = next((name for name in graph.tensors if is_shared(graph, name)), None)
    if several is not None:
        raise Refusal(f"several layers read '{several}', and letters do not say where it lies; solve with --axes")
    found = {operator.name: _word(graph, operator, words, levels) for operator in graph.operators}
    return one, operator_plan(graph, one.partition, found)


def _word(graph: OperatorGraph, operator: Operator, words: Mapping[str, str], levels: int) -> str:
    if operator.name in words:
        return " ".join(NAMES[_split(operator, letter)] for letter in words[operator.name])
    above, below = _nearest(graph, operator, words, up=True), _nearest(graph, operator, words, up=False)
    entries = []
    for level in range(levels):
        behind = _map_split(above, words[above.name][level], LayerTensor.F_OUT) if above else "batch"
        # behind sums, which are added up first, as who reads needs it
        before = _map_split(below, words[below.name][level], LayerTensor.F_IN) if below else None
        entries.append(behind or before or "none")
    return " ".join(entry if entry in operator.splits else "none" for entry in entries)


def _split(operator: Operator, letter: str) -> Dimension:
    """Return what a letter splits of a layer."""
    choice = next(one for one in CHOICES.values() if one.letter == letter)
    found = choice.grouped if "groups" in operator.sizes else choice.weighted
    assert found is not None  # the layer has the letter
    return found


def _map_split(operator: Operator, letter: str, tensor: LayerTensor) -> str | None:
    """Return what a letter splits of a map that a layer reads or writes, or None."""
    split = _split(operator, letter)
    if not split.halves(tensor):
        return None
    return NAMES[split] if split is Dimension.BATCH else "channels"


def _nearest(graph: OperatorGraph, operator: Operator, words: Mapping[str, str], *, up: bool) -> Operator | None:
    """Return the nearest layer above or below that has letters, or None."""
    while True:
        if up:
            writer = graph.writers.get(operator.operands[0].tensor)
            following = None if writer is None else graph.operators[writer]
        else:
            readers = graph.readers[operator.output.tensor]
            following = graph.operators[readers[0][0]] if readers else None
        if following is None or following.name in words:
            return following
        operator = following
