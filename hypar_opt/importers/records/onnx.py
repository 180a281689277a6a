"""What ONNX's operators are as layers."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.arrangement import expanded, reshaped, transposed
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import Constant, Viewed, Weight
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


def _window(draft: Sketch, node: Node, kernel: Sequence[int]) -> windows.Kernel:
    """Return the window that slides; what `auto_pad` means follows from the sizes."""
    count, said = len(kernel), node.attributes
    stride, dilation = said.get("strides", [1] * count), said.get("dilations", [1] * count)
    pads = said.get("pads", [0] * 2 * count)
    auto = said.get("auto_pad", "NOTSET")
    if auto in ("SAME_UPPER", "SAME_LOWER"):
        own, made = draft.size_of(node.inputs[0])[2:], written(draft, node)[2:]
        whole = [
            max(0, (n - 1) * s + d * (k - 1) + 1 - size)
            for n, s, d, k, size in zip(made, stride, dilation, kernel, own, strict=True)
        ]
        less, more = [n // 2 for n in whole], [n - n // 2 for n in whole]
        pads = [*less, *more] if auto == "SAME_UPPER" else [*more, *less]
    return windows.Kernel(kernel, stride, pads, dilation)


def _conv(draft: Sketch, node: Node) -> Viewed:
    x, weight = draft.seen(draft.reads(node, 0)), trained(draft, node, 1)
    window = _window(draft, node, weight.sizes[2:])
    groups = node.attributes.get("group", 1)
    return windows.convolution(draft, x, weight, maybe_trained(draft, node, 2), window, weight.sizes[0], groups)


def _conv_transpose(draft: Sketch, node: Node) -> Viewed:
    x, weight = draft.seen(draft.reads(node, 0)), trained(draft, node, 1)
    window, groups = _window(draft, node, weight.sizes[2:]), node.attributes.get("group", 1)
    more = node.attributes.get("output_padding", [0] * (len(weight.sizes) - 2))
    filters = weight.sizes[1] * groups
    return windows.transposed_convolution(
        draft, x, weight, maybe_trained(draft, node, 2), window, filters, groups, more
    )


def _pool(kind: str) -> Callable[[Sketch, Node], Viewed]:
    def read(draft: Sketch, node: Node) -> Viewed:
        window = _window(draft, node, node.attributes["kernel_shape"])
        ceil = bool(node.attributes.get("ceil_mode", 0))
        return windows.pool(draft, draft.seen(draft.reads(node, 0)), kind, window, ceil=ceil)

    return read


def _whole_pool(kind: str) -> Callable[[Sketch, Node], Viewed]:
    return lambda draft, node: windows.whole_pool(draft, draft.seen(draft.reads(node, 0)), kind)


def _gemm(draft: Sketch, node: Node) -> Held:
    x, weight = draft.reads(node, 0), draft.reads(node, 1)
    if node.attributes.get("transA") and isinstance(x, Viewed):
        x = transposed(x, (1, 0))
    if isinstance(weight, Weight):
        sizes = weight.sizes[::-1] if node.attributes.get("transB") else weight.sizes
        bias = draft.optional(node, 2)
        if isinstance(x, Viewed) and (bias is None or (isinstance(bias, Weight) and bias.sizes == sizes[1:])):
            return products.linear(draft, x, Weight(weight.name, sizes), sizes[1], bias)
        weight = Weight(weight.name, sizes)
    elif node.attributes.get("transB") and isinstance(weight, Viewed):
        weight = transposed(weight, (1, 0))
    made = products.product(draft, x, weight, written(draft, node))
    bias = draft.optional(node, 2)
    return made if bias is None else pointwise.combined(draft, "add", [made, bias], written(draft, node))


def _matmul(draft: Sketch, node: Node) -> Held:
    return products.product(draft, draft.reads(node, 0), draft.reads(node, 1), written(draft, node))


def _einsum(draft: Sketch, node: Node) -> Held:
    left, arrow, right = node.attributes["equation"].replace(" ", "").partition("->")
    if "..." in left or not arrow:
        raise Unreadable("its equation leaves axes or its output open")
    held = [draft.reads(node, i) for i in range(len(node.inputs))]
    return products.contraction(draft, held, [list(one) for one in left.split(",")], list(right), written(draft, node))


def _batch_norm(draft: Sketch, node: Node) -> Viewed:
    return norms.batch_norm(
        draft, draft.seen(draft.reads(node, 0)), maybe_trained(draft, node, 1), maybe_trained(draft, node, 2)
    )


def _last_norm(kind: str) -> Callable[[Sketch, Node], Viewed]:
    def read(draft: Sketch, node: Node) -> Viewed:
        x = draft.seen(draft.reads(node, 0))
        axes = len(x.axes) - node.attributes.get("axis", -1) % len(x.axes)
        weight, bias = maybe_trained(draft, node, 1), maybe_trained(draft, node, 2)
        return norms.last_norm(draft, x, kind, axes, weight, bias)

    return read


def _group_norm(draft: Sketch, node: Node) -> Viewed:
    x = draft.seen(draft.reads(node, 0))
    groups = node.attributes.get("num_groups", x.sizes[1])
    return norms.group_norm(draft, x, groups, maybe_trained(draft, node, 1), maybe_trained(draft, node, 2))


def _softmax(draft: Sketch, node: Node) -> Viewed:
    return norms.softmax(draft, draft.seen(draft.reads(node, 0)), node.attributes.get("axis", -1))


def _transpose(draft: Sketch, node: Node) -> Held:
    x = draft.reads(node, 0)
    return permuted(x, node.attributes.get("perm", list(range(len(x.sizes)))[::-1]))


def _expand(draft: Sketch, node: Node) -> Held:
    x = draft.reads(node, 0)
    return expanded(draft, draft.seen(x), written(draft, node))


def _concat(draft: Sketch, node: Node) -> Held:
    held = [draft.reads(node, i) for i in range(len(node.inputs))]
    return parts.beside(draft, held, node.attributes["axis"] % len(written(draft, node)))


def _split(draft: Sketch, node: Node) -> list[Held]:
    x = draft.reads(node, 0)
    axis = node.attributes.get("axis", 0) % len(x.sizes)
    return parts.parted(draft, x, axis, [draft.size_of(name)[axis] for name in node.outputs])


def _slice(draft: Sketch, node: Node) -> Held:
    return parts.cut(draft, draft.reads(node, 0), written(draft, node))


def _gather(draft: Sketch, node: Node) -> Held:
    x, indices = draft.reads(node, 0), draft.reads(node, 1)
    axis = node.attributes.get("axis", 0) % len(x.sizes)
    if isinstance(x, Weight) and axis == 0 and len(x.sizes) == 2:
        return lookups.embedding(draft, x, indices)
    if isinstance(indices, Constant):
        said = node.attributes.get("input1")
        sizes = [prod(indices.sizes) if i == axis else n for i, n in enumerate(x.sizes)]
        made = parts.cut(draft, x, sizes, dropped=None if indices.sizes else axis, place=said[0] if said else None)
        if len(indices.sizes) < 2:
            return made
    raise Unreadable("it reads places that only the samples say")


def _pad(draft: Sketch, node: Node) -> Held:
    x, sizes = draft.seen(draft.reads(node, 0)), written(draft, node)
    said = node.attributes.get("pads") or node.attributes.get("input1")
    if said is None or len(said) != 2 * len(sizes):
        raise Unreadable("what it adds at each side is not known")
    return windows.padded(draft, x, said)


def _resize(draft: Sketch, node: Node) -> Held:
    kind = "nearest" if node.attributes.get("mode", "nearest") == "nearest" else "linear"
    return windows.upsample(draft, draft.seen(draft.reads(node, 0)), kind, written(draft, node))


def _reduced(pools: str = "") -> Callable[[Sketch, Node], Held]:
    def read(draft: Sketch, node: Node) -> Held:
        x, keeps = draft.reads(node, 0), bool(node.attributes.get("keepdims", 1))
        axes = node.attributes.get("axes") or node.attributes.get("input1") or range(len(x.sizes))
        return parts.reduced(draft, x, axes, keeps=keeps, what=node.kind.lower(), pools=pools)

    return read


def _attention(draft: Sketch, node: Node) -> Held:
    q, k, v = (draft.seen(draft.reads(node, i)) for i in range(3))
    warn_of_mask(draft, node, 3)
    heads, key_heads = node.attributes.get("q_num_heads"), node.attributes.get("kv_num_heads")
    if len(q.axes) == 3 and heads and key_heads:
        q, k, v = (
            transposed(reshaped(draft, one, (*one.sizes[:2], n, one.sizes[2] // n)), (0, 2, 1, 3))
            for one, n in ((q, heads), (k, key_heads), (v, key_heads))
        )
    made = lookups.attention(draft, q, k, v, causal=bool(node.attributes.get("is_causal", 0)))
    sizes = written(draft, node)
    return made if len(sizes) == 4 else reshaped(draft, transposed(made, (0, 2, 1, 3)), sizes)


ACTIVATIONS: Final = (
    "Relu", "LeakyRelu", "Elu", "Selu", "Celu", "Gelu", "Sigmoid", "HardSigmoid", "HardSwish", "Swish", "Mish", "Tanh",
    "Softplus", "Softsign", "ThresholdedRelu",
)  # fmt: skip
FUNCTIONS: Final = (
    "Abs", "Neg", "Exp", "Log", "Sqrt", "Reciprocal", "Erf", "Floor", "Ceil", "Round", "Sign", "Sin", "Cos", "Tan",
    "Clip", "Not", "IsNaN", "IsInf", "Trilu",
)  # fmt: skip
OF_SEVERAL: Final = (
    "Sub", "Div", "Pow", "Max", "Min", "Mean", "Mod", "Where", "Equal", "Less", "LessOrEqual", "Greater",
    "GreaterOrEqual", "And", "Or", "Xor", "PRelu",
)  # fmt: skip
RECORDS: Final[Mapping[str, Record]] = by_kind(
    Record(("Conv",), _conv),
    Record(("ConvTranspose",), _conv_transpose),
    Record(("MaxPool",), _pool("max")),
    Record(("AveragePool",), _pool("avg")),
    Record(("GlobalMaxPool",), _whole_pool("max")),
    Record(("GlobalAveragePool",), _whole_pool("avg")),
    Record(("Resize", "Upsample"), _resize),
    Record(("Pad",), _pad),
    Record(("Gemm",), _gemm),
    Record(("MatMul",), _matmul),
    Record(("Einsum",), _einsum),
    Record(("Attention",), _attention),
    Record(("BatchNormalization",), _batch_norm),
    Record(("LayerNormalization",), _last_norm("layer")),
    Record(("RMSNormalization", "SimplifiedLayerNormalization"), _last_norm("rms")),
    Record(("GroupNormalization", "InstanceNormalization"), _group_norm),
    Record(("Softmax", "LogSoftmax"), _softmax),
    Record(ACTIVATIONS, function("activation")),
    Record(FUNCTIONS, function("elementwise")),
    Record(("Dropout",), function("dropout")),
    Record(("Identity", "Cast", "CastLike"), same),
    Record(("Add", "Sum"), combined("add")),
    Record(("Mul",), combined("multiply")),
    Record(OF_SEVERAL, combined("elementwise")),
    Record(("Reshape", "Flatten", "Squeeze", "Unsqueeze"), reshape),
    Record(("Transpose",), _transpose),
    Record(("Expand",), _expand),
    Record(("Concat",), _concat),
    Record(("Split",), _split),
    Record(("Slice",), _slice),
    Record(("Gather",), _gather),
    Record(("ReduceMean",), _reduced("avg")),
    Record(("ReduceMax",), _reduced("max")),
    Record(("ReduceSum", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceProd", "ReduceLogSumExp"),
           _reduced()),
    Record(("Shape", "Size"), lambda draft, node: Constant(draft.size_of(node.outputs[0]))),
)  # fmt: skip
"""By ONNX's name."""
