"""From layers that were read to an instance, and to the text of its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


AXES: Final = ({"name": "node", "size": 2}, {"name": "gpu", "size": 4})
"""The array unless another is given: that of the shipped instances of operators."""


@dataclass(frozen=True)
class Imported:
    """A model as an instance.

    Parameters
    ----------
    instance
        Checked.
    comments
        What stands on top of its file: where it comes from.
    warnings
        What is not as it is in the model.
    """

    instance: OperatorInstance
    comments: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def text(self) -> str:
        """Of the file."""
        return self.instance.to_yaml(*self.comments)


def instance_of(
    name: str,
    batch: int,
    inputs: Mapping[str, Mapping[str, int]],
    layers: Sequence[Mapping[str, Any]],
    *,
    element_bytes: int = 4,
) -> OperatorInstance:
    """Return the instance of layers as files have them.

    Parameters
    ----------
    name
        Of the model.
    inputs
        Their dimensions behind the batch, by name.

    Raises
    ------
    InputError
        If there can be no such instance.
    """
    if not layers or not inputs:
        raise InputError("expected a model with operators that depend on its inputs, got none")
    network = {"inputs": {one: dict(dims) for one, dims in inputs.items()}, "layers": [dict(one) for one in layers]}
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": name,
            "batch": batch,
            "network": network,
            "array": {"axes": list(AXES)},
            "cost": {"accounting": "collective", "bytes_per_element": element_bytes, "splits": "divisible"},
        }
    )
