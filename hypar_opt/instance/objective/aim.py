"""What an objective asks for: a weighted sum, a product, or one component before another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from hypar_opt.components import parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

Kind: TypeAlias = Literal["sum", "product", "lexicographic"]
"""How components are put together."""
PRODUCT: Kind = "product"
LEXICOGRAPHIC: Kind = "lexicographic"


@dataclass(frozen=True)
class Aim:
    """An objective over components.

    Parameters
    ----------
    kind
        A weighted sum; the product of two components; or the least of the first, then of the second, and so on.
    weights
        By component, in the order given; 1 each unless it is a sum.
    """

    kind: Kind
    weights: Mapping[str, Fraction]

    @property
    def components(self) -> tuple[str, ...]:
        """Those that count for something, in the order given."""
        return tuple(name for name, weight in self.weights.items() if weight)

    @property
    def parts(self) -> frozenset[str]:
        """The components that those are the sums of."""
        return frozenset(part for name in self.components for part in parts_of(name))

    @property
    def spelt(self) -> str:
        """As the command line takes it."""
        if self.kind != "sum":
            return f"{self.kind}:{','.join(self.weights)}"
        shown = ((name, weight) for name, weight in self.weights.items() if weight)
        return ",".join(name if weight == 1 else f"{name}={weight}" for name, weight in shown)
