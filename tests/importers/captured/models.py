"""The models whose graphs are kept."""

from __future__ import annotations


def _torchvision(name):
    import torch
    import torchvision

    return getattr(torchvision.models, name)(weights=None), (torch.zeros(4, 3, 224, 224),)


def alexnet():
    return _torchvision("alexnet")


def resnet50():
    return _torchvision("resnet50")


def mobilenet_v2():
    return _torchvision("mobilenet_v2")


def vit_b_16():
    return _torchvision("vit_b_16")


def gpt2():
    import torch
    import transformers

    config = transformers.GPT2Config(use_cache=False)
    return transformers.GPT2LMHeadModel(config), (torch.zeros(4, 128, dtype=torch.long),)


def llama():
    import torch
    import transformers

    config = transformers.LlamaConfig(
        vocab_size=1000, hidden_size=256, intermediate_size=688, num_hidden_layers=4, num_attention_heads=8,
        num_key_value_heads=2, use_cache=False,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config), (torch.zeros(4, 128, dtype=torch.long),)
