"""What an objective asks for: a weighted sum, a product, or one component before another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.instance.exact import decimal
from hypar_opt.instance.objective.components import COMPONENTS, check_known, parts_of
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean
from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from fractions import Fraction

Kind: TypeAlias = Literal["sum", "product", "lexicographic"]
"""How components are put together."""
PRODUCT: Kind = "product"
LEXICOGRAPHIC: Kind = "lexicographic"
PUT_TOGETHER: Final = (PRODUCT, LEXICOGRAPHIC)
"""What can stand for a weighted sum, with a list of components."""


@dataclass(frozen=True)
class ObjectiveFunction:
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
    def linear(self) -> Mapping[str, Fraction]:
        """The weights of a weighted sum; nothing for a product, in which no component has one."""
        return self.weights if self.kind == "sum" else {}

    @property
    def unit(self) -> str:
        """The unit of a value: that of a sum's components where it is one, a product's, as `J s`; else nothing.

        A sum of seconds and joules has none, and components one before another are put in order by weights.
        """
        units = sorted(COMPONENTS[name].measured_in for name in self.components if name in COMPONENTS)
        if self.kind == PRODUCT:
            return f"{units[0]}^2" if units[0] == units[1] else " ".join(units)
        return units[0] if self.kind == "sum" and len(set(units)) == 1 else ""

    @property
    def spelt(self) -> str:
        """As the command line takes it."""
        if self.kind != "sum":
            return f"{self.kind}:{','.join(self.weights)}"
        shown = ((name, weight) for name, weight in self.weights.items() if weight)
        return ",".join(name if weight == 1 else f"{name}={weight}" for name, weight in shown)


def weights_of(text: str) -> dict[str, Decimal | tuple[str, ...]]:
    """Return an objective in short: components, each with its weight or with 1, or `product:` and two of them.

    Raises
    ------
    InputError
        If a component is none, comes twice, or its weight is no number.
    """
    kind, colon, listed = text.partition(":")
    if colon:
        return _put_together(kind.strip(), [name.strip() for name in listed.split(",")])
    found: dict[str, Decimal | tuple[str, ...]] = {}
    for part in text.split(","):
        name, equals, weight = part.strip().partition("=")
        check_known((name,), "--objective")
        if name in found:
            raise InputError(f"{shown(name)} comes twice", field="--objective")
        try:
            found[name] = decimal(weight) if equals else Decimal(1)
        except (InvalidOperation, ValueError) as error:
            why = f"; {error}" if isinstance(error, ValueError) else ""
            raise InputError(f"expected a number, got {shown(weight)}{why}", field=f"--objective {name}") from None
    return found


def objective_text(objective: object) -> object:
    """Return an objective as the command line takes it, where it is given as a file has it; all else as it is."""
    if not isinstance(objective, Mapping):
        return objective
    kinds = {name: one for name, one in objective.items() if name in PUT_TOGETHER and isinstance(one, list | tuple)}
    return ",".join(
        f"{name}:{','.join(map(str, kinds[name]))}" if name in kinds else f"{name}={weight}"
        for name, weight in objective.items()
    )


def _put_together(kind: str, names: list[str]) -> dict[str, Decimal | tuple[str, ...]]:
    if kind not in PUT_TOGETHER:
        known, hint = " or ".join(PUT_TOGETHER), did_you_mean(kind, PUT_TOGETHER)
        raise InputError(f"expected {known} before ':', got {shown(kind)}{hint}", field="--objective")
    check_known(names, "--objective")
    return {kind: tuple(names)}


if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        "hypar_opt.instance.objective", {"function": ("ObjectiveFunction",)}, renamed={"Aim": "ObjectiveFunction"}
    )
