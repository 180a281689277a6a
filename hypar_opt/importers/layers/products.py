"""Linear layers, products of tensors, and sums of products in general."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from hypar_opt.importers.arrangement import arranged, restored, without_batch
from hypar_opt.importers.draft import Sketch, Unreadable, distinct
from hypar_opt.importers.held import BATCH_ATOM, Constant, Viewed, Weight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.importers.held import Atom, Held
    from hypar_opt.instance.operators.layers.value import Value


def linear(draft: Sketch, x: Viewed, weight: Weight, features: int, bias: Weight | None = None) -> Viewed:
    """Return a fully connected layer over the last axis."""
    groups, batch = without_batch(x)
    if batch is None or batch[0] == len(x.axes) - 1:
        raise Unreadable("it sums over the samples, or reads none")
    lead = [atom for group in groups[:-1] for atom in group]
    read = arranged(draft, x, [*((atom,) for atom in lead), groups[-1]], _no_channels(x, lead))
    fields = {"features": features} | ({"bias": True} if bias else {})
    made = draft.add("linear", fields, [read], {"weight": weight} | ({"bias": bias} if bias else {}))
    return restored(made, [*(len(group) for group in groups[:-1]), 1], batch)


def _no_channels(x: Viewed, lead: Sequence[Atom]) -> tuple[str, ...] | None:
    """Return names among which no channels are, which would be flattened; None where there are none, either."""
    names = [x.value.names[atom] if isinstance(atom, int) else "sequence" for atom in lead]
    if "channels" not in (*names, *x.value.names[-1:]) or not lead:
        return None
    names = ["rows" if name == "channels" else name for name in names]
    return distinct(("batch", *names, "features"))[1:]


def product(draft: Sketch, a: Held, b: Held, sizes: Sequence[int]) -> Held:
    """Return the product of matrices over the last axis of the first and the last but one of the second."""
    if isinstance(a, Constant) and isinstance(b, Constant):
        return Constant(tuple(sizes))
    if isinstance(a, Viewed) and isinstance(b, Weight) and len(b.sizes) == 2:
        return linear(draft, a, b, b.sizes[-1])
    lead = [f"lead{i}" for i in range(max(len(a.sizes), len(b.sizes)) - 2)]
    rows, columns = len(a.sizes) > 1, len(b.sizes) > 1
    first = [*lead[len(lead) - max(0, len(a.sizes) - 2) :], *(["rows"] if rows else []), "inner"]
    second = [*lead[len(lead) - max(0, len(b.sizes) - 2) :], "inner", *(["columns"] if columns else [])]
    written = [*lead, *(["rows"] if rows else []), *(["columns"] if columns else [])]
    return contraction(draft, [a, b], [first, second], written, sizes)


def contraction(
    draft: Sketch,
    held: Sequence[Held],
    labels: Sequence[Sequence[str]],
    written: Sequence[str],
    sizes: Sequence[int],
) -> Held:
    """Return a sum of products: an einsum with a label for each axis.

    Parameters
    ----------
    held
        What is read.
    labels
        Of the axes of each; an axis of size 1 spreads.
    written
        Of the axes of what is written; over all others is summed.
    sizes
        Of what is written.
    """
    if all(isinstance(one, Constant) for one in held):
        return Constant(tuple(sizes))
    if any(isinstance(one, Constant) for one in held):
        raise Unreadable("it multiplies with a constant")
    pairs = sorted(zip(held, labels, strict=True), key=lambda pair: isinstance(pair[0], Weight))
    if isinstance(pairs[0][0], Weight):
        pairs[0] = (draft.seen(pairs[0][0]), pairs[0][1])
    return _Contraction(draft, pairs, written, sizes).made()


class _Contraction:
    """What is known of the dimensions of a sum of products."""

    def __init__(
        self,
        draft: Sketch,
        pairs: Sequence[tuple[Held, Sequence[str]]],
        written: Sequence[str],
        sizes: Sequence[int],
    ) -> None:
        self.draft, self.written, self.sizes = draft, written, sizes
        self.seen = [(one, labels) for one, labels in pairs if isinstance(one, Viewed)]
        self.weights = [(one, labels) for one, labels in pairs if isinstance(one, Weight)]
        self.whole: dict[str, int] = {}
        for one, labels in pairs:
            for label, size in zip(labels, one.sizes, strict=True):
                self.whole[label] = max(size, self.whole.get(label, 1))
        self.batch = {(label, axis.index(BATCH_ATOM)) for one, labels in self.seen
                      for label, axis in zip(labels, one.axes, strict=True) if BATCH_ATOM in axis}  # fmt: skip
        self.parts = {label: self._parts(label) for label in self.whole}
        self.names = self._names()

    def made(self) -> Viewed:
        if len(self.batch) != 1 or next(iter(self.batch))[0] not in self.written:
            raise Unreadable("it sums over the samples, or multiplies those of different axes")
        (label, place) = next(iter(self.batch))
        reads = [self._read(one, labels) for one, labels in self.seen]
        made = self._as_matmul(reads) or self._as_einsum(reads)
        counts = [len(self.names[one]) if self.whole[one] > 1 else 0 for one in self.written]
        return restored(made, counts, (self.written.index(label), place))

    def _as_matmul(self, reads: Sequence[tuple[str, Value]]) -> Viewed | None:
        """Return a product of two layers where that is what it is."""
        if self.weights or len(reads) != 2:
            return None
        (_, first), (_, second) = self.seen[0], self.seen[1]
        one, other = self._flat(first, self.seen[0][0]), self._flat(second, self.seen[1][0])
        if len(one) < 2 or len(one) != len(other) or one[:-2] != other[:-2] or one[-1] != other[-2]:
            return None
        if self._all(self.written) != [*one[:-1], other[-1]]:
            return None
        return self.draft.add("matmul", {}, reads)

    def _as_einsum(self, reads: Sequence[tuple[str, Value]]) -> Viewed:
        operands = [["batch", *self._flat(labels, one)] for one, labels in self.seen]
        own = [self._flat(labels, one) for one, labels in self.weights]
        equation = (
            f"{', '.join(' '.join(one) for one in (*operands, *own))} -> batch {' '.join(self._all(self.written))}"
        )
        known = {name for one in operands for name in one}
        sizes = {
            name: size
            for label in self.whole
            for name, size in zip(self.names[label], self.parts[label], strict=True)
            if name not in known and any(name in one for one in own)
        }
        fields = {"equation": equation.rstrip()} | ({"sizes": sizes} if sizes else {})
        weights = {f"weight{i or ''}": one for i, (one, _) in enumerate(self.weights)}
        weights = {("weight2" if name == "weight1" else name): one for name, one in weights.items()}
        return self.draft.add("einsum", fields, reads, weights)

    def _parts(self, label: str) -> tuple[int, ...]:
        """Return the sizes of the dimensions that a label stands for, but for the batch."""
        found = set()
        for one, labels in self.seen:
            for name, axis in zip(labels, one.axes, strict=True):
                if name == label and prod(map(one.size, axis)) > 1:
                    found.add(tuple(one.size(atom) for atom in axis if atom != BATCH_ATOM))
        of_weight = any(label in labels for _, labels in self.weights)
        if len(found) == 1 and not of_weight:
            return next(iter(found))
        if label in {name for name, _ in self.batch}:
            if of_weight or len(found) > 1:
                raise Unreadable("it multiplies samples with what is not of samples")
            return ()
        return (self.whole[label],) if self.whole[label] > 1 else ()

    def _names(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the dimensions of each label, each unlike all others."""
        raw: list[tuple[str, str]] = []
        for label, parts in self.parts.items():
            raw += [(label, name) for name in self._named(label, len(parts))]
        unlike = distinct(("batch", *(name for _, name in raw)))[1:]
        found: dict[str, list[str]] = {label: [] for label in self.parts}
        for (label, _), name in zip(raw, unlike, strict=True):
            found[label].append(name)
        return found

    def _named(self, label: str, count: int) -> Sequence[str]:
        for one, labels in self.seen:
            for name, axis in zip(labels, one.axes, strict=True):
                own = [atom for atom in axis if atom != BATCH_ATOM]
                if name == label and len(own) == count and all(isinstance(atom, int) for atom in own):
                    return [one.value.names[atom] for atom in own if isinstance(atom, int)]
        return [{"inner": "in", "columns": "out"}.get(label, label)] * count

    def _flat(self, labels: Sequence[str], one: Held) -> list[str]:
        sizes = dict(zip(labels, one.sizes, strict=True))
        return [name for label in labels if sizes[label] == self.whole[label] for name in self.names[label]]

    def _all(self, labels: Sequence[str]) -> list[str]:
        return [name for label in labels for name in self.names[label]]

    def _read(self, one: Viewed, labels: Sequence[str]) -> tuple[str, Value]:
        groups: list[Sequence[Atom]] = []
        for place, label in enumerate(labels):
            own = one.rest(place)
            if one.sizes[place] != self.whole[label]:
                continue
            groups += [(atom,) for atom in own] if len(own) == len(self.parts[label]) else [own] if own else []
        return arranged(self.draft, one, groups)
