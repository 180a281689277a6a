"""Certificates for the tests of the checker: costs from the project's cost model, messages from dense tables."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from functools import reduce
from itertools import pairwise

import numpy as np


class Tables:
    """A problem's costs as dense arrays of Python integers, what is not allowed as a huge number."""

    def __init__(self, problem):
        graph = problem.graph
        self.problem, self.sizes, self.denominator = (
            problem,
            [x.size for x in graph.variables],
            graph.objective.denominator,
        )
        self.own = [cost.dense(object) for cost in graph.unary_costs]
        self.pairs = {pair: cost.dense(object) for pair, cost in graph.edge_costs.items()}
        self.masks = [np.ones(x.size, bool) if x.mask is None else np.asarray(x.mask) for x in graph.variables]
        self.huge = graph.upper + 1

    @property
    def is_feasible(self):
        return all(mask.any() for mask in self.masks)

    def total(self, scope, unary, pairs, messages=()):
        """The sum of some costs and (sign, variables, values) over `scope`; no variable's mask is left out."""
        found = np.zeros([self.sizes[x] for x in scope], object)
        for x in unary:
            found += self._spread((x,), self.own[x], scope)
        for pair in pairs:
            if pair in self.pairs:
                found += self._spread(pair, self.pairs[pair], scope)
        for sign, variables, values in messages:
            found += self._spread(variables, sign * values.astype(object), scope)
        return found

    def allowed(self, scope):
        """Which entries of a total no mask excludes."""
        return reduce(np.logical_and.outer, [self.masks[x] for x in scope], np.array(True))

    def _spread(self, variables, values, scope):
        order = [variables.index(x) for x in scope if x in variables]
        return values.transpose(order).reshape([self.sizes[x] if x in variables else 1 for x in scope])

    def best(self):
        """The least cost of all allowed assignments and one of that cost, by trying all."""
        every = tuple(range(len(self.sizes)))
        found = self.total(every, every, self.pairs)
        found = np.where(self.allowed(every), found, 2 * self.huge)
        place = np.unravel_index(int(np.argmin(found)), found.shape)
        return int(found[place]), [int(one) for one in place]


def eliminate(tables, order):
    """Eliminate the variables in this order; return clusters and messages [from, to, variables, values]."""
    rank = {x: place for place, x in enumerate(order)}
    scopes, received, clusters, messages = [], {x: [] for x in order}, [], []
    for place, x in enumerate(order):
        pairs = [pair for pair in tables.pairs if x in pair and min(pair, key=rank.get) == x]
        scope = {y for pair in pairs for y in pair}.union(*(one[2] for one in received[x])) - {x}
        scope = tuple(sorted(scope, key=rank.get))
        scopes.append((x, *scope))
        clusters.append({"kind": "bucket", "variables": [x, *scope], "unary": [x], "edges": boundaries(tables, pairs)})
        incoming = [(1, one[2], one[3]) for one in received[x]]
        values = tables.total((x, *scope), [x], pairs, incoming)
        values = np.where(tables.masks[x].reshape(-1, *[1] * len(scope)), values, 2**80)
        if scope:
            message = [place, rank[scope[0]], scope, values.min(axis=0)]
            received[scope[0]].append(message)
            messages.append(message)
    return clusters, messages


def edgewise(tables, rng):
    """A cluster for every pair of neighbours and every lonely variable, with random messages between them."""
    pairs = list(tables.pairs)
    scopes = [*pairs, *((x,) for x in range(len(tables.sizes)) if not any(x in pair for pair in pairs))]
    rng.shuffle(scopes)
    if len(scopes) > 1 and len(set(scopes[0] + scopes[1])) <= 3:  # two pairs in one cluster
        scopes = [tuple(dict.fromkeys(scopes[0] + scopes[1])), *scopes[2:]]
    charged, clusters = set(), []
    for scope in scopes:
        here = [pair for pair in pairs if set(pair) <= set(scope) and pair not in charged]
        own = [x for x in scope if x not in charged]
        charged.update(here, own)
        edges = boundaries(tables, here)
        clusters.append({"kind": "edge", "variables": list(scope), "unary": own, "edges": edges})
    messages = []
    for first, second in ((i, j) for j in range(len(scopes)) for i in range(j)):
        shared = [x for x in scopes[second] if x in scopes[first]]
        for variables in [shared, *([x] for x in shared if len(shared) > 1)]:
            if variables and rng.random() < 0.7:
                values = [rng.randint(-5000, 5000) for _ in range(int(np.prod([tables.sizes[x] for x in variables])))]
                ends = rng.sample([first, second], 2)
                values = np.array(values, object).reshape([tables.sizes[x] for x in variables])
                messages.append([*ends, tuple(variables), values])
    return clusters, sorted(messages, key=lambda one: min(one[:2]))


