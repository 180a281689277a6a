"""Linear layers, attention, embeddings, normalisations: dimensions, sizes, what is counted."""

from __future__ import annotations

import pytest

from hypar_opt.util.errors import NetworkError
from tests.instance.operators.made import SEQUENCE, graph_of, one, reads

LINEAR = {"name": "linear", "linear": {"features": 8}}
LINEAR_OF_8 = {"features": 8}


def test_a_linear_layer_acts_on_the_last_dimension():
    operator, sizes = one("linear", features=5, bias=True)
    assert sizes == (4, 6, 5)
    assert operator.splits == ("batch", "sequence", "out", "in")
    assert reads(operator) == {"input": ("batch", "sequence", "in"), "it.weight": ("out", "in"), "it.bias": ("out",)}
    assert operator.multiply_adds == 4 * 6 * 8 * 5
    assert [operand.is_added for operand in operator.operands] == [False, False, True]
    assert [operand.saved for operand in operator.operands] == [True, False, False]  # no gradient of an input


def saved(*layers, **inputs):
    """Return the parameters that the backward phases of named layers read."""
    named = [{"name": name, **fields} for name, fields in layers]
    operators = graph_of(named, **inputs).operators
    return {one.tensor for each in operators for one in each.operands if one.saved and "." in one.tensor}


def test_the_backward_phase_reads_parameters_for_the_gradients_of_others_alone():
    first, second = ("one", LINEAR_OF_8 | {"bias": True}), ("two", LINEAR_OF_8 | {"bias": True})
    wide = [(name, {"linear": fields}) for name, fields in (first, second)]
    assert saved(*wide) == {"two.weight"}
    assert saved(("scale", {"norm": {}}), wide[1]) == {"two.weight"}
    assert saved(wide[0], ("scale", {"norm": {}})) == {"scale.weight"}
    tables = {"table": {"embedding": {"vocabulary": 5, "features": 8}}}
    assert saved(*tables.items(), wide[1], indices={"sequence": 6}) == {"two.weight"}
    product = {"equation": "batch s i, s i j, i j -> batch s j", "sizes": {"j": 3}}
    assert saved(("both", {"einsum": product}), shape={"s": 6, "i": 8}) == {"both.weight", "both.weight2"}
    unknown = ("unknown", {"opaque": {"shape": {"features": 3}, "parameters": 7}})
    assert saved(unknown) == {"unknown.weight"}


def test_a_linear_layer_flattens_a_map_and_can_be_split_along_its_channels():
    operator, sizes = one("linear", [3, 4, 4], features=5)
    assert sizes == (4, 5)
    assert operator.sizes["in"] == 3
    assert reads(operator)["input"] == ("batch", "in", None, None)
    assert operator.multiply_adds == 4 * 48 * 5


def attention(heads, key_heads, *, keys=8, causal=False):
    layers = [
        {"name": "q", "linear": {"features": 8}},
        {"name": "k", "inputs": ["input"], "linear": {"features": keys}},
        {"name": "v", "inputs": ["input"], "linear": {"features": keys}},
    ]
    fields = {"heads": heads, "causal": causal} | ({"key_heads": key_heads} if key_heads else {})
    graph = graph_of([*layers, {"name": "it", "inputs": ["q", "k", "v"], "attention": fields}])
    return graph.operators[-1], graph.tensors["it"].sizes


def test_attention_can_be_split_along_the_heads_of_its_keys():
    operator, sizes = attention(4, 2, keys=4)
    assert sizes == (4, 6, 8)
    assert operator.splits == ("batch", "heads", "sequence")
    assert operator.sizes["heads"] == 2
    assert reads(operator)["k"] == ("batch", "keys", "heads")
    assert operator.multiply_adds == 4 * 6 * 6 * (8 + 8)


