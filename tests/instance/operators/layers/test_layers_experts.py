"""Mixtures of experts."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.util.errors import NetworkError
from tests.instance.operators.made import graph_of


def experts(**fields):
    graph = graph_of([{"name": "e", "experts": {"count": 4, "top": 2, "hidden": 5, **fields}}])
    return graph, {one.name: one for one in graph.operators}


def test_slots_carry_the_batch_at_dispatch_and_experts_at_their_layers():
    graph, operators = experts()
    assert operators["e.dispatch"].output.dims == ("experts", "batch", "features")
    assert operators["e.up"].operands[0].dims == ("experts", "slots", "in")
    assert operators["e.up"].operands[1].dims == ("experts", "out", "in")
    assert operators["e"].operands[0].dims == ("experts", "batch", "features")
    assert operators["e.dispatch"].operands[1].dims == operators["e"].operands[1].dims == ("batch", None, None)
    assert graph.tensors["e.dispatch"].sizes == (4, 12, 8)
    assert graph.tensors["e"].sizes == (4, 6, 8)


def test_to_whom_positions_are_sent_has_no_gradient():
    graph, operators = experts()  # of the network's input
    sent, shares = operators["e.dispatch"].operands
    assert (sent.has_gradient, shares.has_gradient) == (True, False)
    assert graph.tensors["e.softmax"].has_gradient
    assert not graph.tensors["e.dispatch"].has_gradient
    assert not any(map(graph.has_gradient, operators["e.dispatch"].operands))
    assert graph.has_gradient(operators["e"].operands[1])


def test_experts_have_two_layers_or_three():
    assert experts()[0].parameters == 8 * 4 + 4 * 2 * 8 * 5
    assert experts(gated=True)[0].parameters == 8 * 4 + 4 * 3 * 8 * 5


@given(capacity=st.integers(1, 9), top=st.integers(1, 4))
def test_slots_are_what_all_get_times_the_capacity(capacity, top):
    graph, operators = experts(capacity=capacity, top=top)
    slots = graph.tensors["e.dispatch"].sizes[1]
    assert slots == ceil(Fraction(capacity * top * 24, 4))
    assert slots % operators["e.dispatch"].sizes["batch"] == 0


def test_there_are_no_more_than_all_experts():
    with pytest.raises(NetworkError, match="layer 'e': expected at most the 4 experts, got 5"):
        experts(top=5)
