"""Claims written down and judged."""

from __future__ import annotations

import json

import pytest
from helpers import document, linear_chain

from hypar_opt.studies.claims import audit, read_claims

MACHINE = {
    "topology": "h-tree",
    "levels": 1,
    "placement": "identity",
    "link": {"bandwidth": 1, "energy": 0},
    "accelerator": {
        "model": "as-evaluated",
        "rate": 12,
        "energy": {"add": 0, "multiply": 0, "sram": 0, "dram": 1},
    },
}
"""Two accelerators of twelve operations a second, a byte a second each way, a joule for every access to a memory."""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes claims beside small instances, and returns the file's path."""
    small = {**document(linear_chain(8, 4, 2), [8], batch=4, levels=2), "name": "small"}
    odd = {**document(linear_chain(3), [3], batch=3, splits="divisible"), "name": "odd"}
    join = {"name": "sum", "add": {}, "inputs": ["fc2", "fc1"]}
    graph = {**document([*linear_chain(8, 8), join], [8], batch=4, levels=1), "name": "graph"}
    fixed = {**document(linear_chain(8, 4, 2), [8], batch=4, levels=2, fix={"fc1": "dd"}), "name": "fixed"}
    even = {**document(linear_chain(8, 4), [6], batch=4, levels=2, splits="divisible"), "name": "even"}
    machine = {**document(linear_chain(4), [8], batch=4), "name": "machine", "array": MACHINE}
    pair = {**document(linear_chain(8, 2), [8], batch=8, levels=2), "name": "pair", "array": {**MACHINE, "levels": 2}}
    chain = document(
        linear_chain(8, 8, 8, 8), [8], batch=4, levels=2, choices=["dp", "mp", "op"], accounting="leaf-exact"
    )
    wide = {**chain, "name": "wide"}
    for one in (small, odd, graph, fixed, even, machine, pair, wide):
        (tmp_path / f"{one['name']}.json").write_text(json.dumps(one), encoding="utf-8")

    def write_claims(*claims):
        told = [{"id": f"c{i}", "source": "Table 1", "text": "a claim", **claim} for i, claim in enumerate(claims)]
        whole = {"schema": "hypar-opt/claims/1", "title": "of a test", "source": "nobody", "claims": told}
        path = tmp_path / "claims.json"
        path.write_text(json.dumps(whole), encoding="utf-8")
        return path

    return write_claims


@pytest.fixture
def judge(write):
    """Return a function that judges one claim."""

    def judged(claim, **how):
        (row,) = audit(read_claims(write(claim)).claims, **how)
        return row

    return judged