def test_causal_attention_meets_each_pair_of_positions_once():
    assert attention(4, None, causal=True)[0].multiply_adds == 4 * (6 * 7 // 2) * (8 + 8)


def test_queries_may_meet_keys_of_another_length():
    layers = [
        {"name": "k", "inputs": ["there"], "linear": {"features": 8}},
        {"name": "q", "inputs": ["here"], "linear": {"features": 8}},
        {"name": "it", "inputs": ["q", "k", "k"], "attention": {"heads": 2}},
    ]
    graph = graph_of(layers, here=SEQUENCE, there={"sequence": 10, "features": 3})
    assert graph.tensors["it"].sizes == (4, 6, 8)
    assert graph.operators[-1].multiply_adds == 4 * 6 * 10 * (8 + 8)


@pytest.mark.parametrize(
    ("heads", "key_heads", "message"),
    [
        (3, None, "expected heads that divide the queries' 8 features, got 3"),
        (4, 3, "expected a divisor of 4 heads, got 3"),
        (4, 2, "expected as many features a head of the keys as of the queries, got 8 / 4 and 8 / 2"),
    ],
)
def test_heads_have_to_divide(heads, key_heads, message):
    with pytest.raises(NetworkError, match=f"layer 'it': {message}"):
        attention(heads, key_heads)


def test_an_embedding_reduces_its_vocabulary():
    operator, sizes = one("embedding", {"sequence": 6}, vocabulary=10, features=8)
    assert sizes == (4, 6, 8)
    assert operator.splits == ("batch", "sequence", "features", "vocabulary")
    assert reads(operator) == {"input": ("batch", "sequence"), "it.weight": ("vocabulary", "features")}


def test_rows_of_an_embedding_can_be_added_up():
    assert one("embedding", {"items": 6}, vocabulary=10, features=8, sum=True)[1] == (4, 8)


def test_an_embedding_reads_an_input():
    layers = [{"name": "a", "activation": {}}, {"name": "e", "embedding": {"vocabulary": 3, "features": 2}}]
    with pytest.raises(NetworkError, match="layer 'e': embedding reads indices, which are an input of the network"):
        graph_of(layers, {"sequence": 6})


@pytest.mark.parametrize(
    ("kind", "numbers", "dims", "parameters"),
    [
        ("layer", 2, ("batch", "sequence"), ("it.weight", "it.bias")),
        ("rms", 1, ("batch", "sequence"), ("it.weight",)),
        ("batch", 2, ("features",), ("it.weight", "it.bias")),
    ],
)
def test_normalisations_share_sums(kind, numbers, dims, parameters):
    operator, _ = one("norm", kind=kind)
    (sums,) = operator.statistics
    assert (sums.dims, sums.forward, sums.backward) == (dims, numbers, 0)  # nobody needs the gradient of an input
    (sums,) = graph_of([LINEAR, {"name": "it", "norm": {"kind": kind}}], SEQUENCE).operators[-1].statistics
    assert (sums.dims, sums.forward, sums.backward) == (dims, numbers, numbers)
    assert tuple(reads(operator))[1:] == parameters
    assert operator.is_cheap


def test_a_normalisation_without_parameters_has_none():
    assert list(reads(one("norm", parameters=False)[0])) == ["input"]


def test_the_channels_of_a_map_are_normalised():
    assert one("norm", [3, 4, 4], kind="batch")[0].statistics[0].dims == ("channels",)


def test_sums_are_counted_whole_where_a_dimension_can_be_split_into_fewer_parts():
    layers = [{"name": "r", "reshape": {"sequence": 16, "features": 3}}, {"name": "n", "norm": {"kind": "rms"}}]
    operator = graph_of(layers, {"height": 4, "width": 4, "features": 3}).operators[-1]
    assert operator.sizes["sequence"] == 4
    assert operator.statistics[0].forward == 4


def test_softmax_and_loss_share_what_is_summed_over_classes():
    softmax = graph_of([LINEAR, {"name": "s", "softmax": {}}]).operators[-1]
    assert [(one.dims, one.forward, one.backward) for one in softmax.statistics] == [(("batch", "sequence"), 2, 1)]
    assert softmax.output.saved
    loss, sizes = one("loss")
    assert sizes == (4, 6)
    assert loss.sizes["classes"] == 8


def test_nothing_depends_on_a_loss():
    graph = graph_of([{"name": "fc", "linear": {"features": 3}}, {"name": "l", "loss": {}}])
    assert not graph.tensors["l"].has_gradient
    with pytest.raises(NetworkError, match="layer 'a': reads 'l', which has no output that could be read"):
        graph_of([{"name": "l", "loss": {}}, {"name": "a", "activation": {}}])


def test_a_sum_saves_nothing_and_a_product_both():
    add, multiply = (graph_of([LINEAR, {"name": "j", "inputs": ["input", "linear"], kind: {}}]).operators[-1]
                     for kind in ("add", "multiply"))  # fmt: skip
    assert [operand.saved for operand in add.operands] == [False, False]
    assert [operand.saved for operand in multiply.operands] == [True, True]


def test_what_comes_from_inputs_alone_has_no_gradient():
    graph = graph_of([{"name": "a", "activation": {}}, {"name": "fc", "linear": {"features": 3}}])
    assert [graph.tensors[name].has_gradient for name in ("input", "a", "fc")] == [False, False, True]


@pytest.mark.parametrize("fields", [{"softmax": {}}, {"norm": {"parameters": False}}, {"activation": {}}])
def test_what_has_no_backward_phase_saves_nothing_for_it(fields):
    """Nothing in front of the layer is trained, so that nothing of it is read again, and nothing summed up again."""
    for before, has in (((), False), ((LINEAR,), True)):
        operator = graph_of([*before, {"name": "it", **fields}]).operators[-1]
        assert any(one.saved for one in (*operator.operands, operator.output)) == has
        assert all(bool(one.backward) == has for one in operator.statistics)
        assert all(one.forward for one in operator.statistics)


def test_joined_layers_have_one_shape():
    layers = [{"name": "fc", "linear": {"features": 3}}, {"name": "j", "inputs": ["input", "fc"], "add": {}}]
    said = r"layer 'j': add reads tensors of one shape, got .*features 8.*features 3\]; 'j' reads 'input', 'fc'"
    with pytest.raises(NetworkError, match=said):
        graph_of(layers, SEQUENCE)


@pytest.mark.parametrize("kind", ["linear", "norm", "softmax", "loss"])
def test_features_are_behind_the_batch(kind):
    fields = {"features": 3} if kind == "linear" else {}
    with pytest.raises(NetworkError, match=r"layer 'it': expected a dimension behind the batch, got \[batch 4\]"):
        one(kind, {}, **fields)
