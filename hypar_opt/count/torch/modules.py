"""What operators compute in PyTorch, of whole tensors or DTensors: a function of the inputs and parameters, by kind.

Needs PyTorch and nothing else. What an operator is told stands in the job's `fields`, as `job.py` writes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


VIEWS: Final[Mapping[str, Callable[[Any, Sequence[int]], Any]]] = {
    "flatten": lambda x, _: x.flatten(1),
    "permute": lambda x, order: x.permute(order),
    "reshape": lambda x, sizes: x.reshape(sizes),
}
"""What is done step by step to see a tensor otherwise."""


def seen(x: Any, views: Sequence[Sequence[Any]]) -> Any:
    """Return a tensor as an operator sees it: transposed and reshaped step by step."""
    for what, numbers in views:
        x = VIEWS[what](x, numbers)
    return x


def computed(kind: str, fields: Mapping[str, Any], inputs: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    """Return what an operator writes."""
    return FUNCTIONS[kind](fields, inputs, parameters)


def _linear(fields: Mapping[str, Any], inputs: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    from torch.nn import functional

    weight = parameters["weight"]
    return functional.linear(inputs[0], weight.t() if fields["is_turned"] else weight, parameters.get("bias"))


def _matmul(_: Mapping[str, Any], inputs: Sequence[Any], __: Mapping[str, Any]) -> Any:
    return inputs[0] @ inputs[1]


def _einsum(fields: Mapping[str, Any], inputs: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    import torch

    weights = [parameter for name, parameter in parameters.items() if name != "bias"]
    found = torch.einsum(fields["equation"], *inputs, *weights)
    if not fields["bias"]:
        return found
    sizes = [found.shape[place] if place in fields["bias"] else 1 for place in range(found.dim())]
    return found + parameters["bias"].reshape(sizes)


def _conv(fields: Mapping[str, Any], inputs: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    from torch.nn import functional

    own = getattr(functional, f"conv{len(fields['stride'])}d")
    bias = parameters.get("bias")
    return own(
        inputs[0], parameters["weight"], bias, fields["stride"], fields["pad"], fields["dilation"], fields["groups"]
    )


def _pool(fields: Mapping[str, Any], inputs: Sequence[Any], _: Mapping[str, Any]) -> Any:
    from torch.nn import functional

    own = getattr(functional, f"{fields['of']}_pool{len(fields['kernel'])}d")
    return own(inputs[0], fields["kernel"], fields["stride"], fields["pad"], ceil_mode=fields["ceil"])


def _global_pool(fields: Mapping[str, Any], inputs: Sequence[Any], _: Mapping[str, Any]) -> Any:
    over = tuple(range(2, inputs[0].dim()))
    return inputs[0].mean(over) if fields["of"] == "avg" else inputs[0].amax(over)


def _relu(_: Mapping[str, Any], inputs: Sequence[Any], __: Mapping[str, Any]) -> Any:
    return inputs[0].relu()


def _same(_: Mapping[str, Any], inputs: Sequence[Any], __: Mapping[str, Any]) -> Any:
    """Dropout that drops nothing: its mask, which every device makes of its own part, moves nothing."""
    return inputs[0] * 1.0


def _add(_: Mapping[str, Any], inputs: Sequence[Any], __: Mapping[str, Any]) -> Any:
    return sum(inputs[1:], start=inputs[0])


def _multiply(_: Mapping[str, Any], inputs: Sequence[Any], __: Mapping[str, Any]) -> Any:
    found = inputs[0]
    for one in inputs[1:]:
        found = found * one
    return found


def _norm(fields: Mapping[str, Any], inputs: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    from torch.nn import functional

    x, weight, bias = inputs[0], parameters.get("weight"), parameters.get("bias")
    if fields["of"] == "rms":
        plain = x * (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt()  # DTensor cannot split PyTorch's own
        return plain if weight is None else plain * weight
    if fields["of"] == "layer":
        return functional.layer_norm(x, x.shape[-1:], weight, bias, 1e-5)
    return _batch_norm(fields, x, weight, bias)


def _batch_norm(fields: Mapping[str, Any], x: Any, weight: Any, bias: Any) -> Any:
    """Batch normalisation written out, whose statistics are summed up: DTensor gathers what PyTorch's own reads."""
    over, wide = [0, *range(2, x.dim())], [-1, *[1] * (x.dim() - 2)]
    count = x.numel() // x.shape[1]
    away = x - fields["summed"](x.sum(over, keepdim=True)) / count
    plain = away * (fields["summed"](away.square().sum(over, keepdim=True)) / count + 1e-5).rsqrt()
    return plain if weight is None else plain * weight.reshape(wide) + bias.reshape(wide)


def _softmax(fields: Mapping[str, Any], inputs: Sequence[Any], _: Mapping[str, Any]) -> Any:
    return inputs[0].softmax(fields["over"])


def _embedding(_: Mapping[str, Any], inputs: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    from torch.nn import functional

    return functional.embedding(inputs[0], parameters["weight"])


def _attention(fields: Mapping[str, Any], inputs: Sequence[Any], _: Mapping[str, Any]) -> Any:
    """Attention written out, since fused kernels are chosen by the device that there is; of all heads, or of some."""
    import torch

    widths = (fields["width"], fields["width"], fields["value_width"])
    q, k, v = (
        x.reshape(*x.shape[:-1], x.shape[-1] // width, width).transpose(-2, -3)
        for x, width in zip(inputs, widths, strict=True)
    )
    if fields["each"] > 1:
        k, v = (x.repeat_interleave(fields["each"], dim=-3) for x in (k, v))
    scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    if fields["causal"]:
        sizes = scores.shape[-2:]
        mask = torch.full(sizes, -1e9, dtype=q.dtype, device=q.device).triu(1 + sizes[1] - sizes[0])
        scores = scores + (fields["constant"](mask) if hasattr(q, "placements") else mask)
    found = (scores.softmax(-1) @ v).transpose(-2, -3)
    return found.reshape(*found.shape[:-2], found.shape[-2] * found.shape[-1])


def _loss(fields: Mapping[str, Any], inputs: Sequence[Any], _: Mapping[str, Any]) -> Any:
    """Return each position's loss; all are of class 0."""
    import torch
    from torch.nn import functional

    x = inputs[0].movedim(fields["over"], 1)
    classes = torch.zeros((x.shape[0], *x.shape[2:]), dtype=torch.int64, device=x.device)
    return functional.cross_entropy(x, fields["constant"](classes), reduction="none")


FUNCTIONS: Final[Mapping[str, Callable[[Mapping[str, Any], Sequence[Any], Mapping[str, Any]], Any]]] = {
    "linear": _linear,
    "matmul": _matmul,
    "einsum": _einsum,
    "conv": _conv,
    "pool": _pool,
    "global_pool": _global_pool,
    "activation": _relu,
    "dropout": _same,
    "add": _add,
    "multiply": _multiply,
    "norm": _norm,
    "softmax": _softmax,
    "embedding": _embedding,
    "attention": _attention,
    "loss": _loss,
}
"""By an operator's kind."""
