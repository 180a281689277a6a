"""What a framework's own partitioner moves for conversions, looked up by placements in a table of what was counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hypar_opt.cost.operators.charges import ConversionCharge
from hypar_opt.cost.operators.conversions import dtype_of, halo
from hypar_opt.cost.operators.padding import by_placement
from hypar_opt.cost.operators.placements import PARTIAL, complete
from hypar_opt.instance.objective.components import COMMUNICATION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, OperatorGraph, Tensor
    from hypar_opt.instance.operators.conversion_tables import ConversionTable


@dataclass(frozen=True, eq=False)
class ReceivedAsEmitted(ConversionCharge):
    """Bytes that all devices together receive, as a partitioner's programs move them; rows of neighbours as needed.

    Parameters
    ----------
    graph
        What is charged.
    axes
        Their sizes.
    table
        What was counted.
    """

    graph: OperatorGraph
    axes: tuple[int, ...]
    table: ConversionTable
    _known: dict[bytes, int] = field(default_factory=dict, repr=False)
    component: ClassVar[str] = COMMUNICATION

    @cached_property
    def _shares(self) -> Mapping[str, Fraction]:
        """By pair of placements, of the whole tensor."""
        return {
            pair: sum((Fraction(share) for *_, share in one), Fraction(0)) for pair, one in self.table.pairs.items()
        }

    @cached_property
    def unit(self) -> int:
        """In which all shares are whole."""
        return lcm(prod(self.axes), *(share.denominator for share in self._shares.values()))

    @cached_property
    def dtype(self) -> Any:
        """By the largest tensor, and what is moved most of it."""
        most = max((one.bytes for one in self.graph.tensors.values()), default=0)
        times = max(4, *(-(-share.numerator // share.denominator) for share in self._shares.values()))
        return dtype_of(most * times * self.unit, self.axes)

    def conversion(self, size: int, have: Placements, need: Placements, shape: Sequence[int]) -> Array:
        """Return what is received by the table; what is left in partial sums is added up for all, too."""

        def received(have: Placements, need: Placements) -> Array:
            have, need = np.broadcast_arrays(have, need)
            both = np.ascontiguousarray(np.concatenate([have, need], axis=-1)).reshape(-1, 2 * len(self.axes))
            found = np.array([self._share(row) for row in both], dtype=self.dtype)
            moved: Array = found.reshape(have.shape[:-1]) * np.array(size, dtype=self.dtype)
            return moved

        return by_placement(received, have, complete(need))

    def _share(self, row: Placements) -> int:
        """Return what is moved of a tensor from the first half of a row to the second, in units."""
        key = row.tobytes()
        if key not in self._known:
            numbers: dict[int, str] = {}
            letters = "".join(
                numbers.setdefault(code, str(len(numbers))) if code >= 0 else "P" if code == PARTIAL else "R"
                for code in row.tolist()
            )
            have, need = letters[: len(self.axes)], letters[len(self.axes) :]
            self._known[key] = 0 if have == need else int(self._shares[f"{have}>{need}"] * self.unit)
        return self._known[key]

    def left(self, placements: Placements) -> Placements:
        """Return the placements without partial sums, of which no sharding can say that they stay such."""
        return complete(placements)

    def halo(self, operand: Operand, tensor: Tensor, need: Placements) -> Array:
        """Return what all parts need of their neighbours."""
        return halo(operand, tensor, need, self.axes, self.dtype) * (self.unit // prod(self.axes))
