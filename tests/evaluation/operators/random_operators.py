"""Random graphs of operators, small, of all kinds of operands; random arrays, and random plans that are allowed.

Seeded: the same seed gives the same. Rows (batch, sequence, width) go through linear layers, norms, residual sums,
attention and experts' weights; maps (batch, channel, row, column) through convolutions, pools and norms over the batch.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from random import Random

from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Statistic, Tensor, Window
from hypar_opt.instance.operators.graph import Repeat
from hypar_opt.util.partition import Axis, Partition

ROW = ("batch", "sequence", "width")
MAP = ("batch", "channel", "row", "column")


def random_partition(seed, most=12, sizes=(2, 3, 4, 5, 6)):
    """Return one to three axes of the given sizes, of at most so many devices."""
    random = Random(seed)
    chosen = [random.choice([size for size in sizes if size <= most])]
    for _ in range(random.randrange(3)):
        fitting = [size for size in sizes if prod(chosen) * size <= most]
        chosen += [random.choice(fitting)] if fitting else []
    random.shuffle(chosen)
    return Partition(tuple(Axis(f"axis{number}", size) for number, size in enumerate(chosen)))


def random_graph(seed, steps=5, pool=(2, 3, 4, 6, 8)):
    """Return a graph of rows or of maps.

    Parameters
    ----------
    seed
        Of the random numbers.
    steps
        How many layers or blocks follow the first.
    pool
        Sizes of dimensions are drawn from it.
    """
    builder = _Builder(Random(f"graph {seed}"), pool)
    return builder.rows(steps) if builder.random.random() < 0.6 else builder.maps(steps)


def with_blocks(graph, seed, most=4):
    """Return the graph with blocks wherever, of so many at the most: their inside can be recomputed."""
    random, repeats, start = Random(f"blocks {seed}"), [], 0
    while len(repeats) < most:
        start += random.randrange(3)
        left = len(graph.operators) - start
        if left < 1:
            break
        length = random.randint(1, min(6, left))
        repeats.append(Repeat(start, length, 1))  # others like it would have to be alike
        start += length
    return replace(graph, repeats=tuple(repeats))


def legal_words(operator, partition, divisible=True, none=False):
    """Return all words that an operator may have; `none` offers not to split to those that are not cheap, too."""
    letters = [*operator.splits, *(["none"] if operator.is_cheap or none else [])]
    axes = [axis.size for axis in partition.axes]
    return [word for word in product(letters, repeat=len(axes)) if _is_legal(operator, word, axes, divisible)]


def _is_legal(operator, word, axes, divisible):
    parts = {letter: prod(a for a, one in zip(axes, word, strict=True) if one == letter) for letter in set(word)}
    sizes = {**operator.sizes, "none": parts.get("none", 1)}
    return all(n <= sizes[letter] and not (divisible and sizes[letter] % n) for letter, n in parts.items())


def random_strategies(seed, graph, partition, divisible=True, none=True):
    """Return the strategies of a random plan, by key as in plans' files, or None where an operator has none."""
    random = Random(f"plan {seed}")
    words = {}
    for operator in graph.operators:
        legal = legal_words(operator, partition, divisible, none)
        if not legal:
            return None
        words[operator.name] = random.choice(legal)
    strategies = {name: " ".join(word) for name, word in words.items()}
    for name, tensor in graph.tensors.items():
        readers = [graph.operators[number] for number, _ in graph.readers[name]]
        operands = [graph.operators[number].operands[place] for number, place in graph.readers[name]]
        if tensor.role == "input" or len(readers) < 2:
            continue
        dims = graph.operators[graph.writers[name]].output.dims if name in graph.writers else operands[0].dims
        for gradient in (False, True)[: 1 + tensor.has_gradient]:
            while True:
                entries = [*filter(None, dims), "whole", *(["partial"] * 2 if gradient else [])]
                word = [random.choice(entries) for _ in partition.axes]
                if all(_parts(word, dim, partition) <= size for dim, size in zip(dims, tensor.sizes, strict=True)):
                    break
            strategies[f"{name}:{'gradient' if gradient else 'forward'}"] = " ".join(word)
    return strategies


