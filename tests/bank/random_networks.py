"""Random instances from a seed: chains and graphs of convolutions, linear layers, pools and joins."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from helpers import document

SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 40)
"""Of channels and features: some divide often, some never."""
MODELS = (
    ("published", ["dp", "mp"]),
    ("published", ["dp", "mp", "op"]),
    ("published", ["mp", "op"]),
    ("as-evaluated", ["dp", "mp"]),
    ("receiver", ["dp", "mp"]),
    ("receiver", ["dp", "mp", "op"]),
    ("leaf-exact", ["dp", "mp"]),
    ("leaf-exact", ["dp", "mp", "op"]),
)
"""Accountings with the choice sets that they have."""


@dataclass
class Builder:
    """A network that grows from its end; remembers the shape of every tensor."""

    rng: Random
    shapes: dict[str, tuple[int, ...]]
    layers: list[dict] = field(default_factory=list)
    end: str = "input"
    decided: list[tuple[str, bool, int]] = field(default_factory=list)

    def add(self, kind, spec, inputs, shape, decided=False):
        name = f"{kind}{len(self.layers)}"
        self.layers.append({"name": name, kind: spec, "inputs": list(inputs)})
        self.shapes[name] = shape
        if decided:
            self.decided.append((name, kind in ("add", "concat"), spec.get("groups", 1)))
        self.end = name
        return name

    def weighted(self, source, size=None):
        """A convolution that keeps the map, or a linear layer."""
        size = size or self.rng.choice(SIZES)
        shape = self.shapes[source]
        if len(shape) == 1:
            return self.add("linear", {"features": size}, [source], (size,), True)
        kernel = self.rng.choice([1, 3])
        groups = self.rng.choice([n for n in (1, 1, 2) if size % n == 0 and shape[0] % n == 0])
        spec = {"filters": size, "kernel": kernel, "pad": kernel // 2, "groups": groups}
        return self.add("conv", spec, [source], (size, *shape[1:]), True)

    def transparent(self, source):
        """A layer that a plan does not decide: it passes on what it reads, perhaps smaller."""
        shape = self.shapes[source]
        if len(shape) == 3 and shape[1] > 1 and self.rng.random() < 0.7:
            return self.add("pool", {"kernel": 2}, [source], (shape[0], *(n // 2 for n in shape[1:])))
        return self.add("activation", {}, [source], shape)

    def residual(self, source):
        """One or two weighted layers around which the input goes; perhaps a transparent one on the way."""
        shape = self.shapes[source]
        inner = self.weighted(source) if self.rng.random() < 0.3 else source
        branch = self.weighted(inner, shape[0])
        other = self.add("activation", {}, [source], shape) if self.rng.random() < 0.3 else source
        return self.add("add", {}, self._shuffled([branch, other]), shape, True)

    def branches(self, source):
        """Two or three readers of one tensor, joined side by side; one may be the tensor itself."""
        ends = [self.weighted(source) for _ in range(self.rng.choice([1, 2, 2]))]
        ends += [source] if len(ends) == 1 else []
        channels = sum(self.shapes[end][0] for end in ends)
        return self.add("concat", {}, self._shuffled(ends), (channels, *self.shapes[source][1:]), True)

    def doubled(self, source):
        """A tensor added to itself, on two ways: parallel edges."""
        ways = [source, self.add("activation", {}, [source], self.shapes[source])]
        return self.add("add", {}, ways, self.shapes[source], True)

    def _shuffled(self, names):
        self.rng.shuffle(names)
        return names


def random_document(seed, *, most_layers=6, most_levels=2, is_chain=False, accounting=None, more=()):
    """Return the document of one random instance; the same for the same arguments. Some are chains, or all.

    Where the accounting knows any choice there are some `more` beside those drawn.
    """
    rng = Random(seed)
    shape = (rng.choice(SIZES),) if rng.random() < 0.4 else (rng.choice((1, 2, 3, 4)), 8, 8)
    builder = Builder(rng, {"input": shape})
    is_chain = (rng.random() < 0.4) or is_chain
    wanted = rng.randint(1, most_layers)
    while len(builder.decided) < wanted:
        _grow(builder, wanted - len(builder.decided), is_chain)
    if not is_chain and rng.random() < 0.2 and len(builder.decided) < most_layers:
        builder.weighted(rng.choice([name for name in builder.shapes if name != builder.end]))  # another output
    drawn, choices = rng.choice(MODELS)
    choices = [*choices, *more] if drawn != "as-evaluated" else choices
    levels = rng.randint(1, most_levels)
    return document(
        builder.layers,
        shape,
        batch=rng.choice((1, 2, 4, 6, 32, 256)),
        levels=levels,
        fix=_fix(rng, builder, choices, levels),
        accounting=accounting or drawn,
        choices=choices,
        splits=rng.choice(("any", "any", "divisible")),
        bytes_per_element=rng.choice((2, 4)),
        input_error=rng.random() < 0.7,
    )


def _grow(builder, room, is_chain):
    """Add one block of at most `room` decided layers at the end."""
    rng, source = builder.rng, builder.end
    if len(builder.shapes[source]) == 3 and rng.random() < 0.15:
        builder.weighted(builder.add("flatten", {}, [source], (_elements(builder.shapes[source]),)))
        return
    if rng.random() < 0.25:
        source = builder.transparent(source)
    blocks = [builder.weighted]
    if not is_chain:
        blocks += [builder.residual, builder.branches] if room >= 3 else []
        blocks += [builder.doubled] if source != "input" or room >= 2 else []
    rng.choice(blocks)(source)


def _elements(shape):
    total = 1
    for size in shape:
        total *= size
    return total


def _fix(rng, builder, choices, levels):
    """Now and then give the strategies of some layers."""
    if rng.random() < 0.75:
        return None
    letters = "".join(choice[0] for choice in choices)
    given = {
        name: ("".join(rng.choice(letters.replace("o" if is_join else "r", "")) for _ in range(levels)), groups)
        for name, is_join, groups in builder.decided
        if rng.random() < 0.3
    }
    return {name: word for name, (word, groups) in given.items() if groups == 1 or _keeps_groups(word, groups)}


def _keeps_groups(word, groups):
    return "o" not in word and groups % 2 ** word.count("m") == 0
