"""What every step does to tables that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from presolve_checks import tables_of

from hypar_opt.costgraph import FORBIDDEN as X
from hypar_opt.costgraph.presolve import NoPlan, presolve
from hypar_opt.costgraph.presolve.aggregation import merge_followers
from hypar_opt.costgraph.presolve.capacity_tightening import forbid_crowded
from hypar_opt.costgraph.presolve.elimination import eliminate_leaves, eliminate_paths, solve_isolated
from hypar_opt.costgraph.presolve.rows import simplify_memory
from hypar_opt.costgraph.presolve.separable import fold_separable
from hypar_opt.costgraph.presolve.value_removal import drop_dominated, drop_forbidden, drop_unsupported

FREE = [[5, 0], [0, 7]]


def test_a_chain_of_followers_becomes_its_leader():
    """Three values decide two, which decide two more; all costs and the memory are the leader's."""
    tables = tables_of(
        [3, 2, 2],
        [[1, 2, 3], [10, 20], [100, 200]],
        [(0, 1, [[0, X], [X, 4], [X, 0]]), (1, 2, [[X, 0], [0, X]])],
        [(2, 0, 1, [8, 9])],
        [100],
    )
    after, step = merge_followers(tables)
    assert (after.sizes.tolist(), after.unary.tolist(), len(after.ends)) == ([3], [211, 126, 123], 0)
    assert after.memory.holders.tolist() == [0]
    assert after.memory.usages.tolist() == [9, 8, 8]
    assert step.expand(np.array([2])).tolist() == [2, 1, 0]
    assert step.contract(np.array([2, 0, 0])) is None
    assert step.parents.tolist() == [-1, 0, 1]


def test_a_ring_of_ties_keeps_one_leader_and_what_contradicts_is_forbidden():
    tie, swap = [[0, X], [X, 0]], [[X, 0], [0, X]]
    after, _ = merge_followers(tables_of([2] * 3, [[0, 1]] * 3, [(0, 1, tie), (1, 2, tie), (0, 2, tie)]))
    assert after.unary.tolist() == [0, 3]
    with pytest.raises(NoPlan, match="variable 0: every value of it is forbidden"):
        presolve(tables_of([2] * 3, [[0, 1]] * 3, [(0, 1, tie), (1, 2, tie), (0, 2, swap)]))


def test_a_leader_s_value_that_leaves_its_follower_none_is_forbidden():
    after, _ = merge_followers(tables_of([2, 2], [[0, 0], [1, 2]], [(0, 1, [[X, 0], [X, X]])]))
    assert after.unary.tolist() == [2, X]


def test_edges_of_followers_of_one_pair_of_leaders_are_summed():
    tie = [[0, X], [X, 0]]
    edges = [(0, 1, tie), (0, 3, FREE), (1, 2, [[1, 2], [3, 4]]), (2, 3, tie)]
    after, _ = merge_followers(tables_of([2] * 4, [[0, 0]] * 4, edges))
    assert after.count == 2
    assert after.edges.tolist() == [6, 2, 3, 11]


def test_what_is_forbidden_goes_and_what_has_no_support_with_it():
    tables = tables_of([2, 3], [[0, X], [0, 0, 0]], [(0, 1, [[1, X, 2], [1, 1, 1]])])
    after, _ = drop_forbidden(tables)
    assert after.sizes.tolist() == [1, 3]
    after, step = drop_unsupported(after)
    assert (after.sizes.tolist(), after.edges.tolist()) == ([1, 2], [1, 2])
    assert step.expand(np.array([0, 1])).tolist() == [0, 2]


def test_separable_edges_are_folded_and_others_are_not():
    tables = tables_of([2, 2, 2], [[0, 0]] * 3, [(0, 1, [[1, 5], [3, 7]]), (0, 2, FREE), (1, 2, [[1, X], [1, 1]])])
    after, _ = fold_separable(tables)
    assert after.ends.tolist() == [[0, 2], [1, 2]]
    assert after.unary.tolist() == [1, 3, 0, 4, 0, 0]


def test_a_value_goes_where_another_is_never_worse():
    after, step = drop_dominated(tables_of([2, 2], [[3, 0], [0, 0]], [(0, 1, [[2, 2], [4, 5]])]))
    assert after.sizes.tolist() == [1, 1]
    assert step.contract(np.array([0, 1])).tolist() == [0, 0]


@pytest.mark.parametrize(("unary", "edge"), [([0, 1], FREE), ([1, 0], [[0, 3], [0, 5]])])
def test_a_value_stays_where_another_may_be_worse(unary, edge):
    """Under the second, the value of greater cost saves 2 beside the neighbour's second value, which must stay too."""
    tables = tables_of([2, 2], [unary, [0, -9]], [(0, 1, edge)])
    made = drop_dominated(tables)
    assert made is None or made[0].sizes[0] == 2


def test_a_cheaper_value_does_not_dominate_one_of_less_memory():
    own = tables_of([2], [[0, 5]], items=[(0, 0, 1, [3, 2])], room=[9])
    assert drop_dominated(own) is None
    assert drop_dominated(tables_of([2], [[0, 5]], items=[(0, 0, 1, [2, 2])], room=[9])) is not None


def test_a_value_does_not_dominate_one_that_is_allowed_beside_more():
    tables = tables_of([2, 2], [[0, 5], [0, -50]], [(0, 1, [[0, X], [0, 0]])])
    assert drop_dominated(tables) is None