def random_storage(seed, graph):
    """Return how some of the operators that have parameters keep these."""
    random = Random(f"storage {seed}")
    trained = [one for one in graph.operators if any(graph.tensors[x.tensor].role == "parameter" for x in one.operands)]
    return {
        one.name: random.choice(["replicated", "zero-1", "zero-2", "zero-3"])
        for one in trained
        if random.random() < 0.7
    }


def _parts(word, dim, partition):
    return prod(axis.size for axis, entry in zip(partition.axes, word, strict=True) if entry == dim)


class _Builder:
    """A graph being drawn."""

    def __init__(self, random, pool):
        self.random = random
        self.pool = pool
        self.tensors = {}
        self.operators = []
        self.weights = []

    def size(self):
        return self.random.choice(self.pool)

    def chance(self, share=0.5):
        return self.random.random() < share

    def tensor(self, name, sizes, role="activation", gradient=True):
        element_bytes = self.random.choice([2, 4])
        self.tensors[name] = Tensor(name, tuple(sizes), role, element_bytes, gradient)
        return name

    def operator(self, kind, sizes, operands, dims, written=None, splits=None, cheap=False, **others):
        """Add an operator; return the name of what it writes, whose gradient is needed where one of an operand is."""
        name = f"{kind}{len(self.operators)}"
        gradient = any(self.tensors[one.tensor].has_gradient for one in operands)
        self.tensor(name, written or [sizes[dim] for dim in dims], gradient=gradient)
        self.operators.append(
            Operator(name, kind, name, sizes, splits or tuple(sizes), tuple(operands),
                     Operand(name, dims, saved=len(self.operators) % 3 == 1), is_cheap=cheap, **others)
        )  # fmt: skip
        return name

    def graph(self):
        return OperatorGraph(self.tensors, tuple(self.operators))

    def parameter(self, name, sizes):
        return self.tensor(f"{name}{len(self.operators)}", sizes, "parameter", not self.chance(0.1))

    def rows(self, steps):
        batch, sequence, width = self.size(), self.size(), self.size()
        if self.chance(0.4):
            index = self.tensor("index", (batch, sequence), "input", gradient=False)
            classes = self.size()
            self.weights.append(self.parameter("table", (classes, width)))
            sizes = dict(zip(("batch", "sequence", "class", "width"), (batch, sequence, classes, width), strict=True))
            operands = (Operand(index, ("batch", "sequence")), Operand(self.weights[-1], ("class", "width")))
            now = self.operator("embedding", sizes, operands, ROW)
        else:
            now = self.linear(self.tensor("x", (batch, sequence, width), "input", gradient=False))
        for _ in range(steps):
            step = self.random.choice([self.linear, self.norm, self.add, self.square, self.attend, self.side])
            now = step(now)
        if self.chance():
            self.loss(now)
        return self.graph()

    def linear(self, read, out=None):
        batch, sequence, inner = self.tensors[read].sizes
        fitting = [one for one in self.weights if self.tensors[one].sizes[1] == inner]
        if out is None and fitting and self.chance():  # tied: the weight of another, transposed
            weight, dims = self.random.choice(fitting), ("out", "in")
            out = self.tensors[weight].sizes[0]
        else:
            out, dims = out or self.size(), ("in", "out")
            weight = self.parameter("weight", (inner, out))
            self.weights.append(weight)
        sizes = {"batch": batch, "sequence": sequence, "in": inner, "out": out}
        operands = [Operand(read, ("batch", "sequence", "in")), Operand(weight, dims)]
        if self.chance(0.4):
            operands.append(Operand(self.parameter("bias", (out,)), ("out",), saved=False, is_added=True))
        return self.operator("linear", sizes, operands, ("batch", "sequence", "out"))

    def norm(self, read):
        sizes = dict(zip(ROW, self.tensors[read].sizes, strict=True))
        operands = [Operand(read, ROW), Operand(self.parameter("scale", (sizes["width"],)), ("width",))]
        statistics = (Statistic(("batch", "sequence"), self.random.choice([1, 2]), 2),)
        return self.operator("norm", sizes, operands, ROW, cheap=True, statistics=statistics)

    def add(self, read):
        alike = [
            one.output.tensor
            for one in self.operators
            if self.tensors[one.output.tensor].sizes == self.tensors[read].sizes
        ]
        dims = ROW if len(self.tensors[read].sizes) == 3 else MAP
        sizes = dict(zip(dims, self.tensors[read].sizes, strict=True))
        further = Operand(self.random.choice(alike), dims, saved=False, has_gradient=len(self.operators) % 3 > 0)
        operands = [Operand(read, dims, saved=False), further]
        return self.operator("add", sizes, operands, dims, cheap=True)

    def square(self, read):
        sizes = dict(zip(ROW, self.tensors[read].sizes, strict=True))
        own = len(self.operators) % 2 > 0
        return self.operator(
            "square", sizes, [Operand(read, ROW, has_gradient=own), Operand(read, ROW)], ROW, cheap=True
        )

    def side(self, read):
        """Let something read it that nobody reads."""
        self.linear(read)
        return read

    def attend(self, read):
        batch, sequence, _ = self.tensors[read].sizes
        heads, depth = self.size(), self.random.choice([1, 2])
        query, key, value = (self.linear(read, heads * depth) for _ in range(3))
        rows, whole = ("batch", "sequence", "heads"), ("batch", None, "heads")
        operands = [Operand(query, rows), Operand(key, whole), Operand(value, whole)]
        sizes = {"batch": batch, "sequence": sequence, "heads": heads}
        return self.linear(self.operator("attention", sizes, operands, rows, self.tensors[query].sizes))

    def loss(self, read):
        sizes = dict(zip(ROW, self.tensors[read].sizes, strict=True))
        labels = self.tensor("labels", self.tensors[read].sizes[:2], "input", gradient=False)
        operands = [Operand(read, ROW), Operand(labels, ROW[:2])]
        self.operator("loss", sizes, operands, ROW[:2], statistics=(Statistic(ROW[:2], 2, 0),))

    def maps(self, steps):
        rows = 2 * self.size()
        read = self.tensor("image", (self.size(), self.size(), rows, rows), "input", gradient=False)
        now = self.convolve(read)
        for _ in range(steps):
            now = self.random.choice([self.convolve, self.pool_rows, self.batch_norm, self.add])(now)
        if self.chance():
            sizes = dict(zip(MAP, self.tensors[now].sizes, strict=True))
            self.operator("global_pool", sizes, [Operand(now, MAP)], MAP[:2])
        return self.graph()

    def convolve(self, read):
        batch, channel, rows, columns = self.tensors[read].sizes
        stride = 2 if min(rows, columns) % 2 == 0 and max(rows, columns) % 2 == 0 and self.chance(0.3) else 1
        sizes = dict(zip((*MAP, "in"), (batch, self.size(), rows // stride, columns // stride, channel), strict=True))
        weight = self.parameter("kernel", (channel, sizes["channel"], 3, 3))
        slides = self.windows(rows, columns, stride)
        operands = [
            Operand(read, ("batch", "in", "row", "column"), slides),
            Operand(weight, ("in", "channel", None, None)),
        ]
        if self.chance(0.4):
            bias = self.parameter("bias", (sizes["channel"],))
            operands.append(Operand(bias, ("channel",), saved=False, is_added=True))
        return self.operator("conv", sizes, operands, MAP)

    def windows(self, rows, columns, stride=1):
        found = {}
        for dim, size in zip(MAP[2:], (rows, columns), strict=True):
            kernel, dilation = self.random.choice([1, 2, 3, 3, 5]), 1 + self.chance(0.2)
            if self.chance(0.8):
                before = self.random.randrange(dilation * (kernel - 1) + 1)
                found[dim] = Window(size // stride, kernel, stride, dilation, before)
        return found

    def pool_rows(self, read):
        sizes = dict(zip(MAP, self.tensors[read].sizes, strict=True))
        return self.operator(
            "pool", sizes, [Operand(read, MAP, self.windows(*self.tensors[read].sizes[2:]))], MAP, cheap=True
        )

    def batch_norm(self, read):
        sizes = dict(zip(MAP, self.tensors[read].sizes, strict=True))
        operands = [
            Operand(read, MAP),
            Operand(self.parameter("scale", (sizes["channel"],)), ("channel",)),
            Operand(self.parameter("shift", (sizes["channel"],)), ("channel",), saved=False),
        ]
        return self.operator(
            "batch_norm", sizes, operands, MAP, cheap=True, statistics=(Statistic(("channel",), 2, 2),)
        )