def proven(tables, clusters, messages):
    """The bound by the formula: the sum over clusters of the least of costs and messages."""
    found, edges = 0, tables.problem.work.boundaries
    for c, cluster in enumerate(clusters):
        pairs = {tuple(sorted((edges[e].producer, edges[e].reader))) for e in cluster["edges"]}
        some = [(1 if one[1] == c else -1, one[2], one[3]) for one in messages if c in one[:2]]
        scope = tuple(cluster["variables"])
        found += int(tables.total(scope, cluster["unary"], pairs, some)[tables.allowed(scope)].min())
    return found


def boundaries(tables, pairs):
    """The numbers of the boundaries between pairs of layers."""
    edges = enumerate(tables.problem.work.boundaries)
    return [e for e, one in edges if tuple(sorted((one.producer, one.reader))) in pairs]


def texts_of(weight):
    """What a byte weighs, as the header has it."""
    return [str(one) for one in weight] if isinstance(weight, tuple) else str(weight)


def summed(layer, instance):
    """What op and mp leave in partial sums, in elements of a sample: what leaves sum stands before the pool."""
    found = {"feature_in": layer.feature_in, "feature_out": layer.feature_out}
    if layer.keeps_layout:
        return found
    if layer.reads_input and not instance.input_error:
        found["feature_in"] = 0
    if instance.accounting in ("leaf-exact", "collective"):
        found["feature_out"] = layer.macs * layer.out_sizes[0] // layer.weight
    return found


def header_of(tables, clusters, messages, choices, bound):
    """The header without its digest."""
    problem, instance = tables.problem, tables.problem.instance
    return {
        "schema": "hypar-opt/certificate/1",
        "problem": {
            "kind": "network",
            "instance": instance.name,
            "instance_sha256": "0" * 64,
            "overrides": {},
            **{x: getattr(instance, x) for x in ("batch", "levels", "accounting", "bytes_per_element", "splits")},
            "choices": "".join(instance.choices),
            "fix": dict(instance.fix),
            "objective": {"communication": texts_of(problem.weight)},
            "layers": [
                {"name": layer.name, "weight": layer.weight, "groups": layer.groups}
                | summed(layer, instance)
                | {"join": layer.is_join, "in_sizes": list(layer.in_sizes), "out_sizes": list(layer.out_sizes)}
                for layer in problem.work.layers
            ],
            "boundaries": [[one.producer, one.reader, one.feature] for one in problem.work.boundaries],
        },
        "scale": (tables.denominator & -tables.denominator).bit_length() - 1,
        "clusters": clusters,
        "messages": [{"from": one[0], "to": one[1], "variables": list(one[2])} for one in messages],
        "multipliers": [],
        "claim": {"bound": str(bound), "plan": problem.strategies(choices)},
    }


def chain(tables):
    """A cluster for every boundary of a chain; messages forwards."""
    clusters, messages = eliminate(tables, list(range(len(tables.sizes))))
    for cluster in clusters:
        cluster["kind"] = "boundary"
    *clusters, last = clusters
    clusters[-1]["unary"] += last["unary"]
    return clusters, messages[:-1]


def entries(messages, width=None):
    """The bytes of messages.npy and the digest of its entries."""
    numbers = [int(x) for one in messages for x in np.asarray(one).reshape(-1)]
    width = width or (None if all(-(2**63) <= x < 2**63 for x in numbers) else 16)
    if width is None:
        array = np.array(numbers, "<i8")
    else:
        rows = b"".join(x.to_bytes(width, "little", signed=True) for x in numbers)
        array = np.frombuffer(rows, "|u1").reshape(len(numbers), width)
    return npy(array), hashlib.sha256(array.tobytes()).hexdigest()


def npy(array, **options):
    """An array as NumPy saves it."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, **options)
    return file.getvalue()


def archive(members, compression=zipfile.ZIP_STORED):
    """A zip archive of (name, content)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as found:
        for name, content in members:
            found.writestr(zipfile.ZipInfo(name), content, compress_type=compression)
    return file


def certificate(header, messages, width=None):
    """A certificate as a file; a digest in the header is kept."""
    content, digest = entries([one[3] for one in messages], width)
    text = json.dumps({"arrays_sha256": digest} | header)
    return archive([("header.json", text), ("messages.npy", content)])


def changed(document, path, value):
    """A copy of a document with one value changed, or removed if it is `...`; paths as `problem.layers[0].name`."""
    copy = json.loads(json.dumps(document))
    keys = [int(key) if key.isdecimal() else key for key in path.replace("[", ".").replace("]", "").split(".")]
    place = copy
    for key, _ in pairwise(keys):
        place = place[key]
    if value is ...:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    return copy
