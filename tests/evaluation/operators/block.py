"""A transformer block: batch 8, sequence 32, width 64, 4 heads of 16, hidden 256."""

from __future__ import annotations

from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Statistic, Tensor

BATCH, SEQUENCE, WIDTH, HEADS, HIDDEN = 8, 32, 64, 4, 256
ROWS = {"batch": BATCH, "sequence": SEQUENCE}
LINEARS = {"query": "one", "key": "one", "value": "one", "project": "attention", "up": "two", "down": "gelu"}
"""What each reads."""
INNER = {"up": HIDDEN, "gelu": HIDDEN}
"""Widths of what is written, where they are not the block's."""


def row_tensor(name, *, gradient=True, role="activation"):
    sizes = (BATCH, SEQUENCE, INNER.get(name, WIDTH))
    return Tensor(name, sizes, role, has_gradient=gradient)


def linear(name):
    read = LINEARS[name]
    sizes = ROWS | {"in": INNER.get(read, WIDTH), "out": INNER.get(name, WIDTH)}
    operands = (Operand(read, ("batch", "sequence", "in")), Operand(f"{name}.weight", ("in", "out")))
    return Operator(
        name, "linear", name, sizes, tuple(sizes), operands, Operand(name, ("batch", "sequence", "out"), saved=False)
    )


def rowwise(name, read, *, statistics=()):
    """Return an operator on each element, or on each row."""
    dims = ("batch", "sequence", "width")
    sizes = ROWS | {"width": INNER.get(name, WIDTH)}
    operands = tuple(Operand(one, dims) for one in read)
    return Operator(
        name, "rowwise", name, sizes, dims, operands, Operand(name, dims, saved=False), statistics, is_cheap=True
    )


def attention():
    dims, others = ("batch", "sequence", "heads"), ("batch", None, "heads")
    sizes = ROWS | {"heads": HEADS}
    operands = (Operand("query", dims), Operand("key", others), Operand("value", others))
    return Operator("attention", "attention", "attention", sizes, dims, operands, Operand("attention", dims))


def block():
    """Return its graph: the gradient of its input is not needed, so that of the first norm's output is not either."""
    over_rows = (Statistic(("batch", "sequence"), 2, 2),)
    operators = (
        rowwise("one", ("x",), statistics=over_rows),
        *(linear(name) for name in ("query", "key", "value")),
        attention(),
        linear("project"),
        rowwise("middle", ("x", "project")),
        rowwise("two", ("middle",), statistics=over_rows),
        linear("up"),
        rowwise("gelu", ("up",)),
        linear("down"),
        rowwise("end", ("middle", "down")),
    )
    weights = [
        Tensor(f"{one.name}.weight", (one.sizes["in"], one.sizes["out"]), "parameter")
        for one in operators
        if one.kind == "linear"
    ]
    tensors = (
        row_tensor("x", gradient=False, role="input"),
        *(row_tensor(one.name, gradient=one.name != "one") for one in operators),
        *weights,
    )
    return OperatorGraph({one.name: one for one in tensors}, operators)


def strategies(rows, **others):
    """Return a plan's strategies: a word for what is not named, and for the shared tensors.

    Parameters
    ----------
    rows
        A word.
    others
        By operator or, with `_` for `:`, shared tensor.
    """
    keys = [one.name for one in block().operators]
    shared = {key: rows.replace("none", "whole") for key in ("one:forward", "middle:forward", "middle:gradient")}
    return dict.fromkeys(keys, rows) | shared | {key.replace("_", ":"): word for key, word in others.items()}


def megatron(rows, columns, row, heads):
    """Return its strategies: attention by heads, the first matrices by columns, the second by rows."""
    first = dict.fromkeys(("query", "key", "value", "up"), columns)
    second = dict.fromkeys(("project", "down"), row)
    return strategies(rows, **first, **second, attention=heads, gelu=columns.replace("out", "width"))
