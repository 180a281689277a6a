"""Which blocks are equal to others with all around them."""

from __future__ import annotations

from hypar_opt.instance.operators.equal_blocks import EqualBlocks
from tests.instance.operators.made import graph_of, tapped
from tests.instance.operators.test_operator_networks import TABLE, repeated

LOSS = {"name": "loss", "loss": {}}


def test_blocks_that_are_not_near_the_ends_are_copies_of_the_second():
    graph = graph_of([TABLE, repeated(9), LOSS])
    (repeat,) = graph.repeats
    starts = [repeat.first + repeat.length * number for number in range(9)]
    equal = EqualBlocks(graph)
    assert equal.copies == dict.fromkeys(starts[2:7], starts[1])  # behind the next one is the last, which is none
    assert not EqualBlocks(graph, sought=False).copies


def test_a_block_that_something_else_reads_is_no_copy_nor_are_those_beside_it():
    graph = graph_of([TABLE, repeated(9), LOSS])
    (repeat,) = graph.repeats
    starts = [repeat.first + repeat.length * number for number in range(9)]
    assert set(EqualBlocks(tapped(graph, "h.4.sum")).copies) == {starts[number] for number in (2, 6)}
