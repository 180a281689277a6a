"""What a plan of operators moves, recounted with every element of every tensor on every device.

A tensor is an array for each device that says how often each summand of each element is there. The stages are carried
out one after the other, what is received is counted, and at the end every device must have exactly what it needs with
every summand in it once. A dimension that does not divide is cut finer, so that elements are fractions of numbers.

Nothing of `hypar_opt.evaluation` is used. An entry of a placement is a dimension's number, `R` or `P`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, lcm, prod

import numpy as np


def recount(graph, partition, words, shared, storage):
    """Return the bytes that a plan moves, by phase, kind and number of the axis; of halos the axis is None."""
    axes = tuple(axis.size for axis in partition.axes)
    found = Counter()
    for phase, shape, scale, have, need in _program(graph, words, shared, storage):
        for (kind, axis), elements in follow(axes, shape, have, need).items():
            found[phase, kind, axis] += elements * scale
    for phase, moved in _halos(graph, axes, words):
        found[phase, "halo", None] += moved
    return Counter({key: moved for key, moved in found.items() if moved})


@cache
def follow(axes, shape, have, need):
    """Return the elements that all devices receive while a tensor goes from one placement to another.

    Raises
    ------
    AssertionError
        If a device lacks something at the end, or has it twice.
    """
    array = _Array(axes, shape, have)
    found = Counter()
    # what is no partial sum becomes one by zeros: a device keeps its part, and the others add nothing
    parts = (0 if one == "R" else one for one in have)
    need = tuple(part if other == "P" else other for part, other in zip(parts, need, strict=True))
    now = tuple(need[k] if have[k] == "R" else have[k] for k in range(len(axes)))
    array.keep(now)
    for k in reversed(range(len(axes))):
        if now[k] == "P" and need[k] != "P":
            now = (*now[:k], 0 if need[k] == "R" else need[k], *now[k + 1 :])
            found["all-reduce" if need[k] == "R" else "reduce-scatter", k] += array.add_up(k, now)
    turned = [k for k in range(len(axes)) if need[k] not in ("R", "P") and now[k] != need[k]]
    now = tuple(need[k] if k in turned else now[k] for k in range(len(axes)))
    for k, elements in array.fetch(turned, now).items():
        found["all-to-all", k] += elements
    for k in range(len(axes)):
        if need[k] == "R" and now[k] != "R":
            now = (*now[:k], "R", *now[k + 1 :])
            for outermost, elements in array.fetch([k], now).items():
                found["all-reduce" if have[k] == "P" else "all-gather", outermost] += elements
    array.check(need)
    return Counter({key: elements * array.scale for key, elements in found.items() if elements})


class _Array:
    """A tensor on all devices."""

    def __init__(self, axes, shape, have):
        devices = prod(axes)
        self.axes = axes
        self.devices = list(product(*map(range, axes)))
        self.shape = tuple(lcm(size, devices) for size in shape) or (devices,)
        self.scale = Fraction(prod(shape), prod(self.shape))
        self.partial = [k for k, entry in enumerate(have) if entry == "P"]
        self.summands = list(product(*(range(axes[k]) for k in self.partial)))
        self.counts = {
            device: np.array(
                [
                    self.mask(device, have) & (summand == tuple(device[k] for k in self.partial))
                    for summand in self.summands
                ],
                dtype=np.int16,
            )
            for device in self.devices
        }

    def mask(self, device, placement):
        """Return which elements a device has of a placement."""
        found = np.ones(self.shape, dtype=bool)
        for k, entry in enumerate(placement):
            if entry not in ("R", "P"):
                size = self.shape[entry]
                leading = np.arange(size) * prod(self.axes) // size
                digit = leading // prod(self.axes[k + 1 :]) % self.axes[k]
                found &= np.expand_dims(digit == device[k], tuple(at for at in range(len(self.shape)) if at != entry))
        return found

    def keep(self, placement):
        for device in self.devices:
            self.counts[device] = self.counts[device] * self.mask(device, placement)

    def add_up(self, k, placement):
        """Send to each device of a group the summands that it adds up; return the elements received."""
        before, received = dict(self.counts), 0
        for device in self.devices:
            mask = self.mask(device, placement)
            sent = {other: before[other] * mask for other in self._group(device, [k])}
            received += sum(int(one.any(axis=0).sum()) for other, one in sent.items() if other != device)
            self.counts[device] = sum(sent.values())
        return received

    def fetch(self, along, placement):
        """Let each device fetch what it lacks; return the elements received by the outermost axis that was crossed."""
        before, received = dict(self.counts), Counter()
        for device in self.devices:
            wanted = self.mask(device, placement)
            got = before[device] * wanted
            for other in self._group(device, along):
                lacking = wanted & ~got.any(axis=0)
                sent = before[other] * lacking
                if other != device and sent.any():
                    received[next(k for k in along if other[k] != device[k])] += int(sent.any(axis=0).sum())
                    got = got + sent
            self.counts[device] = got
        return received

    def check(self, need):
        """Assert that every device has what it needs, every summand once."""
        for device in self.devices:
            mask = self.mask(device, need)
            for number, summand in enumerate(self.summands):
                own = all(need[k] != "P" or device[k] == at for k, at in zip(self.partial, summand, strict=True))
                assert (self.counts[device][number] == (mask if own else 0)).all(), (device, summand)

    def _group(self, device, along):
        others = [k for k in range(len(self.axes)) if k not in along]
        return [one for one in self.devices if all(one[k] == device[k] for k in others)]


def _program(graph, words, shared, storage):
    """Yield phase, shape, bytes of an element, and both placements of every conversion."""
    operators = {one.name: one for one in graph.operators}
    for name, tensor in graph.tensors.items():
        uses = [(one, operand) for one in graph.operators for operand in one.operands if operand.tensor == name]
        writer = next((one for one in graph.operators if one.output.tensor == name), None)
        if tensor.role == "input" or not (uses or writer):
            continue
        step = [tensor.sizes, tensor.element_bytes]
        made = writer and _reduced(writer.output, words[writer.name])
        home = writer and _read(writer.output, words[writer.name])
        if len(uses) > 1:
            named = writer.output.dims if writer else uses[0][1].dims
            put, summed = ([_stored(named, entry) for entry in word] for word in shared[name])
            if writer:
                yield "forward", *step, made, tuple(put)
            for _, need in dict.fromkeys((one.name, _read(operand, words[one.name])) for one, operand in uses):
                yield "forward", *step, tuple(put), need
            if tensor.has_gradient:
                phase = "backward" if writer else "update"
                back = ((one, operand) for one, operand in uses if operand.has_gradient)
                own = ((one.name, _gradient(one, operand, words[one.name])) for one, operand in back)
                for _, have in dict.fromkeys(own):
                    yield phase, *step, have, tuple(summed)
                yield phase, *step, tuple(summed), home or tuple(put)
        elif not uses:
            yield "forward", *step, made, tuple("R" if entry == "P" else entry for entry in made)
        elif writer:
            one, operand = uses[0]
            yield "forward", *step, made, _read(operand, words[one.name])
            if tensor.has_gradient and operand.has_gradient:
                yield "backward", *step, _gradient(one, operand, words[one.name]), home
        elif tensor.has_gradient:
            one, operand = uses[0]
            have, used = _gradient(one, operand, words[one.name]), _read(operand, words[one.name])
            parts = tuple(0 if entry == "P" else there for entry, there in zip(have, used, strict=True))
            kept = storage.get(one.name, "replicated")
            if kept == "replicated":
                yield "update", *step, have, used
            else:
                yield "update", *step, have, parts
                again = ("backward",) if operand.saved else ()
                for phase in ("forward", *again) if kept == "zero-3" else ("update",):
                    yield phase, *step, parts, used
    for one in operators.values():
        for statistic in one.statistics:
            shape = tuple(one.sizes[dim] for dim in statistic.dims)
            have = tuple(
                statistic.dims.index(letter) if letter in statistic.dims else "R" if letter == "none" else "P"
                for letter in words[one.name]
            )
            need = tuple("R" if entry == "P" else entry for entry in have)
            for phase, numbers in (("forward", statistic.forward), ("backward", statistic.backward)):
                yield phase, shape, statistic.element_bytes * numbers, have, need


def _read(operand, word):
    return tuple(operand.dims.index(letter) if letter in operand.dims else "R" for letter in word)


def _reduced(operand, word):
    return tuple(
        "R" if letter == "none" else operand.dims.index(letter) if letter in operand.dims else "P" for letter in word
    )


def _gradient(operator, operand, word):
    lacking = {letter for letter in word if operand.is_added and letter not in operator.output.dims}
    return tuple(
        "R" if letter in lacking else entry for letter, entry in zip(word, _reduced(operand, word), strict=True)
    )


def _stored(dims, entry):
    return {"whole": "R", "partial": "P"}[entry] if entry in ("whole", "partial") else dims.index(entry)


def _halos(graph, axes, words):
    """Yield phase and bytes of every operand that is read through windows, element by element on every device."""
    for operator in graph.operators:
        for operand in operator.operands:
            tensor, word = graph.tensors[operand.tensor], words[operator.name]
            if tensor.role == "input" or not operand.windows:
                continue
            read = _read(operand, word)
            elements = Fraction(0)
            for device in product(*map(range, axes)):
                has, needs, scale = np.ones(()), np.ones(()), Fraction(1)
                for position, (dim, size) in enumerate(zip(operand.dims, tensor.sizes, strict=True)):
                    along = [k for k, entry in enumerate(read) if entry == position]
                    parts, part = prod(axes[k] for k in along), 0
                    for k in along:
                        part = part * axes[k] + device[k]
                    own, wide = parts_of_rows(operand.windows.get(dim), size, parts, part)
                    has, needs = np.multiply.outer(has, own), np.multiply.outer(needs, wide)
                    scale /= parts
                elements += int(((needs > 0) & (has == 0)).sum()) * scale
            for phase in ("forward", "backward") if tensor.has_gradient and operand.has_gradient else ("forward",):
                yield phase, elements * tensor.element_bytes


def parts_of_rows(window, rows, parts, part):
    """Return which rows a part has and which it needs, each row cut into as many shares as there are parts."""
    blocks = gcd(window.positions, rows) if window else rows

    def lies(count):
        """Return whether the part has each share of so many rows or positions, in order."""
        every = ((one // (count // blocks), share) for one in range(count) for share in range(parts))
        return np.array([(block * parts + share) // blocks == part for block, share in every])

    has = lies(rows)
    if window is None or parts == 1:
        return has, has
    needs = np.zeros_like(has)
    for made in np.flatnonzero(lies(window.positions)):
        position, share = divmod(int(made), parts)
        for tap in range(window.kernel):
            row, rest = divmod(position * window.stride + tap * window.dilation - window.before, window.spacing)
            if rest == 0 and 0 <= row < rows:
                needs[row * parts + share] = True
    return has, needs


def kept(graph, partition, words, shared, storage, states):
    """Return the bytes that the last device keeps, by kind, each kind of copy counted on its own elements."""
    axes = tuple(axis.size for axis in partition.axes)
    found = Counter()
    for name, tensor in graph.tensors.items():
        uses = [(one, operand) for one in graph.operators for operand in one.operands if operand.tensor == name]
        again = ((one.name, _read(operand, words[one.name])) for one, operand in uses if operand.saved)
        saved = [place for _, place in dict.fromkeys(again)]  # of what is read twice alike one copy
        if uses and tensor.role == "activation":
            writer = next(one for one in graph.operators if one.output.tensor == name)
            if len(uses) > 1 and saved:
                lies = tuple(_stored(writer.output.dims, entry) for entry in shared[name][0])
                saved = [lies, *(place for place in saved if place != lies)]
            home = _read(writer.output, words[writer.name])
            there = saved[:1] if len(uses) > 1 else saved  # copies are for their readers alone
            if writer.output.saved and home not in there:
                saved.append(home)
        keep = [("maps", place) for place in saved]
        if tensor.role == "parameter" and uses:
            one, operand = uses[0]
            stored = summed = owned = _read(operand, words[one.name])
            if len(uses) > 1:
                stored = summed = owned = tuple(_stored(operand.dims, entry) for entry in shared[name][0])
            elif tensor.has_gradient:
                made = _gradient(one, operand, words[one.name])
                parts = tuple(0 if entry == "P" else there for entry, there in zip(made, stored, strict=True))
                stored, summed, owned = {
                    "replicated": (stored, stored, stored),
                    "zero-1": (stored, stored, parts),
                    "zero-2": (stored, parts, parts),
                    "zero-3": (parts, parts, parts),
                }[storage.get(one.name, "replicated")]
            keep = [("parameters", stored)]
            if tensor.has_gradient:
                keep += [("gradients", summed), *[("states", owned)] * states]
        for kind, place in keep:
            array = _Array(axes, tensor.sizes, place)
            found[kind] += int(array.mask(array.devices[-1], place).sum()) * array.scale * tensor.element_bytes
    return found
