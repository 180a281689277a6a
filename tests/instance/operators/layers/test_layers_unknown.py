"""What imported models have: functions of several layers, sizes of 1 that spread, operators that are not known."""

from __future__ import annotations

import pytest

from hypar_opt.instance.operators.words import offered
from hypar_opt.util.errors import NetworkError
from tests.instance.operators.made import graph_of, one, reads


def of_two(kind, a, b, **fields):
    layers = [{"name": "it", "inputs": ["a", "b"], kind: fields}]
    return graph_of(layers, a=a, b=b).operators[-1]


def test_a_function_of_two_layers_reads_a_size_of_1_whole():
    found = of_two("elementwise", {"rows": 6, "columns": 1}, {"rows": 1, "columns": 8})
    assert found.splits == ("batch", "rows", "columns")
    assert reads(found) == {"a": ("batch", "rows", None), "b": ("batch", None, "columns")}
    assert found.sizes == {"batch": 4, "rows": 6, "columns": 8}


@pytest.mark.parametrize("other", [{"rows": 2, "columns": 8}, {"rows": 6}])
def test_other_sizes_are_refused(other):
    with pytest.raises(NetworkError, match=r"tensors of one shape, in which sizes may be 1, got .*rows 6"):
        of_two("elementwise", {"rows": 6, "columns": 8}, other)


@pytest.mark.parametrize("function", ["add", "subtract", "multiply", None])
def test_a_backward_phase_reads_no_operands_again_of_sums(function):
    document = {"a": {"rows": 6}, "b": {"rows": 6}}
    layers = [{"name": name, "inputs": [name[0]], "linear": {"features": 8}} for name in ("a1", "b1")]
    layers += [{"name": "it", "inputs": ["a1", "b1"], "elementwise": {"function": function} if function else {}}]
    found = graph_of(layers, **document).operators[-1]
    assert [one.saved for one in found.operands] == [function not in ("add", "subtract")] * 2


def test_dropout_reads_its_mask_again_and_not_its_input():
    layers = [{"name": "fc", "linear": {"features": 8}}, {"name": "it", "dropout": {}}]
    graph = graph_of(layers, {"rows": 6})
    x, mask = graph.operators[-1].operands
    assert (x.saved, mask.saved, mask.dims) == (False, True, x.dims)
    assert (mask.tensor, graph.tensors[mask.tensor].role, graph.tensors[mask.tensor].is_mask) == (
        "it.mask",
        "input",
        True,
    )


def test_what_is_expanded_is_written_in_shards_of_what_is_read_whole():
    found, sizes = one("expand", {"rows": 1, "columns": 8}, rows=6)
    assert sizes == (4, 6, 8)
    assert found.splits == ("batch", "rows", "columns")
    assert reads(found) == {"input": ("batch", None, "columns")}
    with pytest.raises(NetworkError, match="dimensions of size 1, got columns of"):
        one("expand", {"rows": 1, "columns": 8}, columns=6)


def test_what_is_not_known_is_computed_whole():
    found, sizes = one("opaque", {"rows": 6}, shape={"places": 3}, parameters=10, operator="CumSum")
    assert sizes == (4, 3)
    assert offered(found, None) == ("none",)
    assert reads(found) == {"input": (None, None), "it.weight": (None,)}
