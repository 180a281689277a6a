"""From what a pipeline's file says of its operators to the ways in which each may be done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.pipeline.ways import OperatorWay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from decimal import Decimal

    from hypar_opt.instance.pipeline.schema import PipelineOperatorSpec, PipelineSpec, RecomputeSpec, TensorSpec


def by_kind(said: Decimal | dict[str, Decimal], speeds: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return seconds by kind of device: as said, or a number divided by every kind's speed."""
    if isinstance(said, dict):
        return {kind: Fraction(found) for kind, found in said.items()}
    return {kind: Fraction(said) / speed for kind, speed in speeds.items()}


def exact_bytes(said: Mapping[str, Decimal]) -> dict[str, Fraction]:
    """Return bytes by name as fractions."""
    return {name: Fraction(found) for name, found in said.items()}


@dataclass(frozen=True)
class WaysMaker:
    """Makes the ways of operators that are not the plain one.

    Parameters
    ----------
    spec
        The file.
    speeds
        By kind of device.
    """

    spec: PipelineSpec
    speeds: Mapping[str, Fraction]

    @property
    def degrees(self) -> tuple[int, ...]:
        """Over how many devices any operator says that it can be split."""
        return tuple(sorted({way.degree for one in self.spec.operators for way in one.tensor or ()}))

    def of(self, operator: PipelineOperatorSpec) -> dict[tuple[int, bool], OperatorWay]:
        """Return by degree and whether activations are computed anew what an operator takes."""
        plain = OperatorWay(
            by_kind(operator.seconds, self.speeds),
            by_kind(operator.backward, self.speeds),
            Fraction(operator.memory),
            Fraction(operator.activations),
            Fraction(operator.parameters),
            exact_bytes(operator.read_bytes),
            exact_bytes(operator.sent_bytes),
        )
        return dict(self._all(operator, plain))

    def _all(
        self, operator: PipelineOperatorSpec, plain: OperatorWay
    ) -> Iterator[tuple[tuple[int, bool], OperatorWay]]:
        may_recompute = self.spec.recompute != "never" and operator.phase == "forward"
        split = {one.degree: one for one in operator.tensor or ()}
        for degree in (1, *self.degrees):
            said: PipelineOperatorSpec | TensorSpec | None = split.get(degree)
            if degree == 1 or operator.tensor is None:  # what says nothing of it does all its work on each device
                way, said = plain, operator
            elif said is None:
                continue
            else:
                way = self._split(split[degree], plain)
            if degree > 1:
                yield (degree, False), way
            if may_recompute:
                anew = self._anew(said.recompute, way.anew(self._read(operator, way)), way)
                if anew.spares(way):
                    yield (degree, True), anew

    def _split(self, said: TensorSpec, plain: OperatorWay) -> OperatorWay:
        kept = {
            name: Fraction(given)
            for name in ("memory", "activations", "parameters")
            if (given := getattr(said, name)) is not None
        }
        return replace(
            plain,
            seconds=self._seconds(said.seconds, plain),
            backward=plain.backward if said.backward is None else by_kind(said.backward, self.speeds),
            read_bytes={**plain.read_bytes, **exact_bytes(said.read_bytes)},
            sent_bytes={**plain.sent_bytes, **exact_bytes(said.sent_bytes)},
            **kept,
        )

    def _seconds(self, said: Decimal | dict[str, Decimal], plain: OperatorWay) -> dict[str, Fraction]:
        """Return seconds by kind of device, of those that may have the operator."""
        return {kind: found for kind, found in by_kind(said, self.speeds).items() if kind in plain.seconds}

    def _read(self, operator: PipelineOperatorSpec, way: OperatorWay) -> Fraction:
        return way.read(operator.reads, {one.name: Fraction(one.output) for one in self.spec.operators})

    def _anew(self, said: RecomputeSpec | None, by_rule: OperatorWay, plain: OperatorWay) -> OperatorWay:
        """Return the way that computes activations anew: what is said of it, the rest by the rule."""
        if said is None:
            return by_rule
        found = by_rule
        if said.seconds is not None:
            found = replace(found, seconds=self._seconds(said.seconds, plain), backward=plain.backward)
        if said.backward is not None:
            found = replace(found, backward=by_kind(said.backward, self.speeds))
        if said.activations is not None:
            kept = Fraction(said.activations)
            more = max(plain.activations - kept, Fraction(0))
            found = replace(found, activations=kept, memory=plain.memory + more)
        if said.memory is not None:
            found = replace(found, memory=Fraction(said.memory))
        return found
