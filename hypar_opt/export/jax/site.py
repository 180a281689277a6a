"""An operator where it stands in a program: which part of it a device computes, and how it sees what it reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.operators.layers.value import flattened, fresh

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph
    from hypar_opt.instance.operators.layers.value import Value
    from hypar_opt.instance.operators.made import MadeLayer


@dataclass(frozen=True)
class OperatorSite:
    """An operator, and its parts.

    Parameters
    ----------
    graph, operator, layer
        Which operator of what, and the layer that it comes from.
    parts
        Into how many parts each dimension is split; those that are not have no entry.
    cuts
        Of those that are, the digits that are cut off of one that lies alone, as programs have them.
    """

    graph: OperatorGraph
    operator: Operator
    layer: MadeLayer
    parts: Mapping[str, int]
    cuts: Mapping[str, str] = field(default_factory=dict)

    @property
    def fields(self) -> Any:
        """What the instance says of the layer."""
        return self.layer.fields

    def value(self, place: int) -> Value:
        """Return how an operand is seen."""
        operand = self.operator.operands[place]
        tensor = self.graph.tensors[operand.tensor]
        if place < len(self.layer.inputs) and self.layer.inputs[place].tensor == operand.tensor:
            one = self.layer.inputs[place]
            return flattened(one) if self.operator.kind == "linear" and one.is_map else one
        if self.operator.kind == "split":
            return self.layer.inputs[0]
        return fresh(tensor.name, [(str(number), size) for number, size in enumerate(tensor.sizes)])

    def behind(self, dim: str) -> str:
        """Return the cuts of a dimension as they follow other arguments."""
        return f", {self.cuts[dim]}" if dim in self.cuts else ""

    def parts_at(self, operand: Operand, place: int | None) -> int:
        """Return into how many parts a tensor's own dimension is split."""
        dim = None if place is None else operand.dims[place]
        return 1 if dim is None else self.parts.get(dim, 1)

    def local_output(self) -> tuple[int, ...]:
        """Return the sizes of what a device writes."""
        output = self.operator.output
        sizes = self.graph.tensors[output.tensor].sizes
        return tuple(-(-size // self.parts_at(output, place)) for place, size in enumerate(sizes))

    def filled_up(self, operand: Operand) -> tuple[int, ...]:
        """Return a tensor's dimensions that parts do not divide: they are filled up with zeros."""
        sizes = self.graph.tensors[operand.tensor].sizes
        return tuple(place for place, size in enumerate(sizes) if size % self.parts_at(operand, place))

    def is_filled_up(self, dim: str) -> bool:
        """Return whether the parts of one of the operator's dimensions do not divide it."""
        return dim in self.operator.sizes and self.operator.sizes[dim] % self.parts.get(dim, 1) > 0

    def emptied(self, operand: Operand, name: str) -> str:
        """Return the expression of a tensor with zeros wherever it is filled up."""
        sizes, dims = self.graph.tensors[operand.tensor].sizes, ""
        for place in self.filled_up(operand):
            dims += f", ({place}, {sizes[place]}{self.behind(operand.dims[place] or '')})"
        return f"filled({name}{dims})" if dims else name

    def lowest(self, dim: str, place: int, name: str) -> str:
        """Return the expression of a tensor with the least number where a dimension of the operator is filled up."""
        if not self.is_filled_up(dim):
            return name
        return f"filled({name}, ({place}, {self.operator.sizes[dim]}{self.behind(dim)}), fill=-jnp.inf)"

    def read(self, place: int, name: str) -> str:
        """Return the expression of an operand as it is seen, by a variable's name."""
        operand, value = self.operator.operands[place], self.value(place)
        text = name
        for view in value.views:
            if view.order is not None:
                text += f".transpose({_listed(view.order)})"
            else:
                sizes = tuple(-(-dim.size // self.parts_at(operand, dim.place)) for dim in view.dims)
                text += f".reshape({_listed(sizes)})"
        return text


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
