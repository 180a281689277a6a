"""Small ONNX models, made where they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

FLOAT, INT64 = 1, 7


@dataclass(frozen=True)
class Numbers:
    """An initialiser of zeros, or of integers where values are given."""

    name: str
    sizes: tuple[int, ...]
    values: tuple[int, ...] | None = None

    def made(self):
        from onnx import helper

        if self.values is not None:
            return helper.make_tensor(self.name, INT64, self.sizes, self.values)
        return helper.make_tensor(self.name, FLOAT, self.sizes, bytes(4 * prod(self.sizes)), raw=True)


def weight(name, *sizes):
    """Return an initialiser of zeros."""
    return Numbers(name, sizes)


def integers(name, *values):
    """Return an initialiser of integers."""
    return Numbers(name, (len(values),), values)


def model(path, nodes, inputs, outputs=("y",), weights=(), *, opset=23, known=None):
    """Write a model, and return where.

    Parameters
    ----------
    nodes
        Kind, inputs, outputs, attributes; the last two may be left out.
    inputs
        By name, sizes; a text is a dimension without size.
    known
        By name, sizes of tensors that the file says.
    """
    from onnx import helper

    made = []
    for number, (kind, read, *more) in enumerate(nodes):
        written = more[0] if more else ["y"]
        fields = {
            name: value.made() if isinstance(value, Numbers) else value
            for name, value in (more[1] if len(more) > 1 else {}).items()
        }
        made.append(helper.make_node(kind, list(read), list(written), name=f"n{number}", **fields))
    given = [helper.make_tensor_value_info(name, INT64 if name.startswith("i") else FLOAT, sizes)
             for name, sizes in inputs.items()]  # fmt: skip
    said = [helper.make_tensor_value_info(name, FLOAT, sizes) for name, sizes in (known or {}).items()]
    ends = [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs]
    graph = helper.make_graph(made, "test", given, ends, [one.made() for one in weights], value_info=said)
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("other", 1), helper.make_opsetid("com.microsoft", 1)]
    path.write_bytes(helper.make_model(graph, opset_imports=imports, ir_version=10).SerializeToString())
    return path
