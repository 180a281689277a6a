"""What JAX's primitives are as layers."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.arrangement import expanded, reshaped
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import Constant, Viewed, Weight
from hypar_opt.importers.layers import lookups, parts, products, windows
from hypar_opt.importers.records.common import combined, function, permuted, reshape, same, trained, written
from hypar_opt.importers.records.record import Record, by_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.importers.graph import Node
    from hypar_opt.importers.held import Held


def _dot(draft: Sketch, node: Node) -> Held:
    """Return a product over axes: the jaxpr says the einsum itself."""
    (left, right), (of_left, of_right) = node.attributes["dimension_numbers"]
    a, b = draft.reads(node, 0), draft.reads(node, 1)
    last = isinstance(a, Viewed) and left == [len(a.sizes) - 1] and not of_left
    if isinstance(a, Viewed) and last and isinstance(b, Weight) and len(b.sizes) == 2:
        return products.linear(draft, a, b, b.sizes[1 - right[0]])
    first = [f"l{i}" for i in range(len(a.sizes))]
    second = [f"r{i}" for i in range(len(b.sizes))]
    for mine, theirs in (*zip(left, right, strict=True), *zip(of_left, of_right, strict=True)):
        second[theirs] = first[mine]
    shared = [first[i] for i in of_left]
    made = [
        *shared,
        *(name for i, name in enumerate(first) if i not in (*left, *of_left)),
        *(name for i, name in enumerate(second) if i not in (*right, *of_right)),
    ]
    return products.contraction(draft, [a, b], [first, second], made, written(draft, node))


def _conv(draft: Sketch, node: Node) -> Held:
    said, x, weight = node.attributes, draft.seen(draft.reads(node, 0)), trained(draft, node, 1)
    if set(said["lhs_dilation"]) != {1} or said.get("batch_group_count", 1) != 1:
        raise Unreadable("it is dilated along its input, or in groups of samples")
    order, of_weight, of_output = said["lhs_spec"], said["rhs_spec"], said["out_spec"]
    kernel = [weight.sizes[i] for i in of_weight[2:]]
    pads = [*(before for before, _ in said["padding"]), *(after for _, after in said["padding"])]
    if min(pads, default=0) < 0:
        raise Unreadable("its margins are cut")
    window = windows.Kernel(kernel, said["window_strides"], pads, said["rhs_dilation"])
    filters, groups = weight.sizes[of_weight[0]], said["feature_group_count"]
    moved = permuted(x, order)
    made = windows.convolution(draft, draft.seen(moved), weight, None, window, filters, groups)
    return permuted(made, [of_output.index(i) for i in range(len(of_output))])


def _pool(kind: str) -> Callable[[Sketch, Node], Held]:
    def read(draft: Sketch, node: Node) -> Held:
        x, said = draft.seen(draft.reads(node, 0)), node.attributes
        kernel, stride = said["window_dimensions"], said["window_strides"]
        if kernel[0] != 1 or set(said.get("base_dilation", [1])) != {1}:
            raise Unreadable("its windows take several samples, or have gaps")
        last = kernel[-1] == 1 and stride[-1] == 1
        order = [0, len(kernel) - 1, *range(1, len(kernel) - 1)] if last else list(range(len(kernel)))
        if kernel[order[1]] != 1:
            raise Unreadable("its windows take several channels")
        inner = order[2:]
        pads = [said["padding"][i][0] for i in inner] + [said["padding"][i][1] for i in inner]
        window = windows.Kernel([kernel[i] for i in inner], [stride[i] for i in inner], pads, [1] * len(inner))
        made = windows.pool(draft, draft.seen(permuted(x, order)), kind, window, ceil=False)
        return permuted(made, [order.index(i) for i in range(len(order))])

    return read


def _spread(draft: Sketch, node: Node) -> Held:
    x, sizes, kept = draft.reads(node, 0), written(draft, node), node.attributes["broadcast_dimensions"]
    own = tuple(x.sizes[kept.index(i)] if i in kept else 1 for i in range(len(sizes)))
    if isinstance(x, Weight) and own == sizes:
        return Weight(x.name, sizes)
    if isinstance(x, Weight) and prod(own) == prod(sizes):
        return Weight(x.name, sizes)
    return expanded(draft, reshaped(draft, draft.seen(x), own), sizes)


def _gather(draft: Sketch, node: Node) -> Held:
    """Return rows of a table, whose indices have an axis of size 1 more."""
    x, indices = draft.reads(node, 0), draft.reads(node, 1)
    said = node.attributes
    rows = said.get("slice_sizes") == [1, x.sizes[-1]] and said.get("start_index_map") == [0]
    if not isinstance(x, Weight) or len(x.sizes) != 2 or not rows or said.get("collapsed_slice_dims") != [0]:
        raise Unreadable("it reads places that only numbers say")
    left = indices.sizes[:-1]
    shaped = Constant(left) if isinstance(indices, Constant) else reshaped(draft, draft.seen(indices), left)
    return lookups.embedding(draft, x, shaped)


def _cut(draft: Sketch, node: Node) -> Held:
    return parts.cut(draft, draft.reads(node, 0), written(draft, node))


def _take(draft: Sketch, node: Node) -> Held:
    x, axis = draft.reads(node, 0), node.attributes["axis"]
    return parts.cut(draft, x, [1 if i == axis else size for i, size in enumerate(x.sizes)], dropped=axis)


def _split(draft: Sketch, node: Node) -> list[Held]:
    return parts.parted(draft, draft.reads(node, 0), node.attributes["axis"], node.attributes["sizes"])


def _beside(draft: Sketch, node: Node) -> Held:
    held = [draft.reads(node, i) for i in range(len(node.inputs))]
    return parts.beside(draft, held, node.attributes["dimension"])


def _pad(draft: Sketch, node: Node) -> Held:
    said = node.attributes["padding_config"]
    if any(inner for _, _, inner in said):
        raise Unreadable("it pads between places")
    starts: Sequence[int] = [before for before, _, _ in said]
    return windows.padded(draft, draft.seen(draft.reads(node, 0)), [*starts, *(after for _, after, _ in said)])


def _reduced(draft: Sketch, node: Node) -> Held:
    return parts.reduced(draft, draft.reads(node, 0), node.attributes["axes"], keeps=False, what=node.kind)


def _transpose(draft: Sketch, node: Node) -> Held:
    return permuted(draft.reads(node, 0), node.attributes["permutation"])


ACTIVATIONS: Final = (
    "logistic", "tanh", "jit.relu", "jit.relu6", "jit.silu", "jit.swish", "jit.gelu", "jit.elu", "jit.leaky_relu",
    "jit.softplus", "jit.log_sigmoid", "jit.hard_swish",
)  # fmt: skip
FUNCTIONS: Final = (
    "abs", "neg", "exp", "exp2", "expm1", "log", "log1p", "sqrt", "rsqrt", "cbrt", "erf", "erf_inv", "sin", "cos",
    "tan", "sign", "floor", "ceil", "round", "integer_pow", "square", "not", "is_finite",
)  # fmt: skip
OF_SEVERAL: Final = (
    "sub", "div", "pow", "max", "min", "rem", "select_n", "clamp", "eq", "ne", "lt", "le", "gt", "ge", "and", "or",
    "xor", "atan2", "nextafter",
)  # fmt: skip
RECORDS: Final[Mapping[str, Record]] = by_kind(
    Record(("dot_general",), _dot),
    Record(("conv_general_dilated",), _conv),
    Record(("reduce_window_max",), _pool("max")),
    Record(("reduce_window_sum",), _pool("avg")),
    Record(("broadcast_in_dim",), _spread),
    Record(("gather",), _gather),
    Record(("slice", "dynamic_slice"), _cut),
    Record(("take",), _take),
    Record(("split",), _split),
    Record(("concatenate",), _beside),
    Record(("pad",), _pad),
    Record(("reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "reduce_and", "reduce_or"), _reduced),
    Record(("reshape", "squeeze", "expand_dims"), reshape),
    Record(("transpose",), _transpose),
    Record(
        ("convert_element_type", "copy", "copy_p", "stop_gradient", "optimization_barrier", "reduce_precision"), same
    ),
    Record(ACTIVATIONS, function("activation")),
    Record(FUNCTIONS, function("elementwise")),
    Record(("add", "add_any"), combined("add")),
    Record(("mul",), combined("multiply")),
    Record(OF_SEVERAL, combined("elementwise")),
)
"""By the primitive's name."""
