"""Reshapes and transpositions: no operators, and no splits lost that need not be."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.instance.operators.layers.value import fresh, regrouped
from hypar_opt.util.errors import NetworkError
from tests.instance.operators.made import graph_of, reads


def test_views_are_no_operators():
    layers = [
        {"name": "heads", "reshape": {"sequence": 6, "heads": 4, "features": 2}},
        {"name": "turned", "transpose": ["heads", "sequence", "features"]},
        {"name": "a", "activation": {}},
    ]
    graph = graph_of(layers)
    (operator,) = graph.operators
    assert reads(operator) == {"input": ("batch", "sequence", "heads")}
    assert operator.output.dims == ("batch", "heads", "sequence", "features")
    assert operator.splits == ("batch", "heads", "sequence")
    assert graph.tensors["a"].sizes == (4, 4, 6, 2)


def test_of_a_flattened_map_the_channels_can_be_split():
    (operator,) = graph_of([{"name": "f", "flatten": {}}, {"name": "a", "dropout": {}}], [3, 4, 4]).operators
    assert (operator.sizes["features"], reads(operator)["input"]) == (3, ("batch", "features", None, None))


@pytest.mark.parametrize(
    ("kind", "field", "message"),
    [
        ("reshape", {"features": 47}, "expected 48 numbers a sample as in .*, got 47"),
        ("transpose", ["sequence", "sequence"], "expected every one of sequence, features once"),
        ("transpose", ["sequence", "feature"], "got 'feature'; did you mean 'features'?"),
    ],
)
def test_views_keep_what_there_is(kind, field, message):
    with pytest.raises(NetworkError, match=message):
        graph_of([{"name": "v", kind: field}])


def test_parts_read_the_dimension_that_is_cut_whole():
    layers = [{"name": "s", "split": {"over": "features", "into": {"a": 2, "b": 6}}},
              {"name": "r", "inputs": ["s.b"], "activation": {}}]  # fmt: skip
    graph = graph_of(layers)
    assert [one.name for one in graph.operators] == ["s.a", "s.b", "r"]
    assert graph.operators[1].operands[0].dims == ("batch", "sequence", None)
    assert graph.operators[1].splits == ("batch", "sequence")
    assert graph.tensors["r"].sizes == (4, 6, 6)


@pytest.mark.parametrize(
    ("into", "message"),
    [(3, "expected a divisor of 8, got 3"), ({"a": 2, "b": 5}, "expected parts of 8 in all, got 7")],
)
def test_parts_make_up_the_whole(into, message):
    with pytest.raises(NetworkError, match=message):
        graph_of([{"name": "s", "split": {"over": "features", "into": into}}])


def test_tensors_stand_side_by_side():
    layers = [{"name": "a", "activation": {}}, {"name": "c", "inputs": ["input", "a"], "concat": {"over": "sequence"}}]
    graph = graph_of(layers)
    assert graph.tensors["c"].sizes == (4, 12, 8)
    assert graph.operators[-1].splits == ("batch", "features")


@st.composite
def regroupings(draw):
    """Return two lists of sizes with one product."""
    factors = draw(st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=5))
    return tuple([prod(part) for part in draw(parts_of(factors))] for _ in range(2))


@st.composite
def parts_of(draw, factors):
    """Return a list cut into lists."""
    cuts = sorted(draw(st.sets(st.integers(1, len(factors)))) - {len(factors)})
    return [factors[i:j] for i, j in zip([0, *cuts], [*cuts, len(factors)], strict=True)]


@settings(max_examples=50)
@given(shapes=regroupings())
def test_blocks_of_a_regrouped_dimension_are_blocks_of_the_tensor(shapes):
    """Followed element by element: what lies in a block of one lies in the same block of the other."""
    old, new = shapes
    value = fresh("t", [(f"d{i}", size) for i, size in enumerate(old)])
    dims = list(regrouped(value.dims, [(f"e{i}", size) for i, size in enumerate(new)]))
    assert [dim.size for dim in dims] == new
    for position, dim in enumerate(dims):
        if dim.place is None:
            continue
        for index in range(prod(old)):
            mine, theirs = coordinate(index, new, position), coordinate(index, old, dim.place)
            assert mine * dim.factor // dim.size == theirs * dim.factor // old[dim.place]


def coordinate(index, sizes, position):
    return index // prod(sizes[position + 1 :]) % sizes[position]


@settings(max_examples=50)
@given(old=st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_nothing_is_lost_where_nothing_changes(old):
    value = fresh("t", [(f"d{i}", size) for i, size in enumerate(old)])
    dims = list(regrouped(value.dims, [(f"d{i}", size) for i, size in enumerate(old)]))
    assert all(dim.is_plain for dim in dims if dim.size > 1)
