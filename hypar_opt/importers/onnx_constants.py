"""Shapes that an ONNX file computes: small integers worked out, as far as inputs' sizes say them.

ONNX's own inference of shapes follows such computations only in part: exporters write shapes as chains of Shape,
Gather, Concat, Equal and Where.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MOST: Final = 1024
"""Numbers in a tensor that is worked out."""
EXTERNAL: Final = 1
"""ONNX's mark of tensors whose numbers are in another file, which is never opened."""
KNOWN: Final = frozenset(
    ("Add", "And", "Cast", "Ceil", "Concat", "ConstantOfShape", "Div", "Equal", "Expand", "Floor", "Gather", "Greater",
     "Identity", "Less", "Max", "Min", "Mod", "Mul", "Neg", "Not", "Or", "Range", "ReduceProd", "Reshape", "Slice",
     "Squeeze", "Sub", "Transpose", "Unsqueeze", "Where")
)  # fmt: skip


def worked_out(proto: Any, sizes: Mapping[str, tuple[int, ...]]) -> dict[str, NDArray[Any]]:
    """Return what nodes compute from constants and shapes alone.

    Parameters
    ----------
    proto
        The model.
    sizes
        Of tensors, as far as they are known.
    """
    import numpy as np

    read = ((one.name, numbers_of(one)) for one in proto.graph.initializer)
    values = {name: made for name, made in read if made is not None}
    found: dict[str, NDArray[Any]] = {}
    for node in proto.graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].HasField("t"):
            made = numbers_of(node.attribute[0].t)
            if made is not None:
                values[node.output[0]] = made
        elif node.op_type == "Shape" and node.input and node.input[0] in sizes and not node.attribute:
            values[node.output[0]] = found[node.output[0]] = np.array(sizes[node.input[0]], dtype=np.int64)
        elif node.op_type in KNOWN and len(node.output) == 1 and all(not one or one in values for one in node.input):
            made = _value(node, proto, values)
            if made is not None:
                values[node.output[0]] = found[node.output[0]] = made
    return found


def numbers_of(tensor: Any) -> NDArray[Any] | None:
    """Return what a tensor of a file holds; None where that is much, in another file, or not as it should be."""
    from onnx.numpy_helper import to_array

    if tensor.data_location == EXTERNAL or prod(tensor.dims) > MOST:
        return None
    try:
        return to_array(tensor)
    except (LookupError, TypeError, ValueError):
        return None


def _value(node: Any, proto: Any, values: Mapping[str, NDArray[Any]]) -> NDArray[Any] | None:
    """Return what a node computes, or None where that is much, or cannot be."""
    import numpy as np

    if any(one.HasField("t") and one.t.data_location == EXTERNAL for one in node.attribute):
        return None
    given = {name: values[name] for name in node.input if name}
    if not _is_small(node, [given[name] for name in node.input if name]):
        return None
    with np.errstate(all="ignore"):
        try:
            made = _evaluated(node, proto, given)
        except (ArithmeticError, AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError):
            return None
    return np.asarray(made) if isinstance(made, np.ndarray | np.generic) and made.size <= MOST else None


def _evaluated(node: Any, proto: Any, given: Mapping[str, NDArray[Any]]) -> Any:
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(one.dtype), one.shape)
              for name, one in given.items()]  # fmt: skip
    output = helper.make_tensor_value_info(node.output[0], TensorProto.UNDEFINED, None)
    graph = helper.make_graph([node], "one", inputs, [output])
    fields: dict[str, Any] = {"opset_imports": list(proto.opset_import), "ir_version": proto.ir_version}
    model = helper.make_model(graph, **fields)
    outputs: Any = ReferenceEvaluator(model).run(None, dict(given))
    return outputs[0]


def _is_small(node: Any, inputs: list[Any]) -> bool:
    """Return whether a node whose output may be larger than its inputs writes little."""
    if node.op_type == "ConstantOfShape":
        return bool(prod(inputs[0].reshape(-1).tolist()) <= MOST)
    if node.op_type == "Expand":
        return bool(prod(inputs[1].reshape(-1).tolist()) <= MOST)
    if node.op_type == "Range":
        start, limit, delta = (one.reshape(-1).tolist()[0] for one in inputs)
        return bool(delta and abs(limit - start) <= MOST * abs(delta))
    return True
