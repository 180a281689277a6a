"""What is true of a plan whose layers send in chosen bits: recounted tensor by tensor, apart from the CostGraph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.communication import Breakdown, Bytes, whole
from hypar_opt.evaluation.legality import illegal, incomplete
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, COMPUTE_TIME, ROUNDING, TIME
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.evaluator import Evaluator
    from hypar_opt.instance.precision_schema import PrecisionSpec
    from hypar_opt.instance.sent_words import SentWord

_SUMMED: Final[Mapping[str, str]] = {"weight": "gradient", "written": "feature-map", "read": "error"}
"""By operand whose partial sums a layer exchanges, what it sends."""


@dataclass(frozen=True)
class SentTensor:
    """What one layer sends of one tensor.

    Parameters
    ----------
    layer, tensor, bits
        Whose, which, and in how many bits.
    whole_bytes, sent_bytes
        What it would be in full, and is.
    """

    layer: str
    tensor: str
    bits: int
    whole_bytes: Bytes
    sent_bytes: Bytes


@dataclass(frozen=True, eq=False)
class JudgedPrecision:
    """A plan with bits, recounted.

    Parameters
    ----------
    evaluator
        Judges words, and what is exchanged.
    entries
        By layer its word and bits.
    """

    evaluator: Evaluator
    entries: Mapping[str, SentWord]

    @property
    def precision(self) -> PrecisionSpec:
        """What may be chosen."""
        found = self.evaluator.instance.precision
        assert found is not None  # judged where there is one
        return found

    @cached_property
    def words(self) -> dict[str, str]:
        """By layer."""
        return {name: entry.word for name, entry in self.entries.items()}

    @cached_property
    def bits(self) -> dict[str, dict[str, int]]:
        """By layer and tensor."""
        return {name: entry.by_tensor(self.evaluator.instance.full_bits) for name, entry in self.entries.items()}

    @property
    def fault(self) -> str | None:
        """What keeps it from being a plan, or None."""
        one, work = self.evaluator, self.evaluator.work
        fault = incomplete(work, self.words) or illegal(work, self.words, one.rules) or self.unchosen
        return fault or one.overflow(self.words) or self.inexact or self.excess

    @cached_property
    def unchosen(self) -> str | None:
        """The first layer whose bits are not among those that it may choose, and what these are; or None."""
        for name, entry in self.entries.items():
            given = self.precision.sensitivities.get(name, {})
            if set(entry.bits) != set(given):
                expected = " and ".join(given) or "none"
                got = " and ".join(entry.bits) or "none"
                return f"layer '{name}' has bits of {expected} to choose, the plan gives {got}"
            for tensor, count in entry.bits.items():
                if count not in self.precision.bits:
                    known = ", ".join(map(str, self.precision.bits))
                    return f"layer '{name}' sends {tensor} in {known} bits, the plan says {count}"
        return None

    @cached_property
    def errors(self) -> dict[str, Fraction]:
        """By layer, what its bits cost in exactness; only of a plan whose bits may be chosen."""
        column = {count: place for place, count in enumerate(self.precision.bits)}
        found = {}
        for name, entry in self.entries.items():
            rows = self.precision.sensitivities.get(name, {})
            found[name] = sum((Fraction(rows[own][column[count]]) for own, count in entry.bits.items()), Fraction(0))
        return found

    @property
    def error(self) -> Fraction:
        """Of all layers."""
        return sum(self.errors.values(), start=Fraction(0))

    @property
    def inexact(self) -> str | None:
        """The first layer whose errors are above its limit, or None."""
        for name, limit in self.precision.limits.items():
            if self.errors[name] > Fraction(limit):
                return f"the errors of layer '{name}' are {amount(self.errors[name])}, above {amount(Fraction(limit))}"
        return None

    @property
    def excess(self) -> str | None:
        """The first bound that it does not keep, or None."""
        for name, most in self.evaluator.instance.bounds.items():
            if self.costs[name] > most:
                unit = COMPONENTS[name].measured_in
                return f"the plan's {name} is {amount(self.costs[name], unit)}, above {amount(most, unit)}"
        return None

    @cached_property
    def in_full(self) -> Breakdown:
        """What is exchanged if all is sent in full."""
        return self.evaluator.bytes_of(self.words)

    @cached_property
    def breakdown(self) -> Breakdown:
        """What is exchanged, each tensor in its bits."""
        one, work = self.in_full, self.evaluator.work
        intra = tuple(
            tuple(self._sent(count, layer.name, tensor) for count, tensor in zip(row, tensors, strict=True))
            for layer, row, tensors in zip(work.layers, one.intra, self._summed, strict=True)
        )
        forward, backward = (
            tuple(
                tuple(self._sent(count, name, tensor) for count in row)
                for name, row in zip(names, rows, strict=True)
            )
            for names, rows, tensor in (
                (self._ends("producer"), one.forward, "feature-map"),
                (self._ends("reader"), one.backward, "error"),
            )
        )  # fmt: skip
        return Breakdown(intra, forward, backward, self.words)

    def _sent(self, count: Bytes, layer: str, tensor: str) -> Bytes:
        if not count:
            return count
        return whole(Fraction(count) * self.bits[layer][tensor] / self.evaluator.instance.full_bits)

    @property
    def _summed(self) -> list[list[str]]:
        """By layer and level, of which tensor it exchanges partial sums; nothing where of none."""
        layers = self.evaluator.work.layers
        summed = ([halving_of(one, letter).summed for letter in self.words[one.name]] for one in layers)
        return [[_SUMMED.get(own or "", "") for own in row] for row in summed]

    def _ends(self, end: str) -> list[str]:
        work = self.evaluator.work
        return [work.layers[getattr(edge, end)].name for edge in work.boundaries]

    @cached_property
    def tensors(self) -> tuple[SentTensor, ...]:
        """What every layer sends of every tensor, where it sends any."""
        counts: dict[tuple[str, str], list[Bytes]] = {}
        for layer, row, tensors in zip(self.evaluator.work.layers, self.in_full.intra, self._summed, strict=True):
            for count, tensor in zip(row, tensors, strict=True):
                counts.setdefault((layer.name, tensor), []).append(count)
        for names, rows, tensor in (
            (self._ends("producer"), self.in_full.forward, "feature-map"),
            (self._ends("reader"), self.in_full.backward, "error"),
        ):
            for name, row in zip(names, rows, strict=True):
                counts.setdefault((name, tensor), []).extend(row)
        found = []
        for (name, tensor), each in counts.items():
            if any(each):
                total = whole(sum(map(Fraction, each), Fraction(0)))
                found.append(SentTensor(name, tensor, self.bits[name][tensor], total, self._sent(total, name, tensor)))
        order = {layer.name: place for place, layer in enumerate(self.evaluator.work.layers)}
        return tuple(sorted(found, key=lambda one: (order[one.layer], one.tensor)))

    @cached_property
    def packing_s(self) -> Fraction:
        """Seconds for which every accelerator packs and unpacks: an equal part of all that is sent in fewer bits."""
        one = self.evaluator.instance
        each = Fraction(self.precision.packing or 0)
        packed = sum((Fraction(own.whole_bytes) for own in self.tensors if own.bits < one.full_bits), Fraction(0))
        return packed / one.partition.leaves * (each + each)

    @property
    def placed(self) -> Sequence[int] | None:
        """Where the leaves stand, as far as costs depend on it or it is known anyway."""
        given = self.evaluator.placed
        return self.evaluator.sites if given is None else given

    @cached_property
    def costs(self) -> dict[str, Fraction]:
        """What is known of its costs, by component."""
        found = self.evaluator.costs(self.breakdown, self.placed)
        for name in (COMPUTE_TIME, TIME):
            if name in found:
                found[name] += self.packing_s
        return {COMMUNICATION: found.pop(COMMUNICATION), **found, ROUNDING: self.error}

    def objective(self, weights: Mapping[str, Fraction]) -> Fraction:
        """Return the objective under weights by component."""
        return sum((weight * self.costs[name] for name, weight in weights.items() if weight), start=Fraction(0))
