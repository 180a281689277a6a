"""PyTorch's modules: traced by torch.export on tensors without numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.called import called, function_of, told
from hypar_opt.importers.graph import FrameworkGraph, Node
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Mapping

TESTED: Final = "2.14"
"""The version with which the records of its operators were tried."""
EXPECTED: Final = "a module and its example inputs, `return module, (x,)` or a dict of them by name,"
TIMES: Final = re.compile(r"@\d+")
"""What PyTorch adds to the name of a module that is called again."""


def read_torch(named: str) -> FrameworkGraph:
    """Return what a module does.

    Parameters
    ----------
    named
        `MODULE:FUNCTION`; the function returns a module and its example inputs, a tuple or a dict. It is called where
        new tensors have no numbers, so that large models need no memory.

    Raises
    ------
    InputError
        If the function raises, or the module cannot be traced: because what it does depends on numbers.
    MissingPackage
        If torch is not installed.
    """
    require("torch")
    import torch

    function_of(named)  # imports what it needs with numbers, as torchvision of PyTorch 2.6 has to
    with torch.device("meta"):
        module, inputs = called(named, EXPECTED)
    if not isinstance(module, torch.nn.Module):
        raise InputError(f"expected {EXPECTED} got a {type(module).__name__}", field=named)
    positional, by_name = ((), dict(inputs)) if isinstance(inputs, dict) else (tuple(inputs), {})
    try:
        program = torch.export.export(module, positional, by_name, strict=False)
    except Exception as error:
        raise InputError(
            f"cannot be traced: {told(error)}. What a model does must follow from sizes alone: no `if` or loop may "
            "depend on numbers of tensors",
            field=named,
        ) from error
    return graph_of(program, named.rpartition(":")[2], torch.__version__)


def graph_of(program: Any, name: str, version: str) -> FrameworkGraph:
    """Return the neutral form of a program that was exported.

    Parameters
    ----------
    program
        A `torch.export.ExportedProgram`.
    name
        Of the model.
    version
        Of PyTorch.
    """
    return _TorchReader(program).graph(name, version)


class _TorchReader:
    """The nodes of an exported program, those that change a tensor in place read as what comes after it."""

    def __init__(self, program: Any) -> None:
        self.signature = program.graph_signature
        self.fx = program.graph
        self.state = program.state_dict
        self.sizes: dict[str, tuple[int, ...]] = {}
        self.now: dict[str, str] = {}
        """By name in the program, the tensor that it stands for now."""
        self.nodes: list[Node] = []

    def graph(self, name: str, version: str) -> FrameworkGraph:
        """Return the neutral form."""
        trained = self._placeholders()
        outputs: tuple[str, ...] = ()
        for node in self.fx.nodes:
            if node.op == "call_function":
                self._call(node)
            elif node.op == "output":
                outputs = self._outputs(node)
        inputs = tuple(self.signature.user_inputs)
        given = tuple(one for one in inputs if isinstance(one, str) and one in self.sizes)
        notes = () if version.startswith(TESTED) else (f"torch is {version}, and {TESTED} was tried",)
        size = max((self.state[path].element_size() for path in trained.values() if path in self.state), default=4)
        return FrameworkGraph(
            name,
            f"torch {version}",
            given,
            tuple(trained.values()),
            self.sizes,
            tuple(self.nodes),
            outputs,
            size,
            notes,
        )

    def _placeholders(self) -> Mapping[str, str]:
        """Note parameters by their names in the module, and all else that is given; return the parameters."""
        trained = dict(self.signature.inputs_to_parameters)
        for node in self.fx.nodes:
            value = node.meta.get("val")
            if node.op in ("placeholder", "get_attr") and hasattr(value, "shape"):
                path = trained.get(node.name, node.name)
                self.now[node.name] = path
                self.sizes[path] = _sizes(value)
        # a tensor of several names is one parameter
        first: dict[int, str] = {}
        for name, path in trained.items():
            if path in self.state:
                self.now[name] = first.setdefault(id(self.state[path]), path)
        return {name: path for name, path in trained.items() if self.now.get(name) == path}

    def _call(self, node: Any) -> None:
        kind, value = _kind(node.target), node.meta.get("val")
        if kind == "getitem":
            source, place = node.args
            self.now[node.name] = f"{self.now.get(source.name, source.name)}.{place}"
            return
        inputs, attributes = self._arguments(node)
        written = list(value) if isinstance(value, tuple | list) else [value]
        names = [f"{node.name}.{i}" for i in range(len(written))] if isinstance(value, tuple | list) else [node.name]
        for name, one in zip(names, written, strict=True):
            if hasattr(one, "shape"):
                self.sizes[name] = _sizes(one)
        made = tuple(name if name in self.sizes else "" for name in names)
        if any(made):
            self.nodes.append(Node(kind, tuple(inputs), made, attributes, _module(node)))
        if str(node.target).split(".")[1:2] and str(node.target).split(".")[1].endswith("_") and node.args:
            self.now[node.args[0].name] = node.name

    def _arguments(self, node: Any) -> tuple[list[str], dict[str, Any]]:
        """Return the tensors that a node reads, in the order of its schema, and all else by name."""
        schema = getattr(node.target, "_schema", None)
        named = [one.name for one in schema.arguments] if schema is not None else []
        given = {named[i] if i < len(named) else f"input{i}": one for i, one in enumerate(node.args)} | dict(
            node.kwargs
        )
        optional = {one.name for one in schema.arguments if "Tensor" in str(one.type)} if schema is not None else set()
        inputs: list[str] = []
        attributes: dict[str, Any] = {}
        for name, value in given.items():
            listed = list(value) if isinstance(value, list | tuple) else [value]
            if any(hasattr(one, "meta") and hasattr(one, "op") for one in listed):
                inputs += [self._tensor(one) for one in listed]
            elif value is None and name in optional:
                inputs.append("")
            else:
                attributes[name] = _plain(value)
        return inputs, attributes

    def _tensor(self, node: Any) -> str:
        name = getattr(node, "name", "")
        found = self.now.get(name, name)
        return found if found in self.sizes else ""

    def _outputs(self, node: Any) -> tuple[str, ...]:
        said = node.args[0]
        listed = said if isinstance(said, list | tuple) else (said,)
        wanted = set(self.signature.user_outputs)
        found = [self._tensor(one) for one in listed if getattr(one, "name", None) in wanted]
        return tuple(dict.fromkeys(name for name in found if name))


def _kind(target: Any) -> str:
    """Return what an operator is called, without what kind of arguments it takes, and whether it is in place."""
    parts = str(target).split(".")
    if len(parts) < 2 or parts[0] not in ("aten", "torchvision", "prims", "higher_order"):
        return str(getattr(target, "__name__", target))
    name = parts[1] if parts[1].startswith("__") else parts[1].rstrip("_")
    return f"{parts[0]}.{name}"


def _sizes(value: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in value.shape)


def _module(node: Any) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    paths = [path for path, _ in stack.values()]
    return TIMES.sub("", str(paths[-1])) if paths else ""


def _plain(value: Any) -> Any:
    """Return an argument as JSON has it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return str(value)
