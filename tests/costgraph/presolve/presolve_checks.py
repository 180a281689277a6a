"""What must hold of a step, by trying every assignment of the tables before it and of those after it."""

from __future__ import annotations

import numpy as np

from hypar_opt.costgraph import Memory, Tables, offsets


def tables_of(sizes, unary, edges=(), items=(), room=()):
    """Return tables written by hand.

    Parameters
    ----------
    sizes
        By variable.
    unary
        By variable, its values' costs.
    edges
        (first, second, matrix).
    items
        (holder, first row, last row + 1, usages).
    room
        By row; row r stands for time 10 r.
    """
    whole = [np.array(one, dtype=np.int64) for one in unary]
    matrices = [np.array(matrix, dtype=np.int64) for _, _, matrix in edges]
    empty = np.zeros(0, dtype=np.int64)
    memory = Memory(
        np.array([item[0] for item in items], dtype=np.int64),
        np.array([item[1:3] for item in items], dtype=np.int64).reshape(-1, 2),
        offsets(np.array([len(item[3]) for item in items], dtype=np.int64)),
        np.concatenate([empty, *(np.array(item[3], dtype=np.int64) for item in items)]),
        np.array(room, dtype=np.int64),
        10 * np.arange(len(room)),
    )
    return Tables(
        np.array(sizes, dtype=np.int64),
        np.concatenate([empty, *whole]),
        np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2),
        np.concatenate([empty, *(matrix.reshape(-1) for matrix in matrices)]),
        memory,
    )


def assignments(tables):
    """Return all of them; shape (assignments, variables)."""
    return np.indices(tuple(tables.sizes)).reshape(tables.count, -1).T if tables.count else np.zeros((1, 0), np.int64)


def optimum(tables):
    """Return the least value of what is feasible, or None."""
    return min((tables.value(one) for one in assignments(tables) if tables.feasible(one)), default=None)


def unfaithful(before, after, step):
    """Return in which way a step does not keep what it should, or None."""
    if optimum(before) != optimum(after):
        return f"the optimum was {optimum(before)} and is {optimum(after)}"
    for one in assignments(after):
        whole = step.expand(one)
        if before.feasible(whole) != after.feasible(one):
            return f"{one} and {whole} differ in whether they are feasible"
        if after.feasible(one):
            again = step.contract(whole)
            if before.value(whole) != after.value(one):
                return f"{one} costs {after.value(one)} and {whole} {before.value(whole)}"
            if again is None or after.value(again) > after.value(one):
                return f"{one} comes back as {again}"
    for one in assignments(before):
        less = step.contract(one)
        if before.feasible(one) and (less is None or not after.feasible(less) or after.value(less) > before.value(one)):
            return f"{one} becomes {less}"
    return None
