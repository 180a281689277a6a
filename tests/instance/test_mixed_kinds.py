"""Kinds of accelerators in instances: which leaves they are, what they hold, and what may be fixed between them."""

from __future__ import annotations

import pytest
from helpers import document
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt import Array, Instance, load
from hypar_opt.instance.build import word_fault
from hypar_opt.instance.network import workload
from hypar_opt.util.errors import InputError

LAYERS = [{"name": "fc1", "linear": {"features": 8}}, {"name": "fc2", "linear": {"features": 4}}]


def kind(name, rate=2, capacity=None, **where):
    memory = {} if capacity is None else {"memory": {"capacity": capacity}}
    accelerator = {"model": "as-evaluated", "rate": rate, **memory}
    return {"kind": name, **where, "bandwidth": 3, "accelerator": accelerator}


def mixed(*kinds, levels=1, fix=None, objective=None, **cost):
    whole = document(LAYERS, [8], fix=fix, objective=objective, bytes_per_element=2, **cost)
    return Instance.from_dict(whole | {"array": {"topology": "h-tree", "levels": levels, "accelerators": list(kinds)}})


def unlike(fast=None, slow=None, **more):
    return mixed(kind("fast", 4, fast, count=1), kind("slow", 1, slow, count=1), **more)


LEAVES = st.integers(0, 3).flatmap(
    lambda levels: st.lists(st.sampled_from("abc"), min_size=2**levels, max_size=2**levels)
)


@given(LEAVES)
def test_counts_groups_and_nodes_say_the_same(leaves):
    levels = len(leaves).bit_length() - 1
    names = sorted(set(leaves))
    of = {
        name: [f"{leaf:0{levels}b}" if levels else "" for leaf, one in enumerate(leaves) if one == name]
        for name in names
    }
    by_groups = mixed(*(kind(name, groups=groups) for name, groups in of.items()), levels=levels)
    *others, last = names
    rest = kind(last, count=len(of[last]))
    by_count = mixed(*(kind(name, groups=of[name]) for name in others), rest, levels=levels)
    on = {name: [leaf if leaf % 2 else f"a{leaf}" for leaf, one in enumerate(leaves) if one == name] for name in names}
    by_nodes = mixed(*(kind(name, nodes=nodes) for name, nodes in on.items()), levels=levels)
    assert by_groups.partition.types == by_count.partition.types == tuple(names.index(one) for one in leaves)
    assert by_groups.sha256 == by_count.sha256 == by_nodes.sha256


@given(st.permutations(range(6)), st.lists(st.sampled_from("ab"), min_size=6, max_size=6))
def test_a_leaf_is_of_the_kind_of_the_node_that_it_stands_on(order, kinds):
    """Of six nodes four are taken; whoever stands on none is of no leaf."""
    names = [f"node{i}" for i in range(6)]
    graph = {
        "nodes": [{"name": name} for name in names] + [{"name": "hub", "kind": "switch"}],
        "links": [{"ends": [name, "hub"]} for name in names],
    }
    taken = [kinds[site] for site in order[:4]]
    used = sorted(set(taken))
    each = [kind(name, nodes=[i if i % 2 else names[i] for i in range(6) if kinds[i] == name]) for name in used]
    array = Array("custom", 2, graph=graph, accelerators=each, placement=[names[site] for site in order[:4]])
    assert [used[place] for place in array.partition.types] == taken


def test_which_leaves_are_of_which_kind_is_part_of_the_hash():
    assert unlike().sha256 != mixed(kind("slow", 1, count=1), kind("fast", 4, count=1)).sha256


def test_leaves_stand_on_the_first_nodes_in_order_unless_a_placement_says_otherwise():
    slow, fast = kind("slow", nodes=["a4", "a1"]), kind("fast", 4, nodes=[0, 2, 3, 5])
    array = {"topology": "torus", "levels": 2, "dims": [2, 3], "accelerators": [slow, fast]}
    assert Array(**array, placement="identity").partition.types == (1, 0, 1, 1)
    assert Array(**array, placement=["a4", "a1", "a0", "a2"]).partition.types == (0, 0, 1, 1)


def test_a_list_of_one_kind_has_no_splits():
    instance = mixed(kind("all", count=4), levels=2)
    assert (instance.mixed.splits, instance.accelerators, instance.is_placed) == ((), 4, False)


def test_equal_accelerators_have_no_kinds_and_no_shares():
    instance = load("lenet-c")
    assert (instance.mixed, instance.shares.first, instance.barrier.name) == (None, (), "step")


def test_arrays_made_in_python_may_have_kinds():
    array = Array("h-tree", 1, accelerators=[kind("fast", count=1), kind("slow", count=1)], reads="group")
    assert (array.mixed.splits, array.mixed.reads) == (("root",), "group")
    with pytest.raises(
        InputError, match="accelerators: expected 4 accelerators, one for every leaf of 2 levels, got 2"
    ):
        Array("h-tree", 2, accelerators=[kind("fast", count=1), kind("slow", count=1)])


@pytest.mark.parametrize(("word", "fault"), [("n.", None), ("nd", None), ("dn", "at level 2"), ("nn", "at level 2")])
def test_a_half_idles_only_where_all_halves_are_unlike(word, fault):
    instance = mixed(kind("slow", groups=["0", "11"]), kind("fast", count=1), levels=2, choices=["dp", "mp", "none"])
    found = word_fault(word, instance.spec, workload(instance.network).layers[0], beside=".")
    assert (found is None) if fault is None else (fault in found)


def test_none_alone_is_a_choice_between_unlike_halves():
    assert unlike(choices=["none"]).choices == "n"


@pytest.mark.parametrize(
    ("least", "cost"),
    [
        ((96, 32), {"choices": ["mp"], "shares": ["3/4", "1/4"]}),  # of 8 x 8 weights of two bytes
        ((64, 64), {"choices": ["mp"]}),
        ((128, 128), {"choices": ["dp"]}),
        ((32, 32), {"choices": ["mp"], "shares": {"parts": 4}, "objective": {"time": 1}}),
        ((64, 0), {"choices": ["mp", "none"]}),  # the slow half may idle
    ],
)
def test_what_a_kind_has_to_hold_at_the_least(least, cost):
    fast, slow = (max(1, one) for one in least)
    enough = {"fast": fast, "slow": slow} if sum(least) >= 128 else {"fast": 128, "slow": slow}
    assert unlike(**enough, **cost).levels == 1
    for place, name in enumerate(("fast", "slow")):
        if least[place]:
            with pytest.raises(InputError, match=f"{least[place]} bytes.* on {name} however.* got {least[place] - 1}"):
                unlike(**{**enough, name: least[place] - 1}, **cost)


def test_all_memories_together_hold_the_weights_once():
    with pytest.raises(InputError, match="memory for 128 bytes, the weights of 'fc1' alone, got 127 in all"):
        unlike(100, 27, choices=["mp"], shares="exact", objective={"time": 1})
