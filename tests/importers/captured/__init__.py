"""Models as PyTorch's exporter has them, kept so that no PyTorch is needed to test what becomes of them.

`python -m tests.importers.captured NAME...` writes those of `models.py` anew, where torch is installed.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from pathlib import Path

from hypar_opt.importers.graph import FrameworkGraph, Node

FOLDER = Path(__file__).parent


def write(graph):
    """Keep a graph."""
    text = json.dumps(asdict(graph), separators=(",", ":"))
    (FOLDER / f"{graph.name}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def read(name):
    """Return a graph that was kept."""
    said = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
    nodes = tuple(Node(**{**one, "inputs": tuple(one["inputs"]), "outputs": tuple(one["outputs"])})
                  for one in said["nodes"])  # fmt: skip
    sizes = {tensor: tuple(size) for tensor, size in said["sizes"].items()}
    lists = {field: tuple(said[field]) for field in ("inputs", "trained", "outputs", "notes")}
    return FrameworkGraph(**{**said, **lists, "sizes": sizes, "nodes": nodes})