def test_a_leaf_becomes_costs_of_its_neighbour():
    tables = tables_of([2, 2], [[1, 0], [0, 0]], [(0, 1, FREE)], [(1, 0, 1, [3, 2])], [4])
    after, step = eliminate_leaves(tables)
    assert after.unary.tolist() == [0, 1]
    assert after.memory.holders.tolist() == [0]
    assert step.expand(np.array([1])).tolist() == [0, 1]


def test_what_takes_memory_is_not_eliminated():
    tables = tables_of([2, 2], [[1, 0], [0, 0]], [(0, 1, FREE)], [(0, 0, 1, [3, 2]), (1, 0, 1, [3, 2])], [4])
    assert eliminate_leaves(tables) is None


def test_a_variable_of_two_neighbours_becomes_an_edge_between_them():
    edges = [(0, 1, FREE), (1, 2, FREE), (0, 3, FREE), (2, 3, FREE)]
    held = [(0, 0, 1, [3, 2]), (2, 0, 1, [3, 2]), (3, 0, 1, [3, 2])]
    after, step = eliminate_paths(tables_of([2] * 4, [[0, 0]] * 4, edges, held, [6]))
    assert after.ends.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert after.table(0).tolist() == [[0, 5], [5, 0]]
    assert step.expand(np.array([1, 1, 0])).tolist() == [1, 0, 1, 0]


def test_no_table_is_made_that_is_larger_than_those_that_go():
    wide = np.arange(10).reshape(2, 5) ** 2
    held = [(0, 0, 1, [3, 2, 1, 0, 0]), (2, 0, 1, [3, 2, 1, 0, 0])]
    edges = [(0, 1, wide.T), (1, 2, wide)]
    assert eliminate_paths(tables_of([5, 2, 5], [[0] * 5, [0] * 2, [0] * 5], edges, held, [5])) is None


def test_what_stands_alone_takes_its_cheapest_value():
    after, step = solve_isolated(tables_of([2, 3], [[1, 2], [9, 4, 4]], items=[(0, 0, 1, [1, 0])], room=[1]))
    assert (after.count, after.constant) == (1, 4)
    assert step.expand(np.array([1])).tolist() == [1, 1]


def test_the_least_is_taken_off_the_room_and_items_no_longer_overlap():
    """Row 0: 3 or 1; row 1: 3 + 2 or 1 + 6; row 2: 2 or 6; less the least 1, 5, 2."""
    tables = tables_of([2], [[0, 0]], items=[(0, 0, 2, [3, 1]), (0, 1, 3, [2, 6])], room=[2, 6, 5])
    after = simplify_memory(tables)[0].memory
    assert after.usages.reshape(-1, 2).tolist() == [[2, 0], [0, 2], [0, 4]]
    assert (after.room.tolist(), after.moments.tolist()) == ([1, 1, 3], [0, 10, 20])


def test_rows_that_are_never_full_or_say_no_more_than_another_go():
    """Row 0 has what row 1 has, but for variable 1; row 3 has room for all."""
    items = [(0, 0, 4, [5, 0]), (1, 1, 2, [4, 0]), (2, 1, 3, [0, 3])]
    after, step = simplify_memory(tables_of([2] * 3, [[0, 0]] * 3, items=items, room=[4, 4, 4, 6]))
    assert step.gone.tolist() == [True, False, True, True]
    assert (after.memory.room.tolist(), after.memory.moments.tolist()) == ([4], [10])


def test_a_row_of_less_room_stays_beside_one_that_has_more_in_it():
    items = [(0, 0, 2, [5, 0]), (1, 1, 2, [4, 0])]
    assert simplify_memory(tables_of([2] * 2, [[0, 0]] * 2, items=items, room=[3, 4])) is None


def test_what_can_t_fit_beside_the_least_of_the_others_is_forbidden():
    tables = tables_of([2, 2], [[0, 0]] * 2, items=[(0, 0, 1, [1, 4]), (1, 0, 1, [3, 2])], room=[5])
    after, step = forbid_crowded(tables)
    assert after.unary.tolist() == [0, X, 0, 0]
    assert step.contract(np.array([1, 1])) is None
    assert forbid_crowded(tables.replace(memory=tables_of([], [], room=[1]).memory)) is None


def test_too_little_memory_is_said_with_time_and_amounts():
    items = [(0, 0, 1, [1, 4]), (0, 1, 2, [5, 6]), (1, 1, 2, [3, 2])]
    with pytest.raises(NoPlan, match=r"^at time 10 at least 7 of memory is needed, and 6 is available$"):
        presolve(tables_of([2, 2], [[0, 0]] * 2, items=items, room=[5, 6]))


def test_a_variable_that_fits_with_no_value_is_named_and_what_it_lacks():
    """At time 0 the first value is 4 too much, at time 10 the second, beside at least 1 of the other variable, 3."""
    items = [(1, 0, 1, [9, 0]), (1, 1, 2, [0, 8]), (0, 1, 2, [2, 1])]
    said = "with 1, at time 10 9 of memory is needed, and 6 is available"
    with pytest.raises(NoPlan, match=f"^variable 1: no value of it fits beside the least of the others; {said}$"):
        presolve(tables_of([2, 2], [[0, 0]] * 2, items=items, room=[5, 6]))


def test_tables_of_nothing_are_left_as_they_are():
    assert presolve(tables_of([], [])).tables.count == 0
