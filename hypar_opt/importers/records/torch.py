"""What PyTorch's operators are as layers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.arrangement import expanded, reshaped
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import Constant, Spread, Viewed, Weight
from hypar_opt.importers.layers import lookups, norms, parts, pointwise, products, windows
from hypar_opt.importers.records.common import (
    combined,
    function,
    maybe_trained,
    permuted,
    reshape,
    same,
    trained,
    warn_of_mask,
    written,
)
from hypar_opt.importers.records.record import Record, by_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.importers.graph import Node
    from hypar_opt.importers.held import Held


def _x(draft: Sketch, node: Node) -> Viewed:
    return draft.seen(draft.reads(node, 0))


def _each(node: Node, name: str, count: int, default: int) -> Sequence[int]:
    """Return an argument, one number for each dimension."""
    said = node.attributes.get(name)
    if said is None or said == []:
        return [default] * count
    listed = said if isinstance(said, list) else [said]
    return listed * count if len(listed) == 1 else listed


def _window(draft: Sketch, node: Node, kernel: Sequence[int], stride: Sequence[int] | None = None) -> windows.Kernel:
    count = len(kernel)
    step = _each(node, "stride", count, 1) if stride is None else stride
    dilation = _each(node, "dilation", count, 1)
    if node.attributes.get("padding") == "same":
        own, made = draft.size_of(node.inputs[0])[2:], written(draft, node)[2:]
        whole = [
            max(0, (n - 1) * s + d * (k - 1) + 1 - size)
            for n, s, d, k, size in zip(made, step, dilation, kernel, own, strict=True)
        ]
        return windows.Kernel(kernel, step, [*(n // 2 for n in whole), *(n - n // 2 for n in whole)], dilation)
    pads = [0] * count if node.attributes.get("padding") == "valid" else _each(node, "padding", count, 0)
    return windows.Kernel(kernel, step, [*pads, *pads], dilation)


def _conv(draft: Sketch, node: Node) -> Viewed:
    weight, bias, groups = trained(draft, node, 1), maybe_trained(draft, node, 2), node.attributes.get("groups", 1)
    window = _window(draft, node, weight.sizes[2:])
    if node.attributes.get("transposed") or "transpose" in node.kind:
        more = _each(node, "output_padding", len(weight.sizes) - 2, 0)
        filters = weight.sizes[1] * groups
        return windows.transposed_convolution(draft, _x(draft, node), weight, bias, window, filters, groups, more)
    return windows.convolution(draft, _x(draft, node), weight, bias, window, weight.sizes[0], groups)


def _linear(draft: Sketch, node: Node) -> Held:
    weight, bias = draft.reads(node, 1), maybe_trained(draft, node, 2)
    if isinstance(weight, Weight):
        return products.linear(draft, _x(draft, node), weight, weight.sizes[0], bias)
    made = products.product(draft, draft.reads(node, 0), permuted(weight, (1, 0)), written(draft, node))
    return made if bias is None else pointwise.combined(draft, "add", [made, bias], written(draft, node))


def _product(draft: Sketch, node: Node) -> Held:
    return products.product(draft, draft.reads(node, 0), draft.reads(node, 1), written(draft, node))


def _added_product(draft: Sketch, node: Node) -> Held:
    """Return a product with something added, which is its bias where it is trained."""
    bias, x, weight = (draft.reads(node, i) for i in range(3))
    if isinstance(bias, Weight) and isinstance(weight, Weight) and len(weight.sizes) == 2:
        return products.linear(draft, draft.seen(x), weight, weight.sizes[1], bias)
    made = products.product(draft, x, weight, written(draft, node))
    return pointwise.combined(draft, "add", [made, bias], written(draft, node))


def _einsum(draft: Sketch, node: Node) -> Held:
    left, arrow, right = str(node.attributes.get("equation", "")).replace(" ", "").partition("->")
    if "..." in left or not arrow:
        raise Unreadable("its equation leaves axes or its output open")
    held = [draft.reads(node, i) for i in range(len(node.inputs))]
    return products.contraction(draft, held, [list(one) for one in left.split(",")], list(right), written(draft, node))


def _attention(draft: Sketch, node: Node) -> Held:
    q, k, v = (draft.seen(draft.reads(node, i)) for i in range(3))
    warn_of_mask(draft, node, 3)
    return lookups.attention(draft, q, k, v, causal=bool(node.attributes.get("is_causal", False)))


def _embedding(draft: Sketch, node: Node) -> Held:
    return lookups.embedding(draft, trained(draft, node, 0), draft.reads(node, 1))


def _index(draft: Sketch, node: Node) -> Held:
    """Return rows of trained numbers by their indices, or of what is constant."""
    x, indices = draft.reads(node, 0), [name for name in node.inputs[1:] if name]
    if isinstance(x, Weight) and len(indices) == 1 and len(x.sizes) == 2 and node.inputs[1]:
        return lookups.embedding(draft, x, draft.reads(node, 1))
    raise Unreadable("it reads places that only numbers say")


def _batch_norm(draft: Sketch, node: Node) -> Held:
    return norms.batch_norm(draft, _x(draft, node), maybe_trained(draft, node, 1), maybe_trained(draft, node, 2))


def _last_norm(kind: str) -> Callable[[Sketch, Node], Viewed]:
    def read(draft: Sketch, node: Node) -> Viewed:
        axes = len(node.attributes["normalized_shape"])
        weight, bias = maybe_trained(draft, node, 1), maybe_trained(draft, node, 2) if kind == "layer" else None
        return norms.last_norm(draft, _x(draft, node), kind, axes, weight, bias)

    return read


def _group_norm(draft: Sketch, node: Node) -> Held:
    x = _x(draft, node)
    groups = node.attributes.get("num_groups", x.sizes[1])
    return norms.group_norm(draft, x, groups, maybe_trained(draft, node, 1), maybe_trained(draft, node, 2))


def _softmax(draft: Sketch, node: Node) -> Held:
    x = draft.reads(node, 0)
    return x if isinstance(x, Constant) else norms.softmax(draft, draft.seen(x), node.attributes["dim"])


def _pool(kind: str) -> Callable[[Sketch, Node], Viewed]:
    def read(draft: Sketch, node: Node) -> Viewed:
        count = len(written(draft, node)) - 2
        kernel = _each(node, "kernel_size", count, 1)
        stride = node.attributes.get("stride")
        window = _window(draft, node, kernel, kernel if not stride else _each(node, "stride", count, 1))
        return windows.pool(draft, _x(draft, node), kind, window, ceil=bool(node.attributes.get("ceil_mode", False)))

    return read


def _pooled_to(kind: str) -> Callable[[Sketch, Node], Viewed]:
    def read(draft: Sketch, node: Node) -> Viewed:
        return windows.pooled_to(draft, _x(draft, node), kind, written(draft, node)[2:])

    return read


def _upsample(kind: str) -> Callable[[Sketch, Node], Viewed]:
    return lambda draft, node: windows.upsample(draft, _x(draft, node), kind, written(draft, node))


def _pad(draft: Sketch, node: Node) -> Held:
    x, said = _x(draft, node), node.attributes["pad"]
    count = len(x.axes)
    starts, ends = [0] * count, [0] * count
    for place in range(len(said) // 2):
        starts[count - 1 - place], ends[count - 1 - place] = said[2 * place], said[2 * place + 1]
    return windows.padded(draft, x, [*starts, *ends])


def _permute(draft: Sketch, node: Node) -> Held:
    x = draft.reads(node, 0)
    return permuted(x, [axis % len(x.sizes) for axis in node.attributes["dims"]])


def _transpose(draft: Sketch, node: Node) -> Held:
    x = draft.reads(node, 0)
    order = list(range(len(x.sizes)))
    a, b = (node.attributes.get(name, i) % len(order) for i, name in enumerate(("dim0", "dim1")))
    order[a], order[b] = order[b], order[a]
    return permuted(x, order)


def _expand(draft: Sketch, node: Node) -> Held:
    return expanded(draft, _x(draft, node), written(draft, node))


def _repeated(draft: Sketch, node: Node) -> Held:
    """Return a tensor over and over, where what is repeated has the size 1."""
    x, sizes = _x(draft, node), written(draft, node)
    own = (*(1,) * (len(sizes) - len(x.sizes)), *x.sizes)
    if any(one not in (1, size) for one, size in zip(own, sizes, strict=True)):
        raise Unreadable("it repeats what has several places")
    return expanded(draft, x, sizes)


def _repeat_interleave(draft: Sketch, node: Node) -> Held:
    """Return every place of an axis so often, one behind the other."""
    x, times, axis = _x(draft, node), node.attributes.get("repeats"), node.attributes.get("dim")
    if not isinstance(times, int) or not isinstance(axis, int):
        raise Unreadable("it repeats places as numbers say")
    axis %= len(x.axes)
    return replace(x, axes=tuple((*one, Spread(times)) if i == axis else one for i, one in enumerate(x.axes)))


def _cut(draft: Sketch, node: Node) -> Held:
    return parts.cut(draft, draft.reads(node, 0), written(draft, node))


def _select(draft: Sketch, node: Node) -> Held:
    x = draft.reads(node, 0)
    axis = node.attributes["dim"] % len(x.sizes)
    sizes = [1 if i == axis else size for i, size in enumerate(x.sizes)]
    return parts.cut(draft, x, sizes, dropped=axis, place=node.attributes.get("index"))


def _split(draft: Sketch, node: Node) -> list[Held]:
    x = draft.reads(node, 0)
    axis = node.attributes.get("dim", 0) % len(x.sizes)
    made = [name for name in node.outputs if name]
    if node.kind != "aten.unbind":
        return parts.parted(draft, x, axis, [draft.size_of(name)[axis] for name in made])
    whole = parts.parted(draft, x, axis, [1] * len(made))
    return [parts.cut(draft, one, one.sizes, dropped=axis) for one in whole]


def _cat(draft: Sketch, node: Node) -> Held:
    held = [draft.reads(node, i) for i in range(len(node.inputs))]
    return parts.beside(draft, held, node.attributes.get("dim", 0) % len(written(draft, node)))


def _stack(draft: Sketch, node: Node) -> Held:
    axis = node.attributes.get("dim", 0) % len(written(draft, node))
    held = [draft.reads(node, i) for i in range(len(node.inputs))]
    sizes = [(*one.sizes[:axis], 1, *one.sizes[axis:]) for one in held]
    shaped: list[Held] = [
        Constant(size) if isinstance(one, Constant) else reshaped(draft, draft.seen(one), size)
        for one, size in zip(held, sizes, strict=True)
    ]
    return parts.beside(draft, shaped, axis)


def _reduced(pools: str = "") -> Callable[[Sketch, Node], Held]:
    def read(draft: Sketch, node: Node) -> Held:
        x, said = draft.reads(node, 0), node.attributes.get("dim")
        axes = range(len(x.sizes)) if said is None or said == [] else said if isinstance(said, list) else [said]
        keeps = bool(node.attributes.get("keepdim", False))
        return parts.reduced(draft, x, axes, keeps=keeps, what=node.kind.partition(".")[2], pools=pools)

    return read


def _named(*names: str) -> tuple[str, ...]:
    return tuple(f"aten.{name}" for name in names)


ACTIVATIONS: Final = _named(
    "relu", "relu6", "gelu", "silu", "sigmoid", "tanh", "leaky_relu", "elu", "selu", "celu", "hardswish", "hardsigmoid",
    "hardtanh", "mish", "softplus", "logsigmoid",
)  # fmt: skip
FUNCTIONS: Final = _named(
    "abs", "neg", "exp", "log", "sqrt", "rsqrt", "reciprocal", "erf", "sin", "cos", "clamp", "clamp_min", "clamp_max",
    "tril", "triu", "logical_not", "bitwise_not", "square", "floor", "round", "sign", "isnan",
    "log1p", "expm1",
)  # fmt: skip
OF_SEVERAL: Final = _named(
    "sub", "rsub", "div", "pow", "maximum", "minimum", "where", "masked_fill", "eq", "ne", "lt", "le", "gt", "ge",
    "logical_and", "logical_or", "bitwise_and", "bitwise_or", "__and__", "__or__", "fmod", "remainder", "floor_divide",
    "lerp", "addcmul",
)  # fmt: skip
RECORDS: Final[Mapping[str, Record]] = by_kind(
    Record(_named("conv1d", "conv2d", "conv3d", "convolution", "conv_transpose1d", "conv_transpose2d",
                  "conv_transpose3d"), _conv),
    Record(_named("linear"), _linear),
    Record(_named("matmul", "mm", "bmm"), _product),
    Record(_named("addmm", "baddbmm"), _added_product),
    Record(_named("einsum"), _einsum),
    Record(_named("scaled_dot_product_attention"), _attention),
    Record(_named("embedding"), _embedding),
    Record(_named("index"), _index),
    Record(_named("batch_norm", "native_batch_norm", "_native_batch_norm_legit"), _batch_norm),
    Record(_named("layer_norm", "native_layer_norm"), _last_norm("layer")),
    Record(_named("rms_norm"), _last_norm("rms")),
    Record(_named("group_norm", "instance_norm"), _group_norm),
    Record(_named("softmax", "_softmax", "log_softmax", "_log_softmax"), _softmax),
    Record(_named("max_pool1d", "max_pool2d", "max_pool3d", "max_pool2d_with_indices"), _pool("max")),
    Record(_named("avg_pool1d", "avg_pool2d", "avg_pool3d"), _pool("avg")),
    Record(_named("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"), _pooled_to("avg")),
    Record(_named("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"), _pooled_to("max")),
    Record(_named("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d"), _upsample("nearest")),
    Record(_named("upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"), _upsample("linear")),
    Record(_named("pad", "constant_pad_nd"), _pad),
    Record(ACTIVATIONS, function("activation")),
    Record(FUNCTIONS, function("elementwise")),
    Record(_named("dropout", "native_dropout", "feature_dropout"), function("dropout")),
    Record(_named("contiguous", "clone", "detach", "alias", "to", "_to_copy", "type_as", "lift_fresh_copy", "float",
                  "lift_fresh", "_assert_tensor_metadata"), same),
    Record(_named("add"), combined("add")),
    Record(_named("mul"), combined("multiply")),
    Record(OF_SEVERAL, combined("elementwise")),
    Record(_named("view", "reshape", "_unsafe_view", "flatten", "unflatten", "squeeze", "unsqueeze", "view_as",
                  "reshape_as"), reshape),
    Record(_named("permute"), _permute),
    Record(_named("transpose", "t", "swapaxes"), _transpose),
    Record(_named("expand", "expand_as"), _expand),
    Record(_named("repeat"), _repeated),
    Record(_named("repeat_interleave"), _repeat_interleave),
    Record(_named("slice", "narrow"), _cut),
    Record(_named("select"), _select),
    Record(_named("split", "split_with_sizes", "chunk", "unbind"), _split),
    Record(_named("cat", "concat"), _cat),
    Record(_named("stack"), _stack),
    Record(_named("mean"), _reduced("avg")),
    Record(_named("amax", "max"), _reduced("max")),
    Record(_named("sum", "amin", "prod", "var", "std", "logsumexp", "norm", "linalg_vector_norm"), _reduced()),
)  # fmt: skip
"""By PyTorch's name, without what it says of the kinds of arguments."""
