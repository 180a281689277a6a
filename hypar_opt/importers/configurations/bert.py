"""BERT."""

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

ARCHITECTURES: Final = ("BertModel", "BertForMaskedLM", "BertForSequenceClassification")
DEFAULTS: Final = {
    "vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "max_position_embeddings": 512, "type_vocab_size": 2, "tie_word_embeddings": True,
}  # fmt: skip


def bert(said: Configuration, sequence: int) -> ConfiguredNetwork:
    """Return BERT: its encoder, with its pooler or a head for words that are masked."""
    said.check("is_decoder", False, "only the encoder is known")
    said.check("position_embedding_type", "absolute", "positions that are relative are not known")
    width, positions = said.size("hidden_size"), said.size("max_position_embeddings")
    if sequence > positions:
        raise said.error(f"expected at least the sequence's {sequence:,}, got {positions:,}", "max_position_embeddings")
    architecture = said.architecture(ARCHITECTURES, ARCHITECTURES[0])
    at = "" if architecture == "BertModel" else "bert."
    layers = [*_embeddings(said, f"{at}embeddings", sequence, width), _encoder(said, f"{at}encoder", width)]
    if architecture == "BertForMaskedLM":
        layers += _words(said, width, f"{at}embeddings.word_embeddings")
    else:
        layers += _pooler(f"{at}pooler", width)
    if architecture == "BertForSequenceClassification":
        layers += [layer("dropout", "dropout"), linear("classifier", said.labels, bias=True)]
    return ConfiguredNetwork({"tokens": {"sequence": sequence}, "segments": {"sequence": sequence}}, layers)


def _embeddings(said: Configuration, at: str, sequence: int, width: int) -> list[Layer]:
    words, types = (
        layer(f"{at}.{name}", "embedding", {"vocabulary": said.size(field), "features": width}, source)
        for name, field, source in (
            ("word_embeddings", "vocab_size", "tokens"),
            ("token_type_embeddings", "type_vocab_size", "segments"),
        )
    )
    positions = learned(f"{at}.position_embeddings", said.size("max_position_embeddings"), sequence, width)
    return [
        words,
        types,
        *positions,
        layer(f"{at}.add", "add", {}, words["name"], types["name"], positions[-1]["name"]),
        norm(f"{at}.LayerNorm", "layer"),
        layer(f"{at}.dropout", "dropout"),
    ]


def _encoder(said: Configuration, at: str, width: int) -> Layer:
    heads = said.size("num_attention_heads")
    own = ("query", "key", "value", "attention")
    names = (*(f"attention.self.{name}" for name in own), "attention.output.dense")
    query, key, value, attention, output = names
    made = Projections((query, key, value, attention, output), heads, heads, width, width, width, True, True, False)
    return repeat(
        f"{at}.layer",
        said.size("num_hidden_layers"),
        [
            *made.layers("block"),
            layer("attention.output.dropout", "dropout"),
            layer("attention.output.add", "add", {}, "attention.output.dropout", "block"),
            norm("attention.output.LayerNorm", "layer"),
            linear("intermediate.dense", said.size("intermediate_size"), bias=True),
            activation("intermediate.intermediate_act_fn", said.data.get("hidden_act", "gelu")),
            linear("output.dense", width, bias=True),
            layer("output.dropout", "dropout"),
            layer("output.add", "add", {}, "output.dropout", "attention.output.LayerNorm"),
            norm("output.LayerNorm", "layer"),
        ],
    )


def _pooler(at: str, width: int) -> list[Layer]:
    return [
        layer(f"{at}.part", "part", {"over": "sequence", "size": 1}),
        layer(f"{at}.reshape", "reshape", {"features": width}),
        linear(f"{at}.dense", width, bias=True),
        activation(f"{at}.activation", "tanh"),
    ]


def _words(said: Configuration, width: int, table: str) -> list[Layer]:
    at = "cls.predictions"
    return [
        linear(f"{at}.transform.dense", width, bias=True),
        activation(f"{at}.transform.transform_act_fn", said.data.get("hidden_act", "gelu")),
        norm(f"{at}.transform.LayerNorm", "layer"),
        linear(
            f"{at}.decoder",
            said.size("vocab_size"),
            bias=True,
            shared=table if said.truth("tie_word_embeddings", True) else "",
        ),
    ]
