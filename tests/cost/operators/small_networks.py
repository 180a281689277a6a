"""Small networks of the kinds of layers that random graphs have not: each a few lines of an instance file."""

from __future__ import annotations

from random import Random

import yaml

from hypar_opt.instance.operators import OperatorInstance

NETWORKS = {
    "experts": """
        input: {sequence: 4, features: 6}
        layers:
          - {name: mixed, experts: {count: 4, top: 2, hidden: 4, gated: true}}
          - {name: loss, loss: {}}""",
    "products": """
        inputs: {a: {rows: 6, inner: 4}, b: {inner: 4, columns: 3}, c: {rows: 6, inner: 4}}
        layers:
          - {name: left, inputs: [a], linear: {features: 4, bias: true}}
          - {name: product, inputs: [left, b], matmul: {}}
          - {name: shares, softmax: {}}
          - {name: other, inputs: [c], shared: left, linear: {features: 4, bias: true}}
          - {name: back, inputs: [shares, b], einsum: {equation: 'batch r c, batch i c -> batch r i'}}
          - {name: both, inputs: [back, other], multiply: {}}""",
    "parts": """
        input: {sequence: 6, features: 8}
        layers:
          - {name: wide, linear: {features: 8}}
          - {name: half, split: {over: features, into: 2}}
          - {name: gate, inputs: [half.0], activation: {}}
          - {name: both, inputs: [half.1, gate], concat: {}}
          - {name: cut, part: {over: sequence, size: 3}}
          - {name: turned, transpose: [features, sequence]}
          - {name: again, inputs: [wide], dropout: {}}""",
    "maps": """
        input: [4, 8, 8]
        layers:
          - {name: deep, conv: {filters: 4, kernel: 3, pad: 1, groups: 4}}
          - {name: norm, norm: {kind: batch}}
          - {name: small, pool: {kernel: 2}}
          - {name: large, upsample: {factor: 2}}
          - {name: joined, inputs: [deep, large], concat: {}}
          - {name: flat, flatten: {}}
          - {name: out, linear: {features: 4, bias: true}}
          - {name: loss, loss: {}}""",
    "decoder": """
        input: [2, 6, 6]
        layers:
          - {name: up, transposed_conv: {filters: 4, kernel: 2, stride: 2}}
          - {name: line, conv: {filters: 3, kernel: 3, pad: 1}}
          - {name: most, global_pool: {kind: max}}
          - {name: sum, inputs: [line, line], add: {}}""",
    "tables": """
        inputs: {words: {sequence: 4}, other: {sequence: 4}}
        layers:
          - {name: one, inputs: [words], embedding: {vocabulary: 12, features: 4}}
          - {name: two, inputs: [other], shared: one, embedding: {vocabulary: 12, features: 4}}
          - {name: both, inputs: [one, two], add: {}}
          - {name: norm, norm: {kind: rms}}
          - {name: square, inputs: [norm, norm], multiply: {}}""",
}


def small_graph(seed):
    """Return the operators of one of the networks."""
    names = list(NETWORKS)
    return graph_of(names[seed % len(names)], Random(f"batch {seed}").choice([2, 4, 6, 12]))


def graph_of(name, batch):
    document = {
        "schema": "hypar-opt/instance/1",
        "name": name,
        "batch": batch,
        "network": yaml.safe_load(NETWORKS[name]),
        "array": {"axes": [{"name": "device", "size": 2}]},
    }
    return OperatorInstance.from_dict(document).graph
