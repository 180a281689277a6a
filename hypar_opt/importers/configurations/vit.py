"""Vision transformers."""

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

if TYPE_CHECKING:
    from hypar_opt.importers.configurations.blocks import Layer
    from hypar_opt.importers.configurations.configuration import Configuration

ARCHITECTURES: Final = ("ViTForImageClassification", "ViTModel")
DEFAULTS: Final = {
    "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072,
    "image_size": 224, "patch_size": 16, "num_channels": 3, "qkv_bias": True,
}  # fmt: skip


def vit(said: Configuration, _: int) -> ConfiguredNetwork:
    """Return a vision transformer: with a classifier, or with a pooler."""
    width, image, patch = said.size("hidden_size"), said.size("image_size"), said.size("patch_size")
    if image % patch:
        raise said.error(f"expected a divisor of the image's {image:,}, got {patch:,}", "patch_size")
    is_classifier = said.architecture(ARCHITECTURES, ARCHITECTURES[0]) == ARCHITECTURES[0]
    at = "vit." if is_classifier else ""
    layers = [
        *_embeddings(f"{at}embeddings", width, patch, (image // patch) ** 2),
        repeat(f"{at}encoder.layer", said.size("num_hidden_layers"), _block(said, width)),
        norm(f"{at}layernorm", "layer"),
        layer("part", "part", {"over": "sequence", "size": 1}),
        layer("reshape", "reshape", {"features": width}),
    ]
    if is_classifier:
        layers.append(linear("classifier", said.labels, bias=True))
    else:
        layers += [
            linear("pooler.dense", said.size("pooler_output_size", width), bias=True),
            activation("pooler.activation", said.data.get("pooler_act", "tanh")),
        ]
    channels = said.size("num_channels", 3)
    return ConfiguredNetwork({"pixels": {"channels": channels, "height": image, "width": image}}, layers)


def _embeddings(at: str, width: int, patch: int, count: int) -> list[Layer]:
    return [
        layer(f"{at}.patch_embeddings", "conv", {"filters": width, "kernel": patch, "stride": patch, "bias": True}),
        {"name": f"{at}.transpose", "transpose": ["height", "width", "channels"]},
        layer(f"{at}.flatten", "reshape", {"sequence": count, "features": width}),
        layer(f"{at}.cls_token", "learned", {"sequence": 1, "features": width}),
        layer(f"{at}.concat", "concat", {"over": "sequence"}, f"{at}.cls_token", f"{at}.flatten"),
        layer(f"{at}.position_embeddings", "learned", {"sequence": 1 + count, "features": width}),
        layer(f"{at}.add", "add", {}, f"{at}.concat", f"{at}.position_embeddings"),
        layer(f"{at}.dropout", "dropout"),
    ]


def _block(said: Configuration, width: int) -> list[Layer]:
    heads, at = said.size("num_attention_heads"), "attention.attention"
    names = (f"{at}.query", f"{at}.key", f"{at}.value", f"{at}.attention", "attention.output.dense")
    made = Projections(names, heads, heads, width, width, width, said.truth("qkv_bias", True), True, False)
    return [
        norm("layernorm_before", "layer"),
        *made.layers("layernorm_before"),
        layer("attention.output.dropout", "dropout"),
        layer("add", "add", {}, "attention.output.dropout", "block"),
        norm("layernorm_after", "layer"),
        linear("intermediate.dense", said.size("intermediate_size"), bias=True),
        activation("intermediate.intermediate_act_fn", said.data.get("hidden_act", "gelu")),
        linear("output.dense", width, bias=True),
        layer("output.dropout", "dropout"),
        layer("add_2", "add", {}, "output.dropout", "add"),
    ]
