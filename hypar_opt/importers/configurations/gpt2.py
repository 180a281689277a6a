"""GPT-2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.importers.configurations.blocks import (
    ConfiguredNetwork,
    Projections,
    activation,
    layer,
    learned,
    linear,
    norm,
    repeat,
)

if TYPE_CHECKING:
    from hypar_opt.importers.configurations.blocks import Layer
    from hypar_opt.importers.configurations.configuration import Configuration

ARCHITECTURES: Final = ("GPT2LMHeadModel", "GPT2Model")
DEFAULTS: Final = {
    "vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12, "tie_word_embeddings": True,
}  # fmt: skip


def gpt2(said: Configuration, sequence: int) -> ConfiguredNetwork:
    """Return GPT-2; queries, keys and values are three layers, and one matrix there."""
    said.check("add_cross_attention", False, "layers that read another network are not known")
    width, vocabulary = said.size("n_embd"), said.size("vocab_size")
    positions = said.size("n_positions")
    if sequence > positions:
        raise said.error(f"expected at least the sequence's {sequence:,}, got {positions:,}", "n_positions")
    has_head = said.architecture(ARCHITECTURES, ARCHITECTURES[0]) == ARCHITECTURES[0]
    at = "transformer." if has_head else ""
    layers = [
        layer(f"{at}wte", "embedding", {"vocabulary": vocabulary, "features": width}),
        *learned(f"{at}wpe", positions, sequence, width),
    ]
    layers += [
        layer(f"{at}add", "add", {}, f"{at}wte", layers[-1]["name"]),
        layer(f"{at}drop", "dropout"),
        repeat(f"{at}h", said.size("n_layer"), _block(said, width)),
        norm(f"{at}ln_f", "layer"),
    ]
    if has_head:
        shared = f"{at}wte" if said.truth("tie_word_embeddings", True) else ""
        layers.append(linear("lm_head", vocabulary, shared=shared))
    return ConfiguredNetwork({"tokens": {"sequence": sequence}}, layers)


def _block(said: Configuration, width: int) -> list[Layer]:
    heads = said.size("n_head")
    names = ("attn.c_attn.query", "attn.c_attn.key", "attn.c_attn.value", "attn.attention", "attn.c_proj")
    attention = Projections(names, heads, heads, width, width, width, True, True, True)
    return [
        norm("ln_1", "layer"),
        *attention.layers("ln_1"),
        layer("attn.resid_dropout", "dropout"),
        layer("add", "add", {}, "block", "attn.resid_dropout"),
        norm("ln_2", "layer"),
        linear("mlp.c_fc", said.size("n_inner", 4 * width), bias=True),
        activation("mlp.act", said.data.get("activation_function", "gelu_new")),
        linear("mlp.c_proj", width, bias=True),
        layer("mlp.dropout", "dropout"),
        layer("add_2", "add", {}, "add", "mlp.dropout"),
    ]
