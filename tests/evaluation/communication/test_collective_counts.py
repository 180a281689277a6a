"""Collectives of plans: known numbers, and where bytes move there is one."""

from __future__ import annotations

from collections import Counter
from random import Random

from helpers import document, each, linear_chain

from hypar_opt.evaluation.communication.counts import collectives_of
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.instance import Instance

CHAIN = Evaluator(
    Instance.from_dict(document(linear_chain(8, 8, 8, 8), [8], batch=8, levels=3, choices=["dp", "mp", "op"]))
)


def plan(*words):
    return {layer.name: word for layer, word in zip(CHAIN.work.layers, words, strict=True)}


def kinds(*words, **how):
    return Counter(f"{one.phase} {one.kind}" for one in collectives_of(CHAIN.work, plan(*words), **how))


def test_op_gathers_every_map_and_adds_up_every_error():
    found = {"forward all-gather": 3, "backward all-reduce": 4}
    assert kinds(*["ooo"] * 4) == found
    assert kinds(*["ooo"] * 4, input_error=False) == {**found, "backward all-reduce": 3}


def test_alternating_halves_them():
    assert kinds("ooo", "mmm", "ooo", "mmm") == {"forward all-reduce": 2, "backward all-reduce": 2}
    one, other = (kinds(*words, input_error=False) for words in (["ooo", "mmm"] * 2, ["ooo"] * 4))
    assert 2 * sum(one.values()) == sum(other.values())


def test_data_parallelism_adds_up_gradients_alone():
    assert kinds(*["ddd"] * 4) == {"gradient all-reduce": 4}


def test_halves_along_two_dimensions_are_exchanged_all_to_all():
    assert kinds("ddd", "mmm", "mmm", "ddd")["forward all-to-all"] == 1
    assert kinds("ddo", "dmm", "dmm", "dmm")["forward all-to-all"] == 1


@each("seed", range(300), quick=40)
def test_there_is_a_collective_where_bytes_move(seed):
    words = ["".join(Random(f"{seed} {i}").choices("dmo", k=3)) for i in range(4)]
    moved = CHAIN.bytes_of(plan(*words), "leaf-exact")
    found = collectives_of(CHAIN.work, plan(*words))
    for edge, forward, backward in zip(CHAIN.work.boundaries, moved.forward, moved.backward, strict=True):
        reader = CHAIN.work.layers[edge.reader].name
        for phase, row in (("forward", forward), ("backward", backward)):
            there = any(one.layer == reader and one.phase == phase and one.kind != "all-reduce" for one in found)
            assert there is any(row)
    for layer, row in zip(CHAIN.work.layers, moved.intra, strict=True):
        assert any(row) is any(one.layer == layer.name and one.kind == "all-reduce" for one in found)
