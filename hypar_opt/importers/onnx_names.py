"""Modules of the model that an ONNX file was exported from, as far as its names tell them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SCOPES: Final = "pkg.torch.onnx.name_scopes"
"""Under which PyTorch's exporter says in which modules a node stands."""
QUOTED: Final = re.compile(r"'([^']{0,200})'")
LAST: Final = re.compile(r"\.[A-Za-z_0-9]+$")


def module_of(node: Any, trained: Sequence[str]) -> str:
    """Return the module of a node: from what PyTorch says, the node's name, or that of its first parameter."""
    scopes = next((one.value for one in getattr(node, "metadata_props", ()) if one.key == SCOPES), "")[:10_000]
    found = QUOTED.findall(scopes)
    if len(found) > 1:
        return str(found[-2])
    if node.name.startswith("/"):
        return _joined(node.name.split("/")[1:-1])
    named = next((name for name in trained if "." in name and not name.startswith("onnx::")), "")
    return LAST.sub("", named) or str(node.name)


def _joined(parts: Sequence[str]) -> str:
    """Return one name of `layer1/layer1.0/conv1`: a part that begins with the one before it stands for both."""
    names: list[str] = []
    for part in parts:
        if names and part.startswith(f"{names[-1]}."):
            names.pop()
        names.append(part)
    return ".".join(names)
