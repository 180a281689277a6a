"""Llama, Mistral and Mixtral."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.importers.configurations.blocks import (
    ConfiguredNetwork,
    Projections,
    activation,
    layer,
    linear,
    norm,
    repeat,
)
from hypar_opt.importers.layers.functions import activation_fields

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.importers.configurations.blocks import Layer
    from hypar_opt.importers.configurations.configuration import Configuration

DEFAULTS: Final = {
    "vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
    "num_attention_heads": 32, "max_position_embeddings": 2048, "tie_word_embeddings": False,
}  # fmt: skip
MISTRAL: Final = {
    **DEFAULTS, "intermediate_size": 14336, "num_key_value_heads": 8, "max_position_embeddings": 131072,
    "sliding_window": 4096,
}  # fmt: skip
MIXTRAL: Final = {
    **MISTRAL, "sliding_window": None, "num_local_experts": 8, "num_experts_per_tok": 2,
}  # fmt: skip
SLOTS: Final = (
    "every expert has as many slots as it gets where all get the same number of positions: what is more is dropped, "
    "which the model does not do"
)


def llama(said: Configuration, sequence: int) -> ConfiguredNetwork:
    """Return Llama; rotations of queries and keys by their positions have no parameters and are left out."""
    return _network(said, sequence, "Llama", _gated)


def mistral(said: Configuration, sequence: int) -> ConfiguredNetwork:
    """Return Mistral."""
    window = said.size("sliding_window", sequence)
    beyond = (f"attention is counted over all {sequence:,} positions, and the model sees {window:,}",)
    return _network(said, sequence, "Mistral", _gated, beyond if window < sequence else ())


def mixtral(said: Configuration, sequence: int) -> ConfiguredNetwork:
    """Return Mixtral."""
    return _network(said, sequence, "Mixtral", _experts, (SLOTS,))


def _network(
    said: Configuration,
    sequence: int,
    called: str,
    feed_forward: Callable[[Configuration], list[Layer]],
    notes: tuple[str, ...] = (),
) -> ConfiguredNetwork:
    width, vocabulary = said.size("hidden_size"), said.size("vocab_size")
    known = (f"{called}ForCausalLM", f"{called}Model")
    has_head = said.architecture(known, known[0]) == known[0]
    at = "model." if has_head else ""
    block = [*_attention(said, width), norm("post_attention_layernorm", "rms"), *feed_forward(said)]
    layers = [
        layer(f"{at}embed_tokens", "embedding", {"vocabulary": vocabulary, "features": width}),
        repeat(f"{at}layers", said.size("num_hidden_layers"), block),
        norm(f"{at}norm", "rms"),
    ]
    if has_head:
        shared = f"{at}embed_tokens" if said.truth("tie_word_embeddings", False) else ""
        layers.append(linear("lm_head", vocabulary, shared=shared))
    return ConfiguredNetwork({"tokens": {"sequence": sequence}}, layers, notes)


def _attention(said: Configuration, width: int) -> list[Layer]:
    heads = said.size("num_attention_heads")
    key_heads = said.size("num_key_value_heads", heads)
    each = said.size("head_dim", width // heads or 1)
    bias = said.truth("attention_bias", False)
    names = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.attention", "self_attn.o_proj")
    made = Projections(names, heads, key_heads, heads * each, key_heads * each, width, bias, bias, True)
    return [
        norm("input_layernorm", "rms"),
        *made.layers("input_layernorm"),
        layer("add", "add", {}, "block", "self_attn.o_proj"),
    ]


def _gated(said: Configuration) -> list[Layer]:
    hidden, bias, source = said.size("intermediate_size"), said.truth("mlp_bias", False), "post_attention_layernorm"
    return [
        linear("mlp.gate_proj", hidden, source, bias=bias),
        activation("mlp.act_fn", said.data.get("hidden_act", "silu")),
        linear("mlp.up_proj", hidden, source, bias=bias),
        layer("mlp.multiply", "multiply", {}, "mlp.act_fn", "mlp.up_proj"),
        linear("mlp.down_proj", said.size("hidden_size"), bias=bias),
        layer("add_2", "add", {}, "add", "mlp.down_proj"),
    ]


def _experts(said: Configuration) -> list[Layer]:
    called = activation_fields(str(said.data.get("hidden_act", "silu")))
    fields = {
        "count": said.size("num_local_experts"),
        "top": said.size("num_experts_per_tok"),
        "hidden": said.size("intermediate_size"),
        "gated": True,
        **({"activation": called["kind"]} if called else {}),
    }
    return [layer("mlp", "experts", fields), layer("add_2", "add", {}, "add", "mlp")]
