"""What a header says, and that its parts fit each other."""

from __future__ import annotations

from itertools import chain
from math import prod
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

from .archive import conform, expect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TEXT, NUMBER, POSITIVE, DIGEST = "(?s:.*)", range(2**63), range(1, 2**63), "[0-9a-f]{64}"
NAME = r"(?!(?:none|whole|partial|[.])$)\S+"  # of a dimension: an entry of words, which spaces part
EXACT = "[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{0,998})?"
SMALL, COUNT = range(-(2**31), 2**31), range(1, 2**31)
WINDOW = {"positions": COUNT, "kernel": COUNT, "stride": COUNT, "dilation": COUNT, "before": SMALL, "spacing": COUNT}
OPERAND = {
    "tensor": NUMBER,
    "dims": [(NAME,)],
    "windows": {"*": WINDOW},
    "saved": True,
    "is_added": True,
    "has_gradient": True,
}
OUTPUT = {"tensor": NUMBER, "dims": [(NAME,)]}
HEADER: dict[str, Any] = {
    "schema": "hypar-opt/certificate/1",
    "problem": {
        "kind": "operators", "instance": TEXT, "instance_sha256": DIGEST, "overrides": {"*": None},
        "batch": POSITIVE, "accounting": "collective", "axes": [{"name": TEXT, "size": range(2, 2**16 + 1)}],
        "splits": "any|divisible|padded", "choices": ([r"\S+"],),
        "storages": ["replicated|zero-1|zero-2|zero-3"], "fix": {"*": TEXT}, "objective": {"communication": EXACT},
        "tensors": [{"name": TEXT, "sizes": [POSITIVE], "role": "input|activation|parameter",
                     "element_bytes": POSITIVE, "has_gradient": True}],
        "operators": [{"name": TEXT, "sizes": {"*": POSITIVE}, "splits": [NAME], "is_cheap": True,
                       "operands": [OPERAND], "output": OUTPUT,
                       "statistics": [{"dims": [NAME], "forward": NUMBER, "backward": NUMBER,
                                       "element_bytes": POSITIVE}]}],
    },
    "scale": range(1025), "arrays_sha256": DIGEST,
    "clusters": [{"variables": [NUMBER], "unary": [NUMBER], "edges": [[NUMBER]]}],
    "messages": [{"from": NUMBER, "to": NUMBER, "variables": [NUMBER], "table": NUMBER}],
    "claim": {"bound": EXACT, "plan": {"*": TEXT}},
}  # fmt: skip
MOST_DEVICES = 2**16
MOST_AXES = 24
MOST_DIMENSIONS = 16  # of a tensor
MOST_ELEMENTS = 2**127  # of a tensor


def check_header(header: Any) -> None:
    """Check that all fields are there, of the types and in the ranges said, and that the problem's fit each other."""
    conform(header, HEADER, "header.json")
    problem = header["problem"]
    sizes = [one["size"] for one in problem["axes"]]
    is_so = 0 < len(sizes) <= MOST_AXES and prod(sizes) <= MOST_DEVICES
    expect(is_so, f"header.json: problem: axes: expected 1 to {MOST_AXES}, of at most {MOST_DEVICES} devices together")
    for name, given in problem["overrides"].items():
        is_so = name not in ("batch", "splits", "accounting") or problem[name] == given
        expect(is_so, f"header.json: problem: overrides: {name}: not as in the problem")
    for kind in ("tensors", "operators"):
        names = [one["name"] for one in problem[kind]]
        expect(0 < len(set(names)) == len(names), f"header.json: problem: {kind}: expected different names, and some")
    storages = problem["storages"]
    expect(0 < len(set(storages)) == len(storages), "header.json: problem: storages: expected different ones, and some")
    for number, one in enumerate(problem["tensors"]):
        where = f"header.json: problem: tensors[{number}]: sizes"
        is_so = len(one["sizes"]) <= MOST_DIMENSIONS and prod(one["sizes"]) < MOST_ELEMENTS
        expect(is_so, f"{where}: expected at most {MOST_DIMENSIONS}, of fewer than {MOST_ELEMENTS} elements together")
    _check_graph(problem["tensors"], problem["operators"])


def _check_graph(tensors: Sequence[Mapping[str, Any]], operators: Sequence[Mapping[str, Any]]) -> None:
    """Check that operators name tensors by as many dimensions as these have, and read nothing before it is written."""
    there = {number for number, one in enumerate(tensors) if one["role"] != "activation"}
    for number, one in enumerate(operators):
        where = f"header.json: problem: operators[{number}]"
        for operand in (*one["operands"], one["output"]):
            named = [dim for dim in operand["dims"] if dim is not None]
            is_so = operand["tensor"] < len(tensors)
            is_so = is_so and len(operand["dims"]) == len(tensors[operand["tensor"]]["sizes"])
            expect(is_so, f"{where}: expected tensors that there are, by all their dimensions, got {short(operand)}")
            is_so = len(set(named)) == len(named) and one["sizes"].keys() >= {*named}
            expect(is_so, f"{where}: dims: expected different ones that it has, got {short(named)}")
        has = one["sizes"].keys()
        known = {*one["splits"], *chain.from_iterable(some["dims"] for some in one["statistics"])} <= has
        expect(known, f"{where}: expected splits and statistics of dimensions that it has")
        expect(len(set(one["splits"])) == len(one["splits"]), f"{where}: splits: expected different ones")
        for some in one["statistics"]:
            expect(len(set(some["dims"])) == len(some["dims"]) <= MOST_DIMENSIONS, f"{where}: statistics: dims")
        early = [operand["tensor"] for operand in one["operands"] if operand["tensor"] not in there]
        expect(not early, f"{where}: reads {short(early)} before it is written")
        written = one["output"]["tensor"]
        expect(written not in there, f"{where}: output: expected a tensor that nothing has written, got {written}")
        there.add(written)
    missing = short(sorted({*range(len(tensors))} - there))
    expect(missing == "[]", f"header.json: problem: tensors: nothing writes {missing}")
