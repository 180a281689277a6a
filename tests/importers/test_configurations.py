"""Configurations of transformers: as many parameters as its own classes have (5.24.0, counted on the meta device)."""

from __future__ import annotations

import json

import pytest

from hypar_opt.importers.hf import read_configuration
from hypar_opt.importers.wishes import Wishes
from hypar_opt.instance.operators.network import made_layers
from hypar_opt.util.errors import InputError

LLAMA_3_8B = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192,
    "torch_dtype": "bfloat16",
}  # fmt: skip
SMALL_GPT2 = {
    "model_type": "gpt2", "n_embd": 48, "n_head": 4, "n_layer": 3, "n_inner": 100, "vocab_size": 101,
    "n_positions": 32, "tie_word_embeddings": False,
}  # fmt: skip
SMALL_LLAMA = {
    "model_type": "llama", "hidden_size": 48, "intermediate_size": 100, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 101, "attention_bias": True,
    "mlp_bias": True, "tie_word_embeddings": True,
}  # fmt: skip
BERT_LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
KNOWN = {
    "gpt2": ({"model_type": "gpt2"}, 124_439_808),
    "gpt2, small, not tied": (SMALL_GPT2, 69_372),
    "llama-3-8b": (LLAMA_3_8B, 8_030_261_248),
    "llama, with all biases": (SMALL_LLAMA, 53_168),
    "mistral": ({"model_type": "mistral"}, 7_241_732_096),
    "mixtral": ({"model_type": "mixtral"}, 46_702_792_704),
    "bert-large": ({"model_type": "bert", **BERT_LARGE}, 335_141_888),
    "bert for words": ({"model_type": "bert", "architectures": ["BertForMaskedLM"]}, 109_514_298),
    "bert for 3 classes": ({"model_type": "bert", "architectures": ["BertForSequenceClassification"],
                            "id2label": {"0": "a", "1": "b", "2": "c"}}, 109_484_547),
    "vit-b-16": ({"model_type": "vit", "id2label": dict.fromkeys(map(str, range(1000)), "a")}, 86_567_656),
    "vit without head": ({"model_type": "vit", "architectures": ["ViTModel"], "qkv_bias": False}, 86_361_600),
}  # fmt: skip


@pytest.fixture
def reads(tmp_path):
    def read(said, **wishes):
        path = tmp_path / "model" / "config.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(said))
        return read_configuration(str(path), Wishes(**wishes))

    return read


@pytest.mark.parametrize("name", KNOWN)
def test_parameters_are_those_of_transformers(reads, name):
    said, parameters = KNOWN[name]
    assert reads(said).instance.graph.parameters == parameters


def test_blocks_are_repeated_with_the_names_of_modules(reads):
    made = reads(LLAMA_3_8B, batch=16, sizes={"sequence": 2048}, has_loss=True).instance
    assert (made.name, made.batch, made.bytes_per_element) == ("model", 16, 2)
    names = [one.name for one in made.graph.operators]
    assert names[0] == "model.embed_tokens"
    assert "model.layers.31.self_attn.q_proj" in names
    assert names[-2:] == ["lm_head", "loss"]
    (repeat,) = made.graph.repeats
    assert repeat.times >= 31
    assert made.graph.tensors["lm_head"].sizes == (16, 2048, 128256)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"model_type": "gpt2"}, {"gelu_tanh"}),
        ({"model_type": "gpt2", "activation_function": "relu"}, {"relu"}),
        ({"model_type": "bert", "hidden_act": "gelu"}, {"gelu", "tanh"}),
        (LLAMA_3_8B, {"silu"}),
    ],
    ids=["gpt2", "told", "bert", "llama"],
)
def test_activations_are_those_of_the_model(reads, said, expected):
    assert {one.fields.kind for one in _activations(reads(said).instance)} == expected


def test_an_activation_without_a_name_is_said(reads):
    [note] = [one for one in reads({**LLAMA_3_8B, "hidden_act": "quick_gelu"}).warnings if "hidden_act" in one]
    assert note.startswith("hidden_act: 'quick_gelu' has no name here")
    assert not [one for one in reads(LLAMA_3_8B).warnings if "hidden_act" in one]


def test_fields_that_do_not_go_together_name_the_file(reads):
    with pytest.raises(InputError, match=r"json: what it comes to is no network: .*expected a divisor of 31 heads"):
        reads({**LLAMA_3_8B, "num_attention_heads": 31})


def _activations(instance):
    made = made_layers(instance.spec.network, instance.batch, 4)
    return [layer for layer in made if layer.kind == "activation"]


@pytest.mark.parametrize("name", ["gpt2", "bert", "vit"])
def test_a_type_alone_has_the_defaults(name, reads):
    alone = read_configuration(name, Wishes()).instance
    assert alone.graph.parameters == reads({"model_type": name}).instance.graph.parameters


def test_a_folder_has_its_configuration(reads, tmp_path):
    reads(SMALL_GPT2)
    assert read_configuration(str(tmp_path / "model"), Wishes()).instance.name == "model"


def test_short_sequences_read_a_part_of_the_positions(reads):
    made = reads({"model_type": "gpt2"}, sizes={"sequence": 128}).instance
    assert made.graph.parameters == 124_439_808
    assert made.graph.tensors["lm_head"].sizes == (8, 128, 50257)


def test_what_is_not_as_in_the_model_is_said(reads):
    (note,) = reads({"model_type": "mistral", "sliding_window": 100}).warnings
    assert note == "attention is counted over all 4,096 positions, and the model sees 100"


BAD = {
    r"config.json: model_type: expected one of bert, .*, got 'lama'; did you mean 'llama'": {"model_type": "lama"},
    r"config.json: model_type: expected one of": {},
    r"config.json: n_embd: expected an integer of 1 to 2\^40, got 0": {"model_type": "gpt2", "n_embd": 0},
    r"config.json: n_layer: expected an integer .*, got 'two'": {"model_type": "gpt2", "n_layer": "two"},
    r"config.json: mlp_bias: expected true or false, got 1": {"model_type": "llama", "mlp_bias": 1},
    r"config.json: architectures: expected .*, got 'BertFor'": {
        "model_type": "bert",
        "architectures": ["BertFor"],
    },
    r"config.json: is_decoder: expected false, got true": {"model_type": "bert", "is_decoder": True},
    r"config.json: torch_dtype: expected one of": {"model_type": "gpt2", "torch_dtype": "int4"},
    r"config.json: patch_size: expected a divisor of the image's 224, got 15": {"model_type": "vit", "patch_size": 15},
    r"expected heads that divide the queries' 768 features, got 7": {"model_type": "gpt2", "n_head": 7},
}


@pytest.mark.parametrize("said", BAD)
def test_bad_configurations_are_refused(reads, said):
    with pytest.raises(InputError, match=said):
        reads(BAD[said])


def test_nothing_is_fetched():
    with pytest.raises(InputError, match=r"llama-3: neither a file, .* Nothing is fetched from a hub"):
        read_configuration("llama-3", Wishes())


def test_sizes_that_there_are_not(reads):
    with pytest.raises(InputError, match=r"--dim: gpt2 has no dimension 'sequenc' .* did you mean 'sequence'"):
        reads(SMALL_GPT2, sizes={"sequenc": 8})
    with pytest.raises(InputError, match="n_positions: expected at least the sequence's 64, got 32"):
        reads(SMALL_GPT2, sizes={"sequence": 64})
