"""What is equal in repeated blocks is said once, and nothing else is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Repeat, Tensor
from hypar_opt.report.operators.blocks import RepeatedBlocks

TIMES = 5


def graph():
    """Return five blocks of two operators, and one in front."""
    names = ["first", *(f"h.{i}.{part}" for i in range(TIMES) for part in ("a", "b"))]
    tensors = {name: Tensor(name, (4,), "activation") for name in names} | {"input": Tensor("input", (4,), "input")}
    operators, above = [], "input"
    for name in names:
        operators.append(
            Operator(name, "any", name, {"n": 4}, ("n",), (Operand(above, ("n",)),), Operand(name, ("n",)))
        )
        above = name
    return OperatorGraph(tensors, tuple(operators), (Repeat(1, 2, TIMES),))


BLOCKS = RepeatedBlocks(graph())


def test_equal_neighbours_are_one():
    items = [("first", 1), *((f"h.{i}.a", 7 if i < 3 else 8) for i in range(TIMES))]
    found = [(one.label, one.value, len(one.names)) for one in BLOCKS.folded(items)]
    assert found == [("first", 1, 1), ("h.0 to h.2: a", 7, 3), ("h.3 to h.4: a", 8, 2)]


def test_names_of_parameters_and_of_no_block():
    items = [(f"h.{i}.b.weight", 0) for i in (0, 1, 3)] + [("h", 0), ("other.0.b", 0)]
    labels = [one.label for one in BLOCKS.folded(items)]
    assert labels == ["h.0 to h.1: b.weight", "h.3.b.weight", "h", "other.0.b"]


def test_whether_blocks_run_once_more_is_said_of_neighbours_together():
    items = [(f"h.{i}:recompute", "no" if i == 2 else "yes") for i in range(TIMES)] + [("first:recompute", "yes")]
    labels = [one.label for one in BLOCKS.folded(items)]
    assert labels == ["h.0 to h.1: recompute", "h.3 to h.4: recompute", "h.2:recompute", "first:recompute"]


@given(st.lists(st.integers(0, 2), min_size=2 * TIMES, max_size=2 * TIMES))
def test_nothing_is_lost_and_nothing_unlike_is_joined(values):
    items = [(f"h.{i // 2}.{'ab'[i % 2]}", value) for i, value in enumerate(values)]
    folded = BLOCKS.folded(items)
    assert sorted((name, one.value) for one in folded for name in one.names) == sorted(items)
    for one in folded:
        assert len({name.rpartition(".")[2] for name in one.names}) == 1
