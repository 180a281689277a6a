"""Mixtures of experts: what each expert gets of the positions, and what becomes of it.

A group is what always lies on one device, however the batch is split: so routing is the same under every plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax.written import WrittenKind, WrittenOperator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.export.jax.site import OperatorSite

SHARES: Final = 1
"""The operand that says how much each expert counts."""


def _arguments(site: OperatorSite) -> str:
    """Return how many experts a position is sent to, groups on a device, and slots of a group at an expert."""
    operator = site.operator
    tensor, place = next(
        (one.tensor, place)
        for one, place in ((operator.output, 1), (operator.operands[0], 1))
        if one.dims[0] == "experts"
    )
    groups = operator.sizes["batch"]
    slots = site.graph.tensors[tensor].sizes[place]
    return f"{site.fields.top}, {groups // site.parts.get('batch', 1)}, {slots // groups}"


def _route(one: WrittenOperator) -> str:
    """Write which slot each position is sent to, by the shares of all experts, and return the variable."""
    name = f"{one.output}_slots"
    one.writer.line(f"{name} = route({one.reads[SHARES]}, {_arguments(one.site)}{_places(one.site)})")
    return name


def _places(site: OperatorSite) -> str:
    """Return which experts a device has, where it has not all, as a further argument."""
    count = site.graph.tensors[site.operator.operands[SHARES].tensor].sizes[-1]
    return f", positions({count}{site.behind('experts')})" if "experts" in site.parts else ""


def _dispatch(one: WrittenOperator) -> None:
    one.writer.line(f"{one.output} = dispatched({one.viewed()}, {_route(one)})")


def _dispatch_back(one: WrittenOperator) -> None:
    slots, view = _route(one), one.site.read(0, "x")
    function = f"lambda x: dispatched({view}, {slots})"
    one.writer.line(f"({one.gradients[0]},) = gradients({function}, {one.error}, {one.reads[0]}, of=(0,))")


def _combine(one: WrittenOperator) -> None:
    one.writer.line(f"{one.output} = brought_back({', '.join(one.reads)}, {_route(one)}{_places(one.site)})")


def _combine_back(one: WrittenOperator) -> None:
    slots, places = _route(one), tuple(sorted(one.gradients))
    targets = ", ".join(one.gradients[place] for place in places)
    function = f"lambda made, shares: brought_back(made, shares, {slots}{_places(one.site)})"
    one.writer.line(f"{targets}, = gradients({function}, {one.error}, {', '.join(one.reads)}, of={places})")


def _whole_dispatch(site: OperatorSite, reads: Sequence[str], output: str) -> Sequence[str]:
    return (f"{output} = dispatched({site.read(0, reads[0])}, route({reads[SHARES]}, {_arguments(site)}))",)


def _whole_combine(site: OperatorSite, reads: Sequence[str], output: str) -> Sequence[str]:
    return (f"{output} = brought_back({', '.join(reads)}, route({reads[SHARES]}, {_arguments(site)}))",)


DISPATCH: Final = WrittenKind(_dispatch, _dispatch_back, _whole_dispatch)
COMBINE: Final = WrittenKind(_combine, _combine_back, _whole_combine)
