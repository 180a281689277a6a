"""A slow checker of certificates, written from docs/certificates.md and docs/model.md alone, in exact fractions.

It shares nothing with the other one: no NumPy, no bound on sums, every word and every plan by name.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import struct
import zipfile
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import gcd, inf, lcm, prod

GRAPH = ("intervals", "sizes", "costs", "usages", "ends", "places", "tables")
PROOF = ("ties", "links", "messages", "prices", "plan")
FORBIDDEN = 10**18
EXACT = r"-?\d{1,999}(\.\d{1,999}|/[1-9]\d{0,998})?"
LAYOUTS = {"d": ("B", "B"), "m": ("C", "R"), "o": ("R", "C"), "r": ("R", "R")}
"""How F[l] and F[l+1] of a layer lie."""
AMOUNT = {
    ("B", "C"): Fraction(1, 4),
    ("C", "B"): Fraction(1, 4),
    ("B", "R"): Fraction(1, 2),
    ("C", "R"): Fraction(1, 2),
}
"""By what a side has and what it needs; 0 otherwise."""


class Malformed(Exception):
    """A file is no certificate, or of a problem that has no plan."""


@dataclass(frozen=True)
class Judged:
    """What a certificate proves, what its plan costs (None if it is illegal), and whether it proves what it claims."""

    bound: Fraction
    cost: Fraction | None
    proven: bool


def judge(file):
    """Judge a certificate, given as an open file."""
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            need(all(one.compress_type == zipfile.ZIP_STORED and not one.flag_bits & 1 for one in members))
            need(all(one.file_size == one.compress_size for one in members))
            names = [one.filename for one in members]
            need(len(set(names)) == len(names))
            contents = {name: archive.read(name) for name in names}
        header = json.loads(contents.pop("header.json").decode("utf-8"))
        kind = header["problem"]["kind"]
        arrays = {name.removesuffix(".npy"): content for name, content in contents.items() if name.endswith(".npy")}
        need(len(arrays) == len(contents))
        return (of_graph if kind == "strategy-graph" else of_network)(header, arrays)
    except (
        zipfile.BadZipFile,
        OSError,
        EOFError,
        RuntimeError,
        ValueError,
        LookupError,
        TypeError,
        struct.error,
    ) as error:
        raise Malformed(str(error)) from None


def need(is_so):
    """Refuse what is not so."""
    if not is_so:
        raise Malformed


# --- fields


def integer(low, high):
    """Whether something is an integer from one number to another."""
    return lambda value: type(value) is int and low <= value <= high


def text(pattern=r"(?s:.*)"):
    """Whether something is a text of a pattern."""
    return lambda value: type(value) is str and re.fullmatch(pattern, value, re.ASCII) is not None


def every(is_so):
    """Whether something is a list of such."""
    return lambda value: type(value) is list and all(map(is_so, value))


def named(is_so):
    """Whether something is an object whose fields are such."""
    return lambda value: type(value) is dict and all(map(is_so, value.values()))


def fields(**wanted):
    """Whether something is an object with just these fields."""
    return lambda value: (
        type(value) is dict and value.keys() == wanted.keys() and all(is_so(value[x]) for x, is_so in wanted.items())
    )


SIZE, POSITIVE, DIGEST = integer(0, 2**127 - 1), integer(1, 2**63 - 1), text("[0-9a-f]{64}")
SCHEMA = text(re.escape("hypar-opt/certificate/1"))
LAYER = fields(
    name=text(), join=lambda value: type(value) is bool, feature_in=SIZE, weight=SIZE, feature_out=SIZE,
    in_sizes=every(POSITIVE), out_sizes=every(POSITIVE), groups=POSITIVE,
)  # fmt: skip
NETWORK = fields(
    kind=text("network"), instance=text(), instance_sha256=DIGEST, overrides=named(lambda _: True), batch=POSITIVE,
    levels=integer(0, 24), accounting=text("published|as-evaluated|receiver|leaf-exact|collective"),
    choices=text("[dmor]{1,4}"),
    bytes_per_element=POSITIVE, splits=text("any|divisible"), fix=named(text()),
    objective=fields(communication=lambda value: text(EXACT)(value) or every(text(EXACT))(value)),
    layers=every(lambda one: type(one) is dict and LAYER({"groups": 1} | one)), boundaries=every(every(SIZE)),
)  # fmt: skip
NETWORK_HEADER = fields(
    schema=SCHEMA, problem=NETWORK, scale=integer(0, 1024), multipliers=every(text()), arrays_sha256=DIGEST,
    clusters=every(
        fields(kind=text("boundary|bucket|edge"), variables=every(SIZE), unary=every(SIZE), edges=every(SIZE))
    ),
    messages=every(fields(**{"from": SIZE, "to": SIZE, "variables": every(SIZE)})),
    claim=fields(bound=text(EXACT), plan=named(text())),
)  # fmt: skip
GRAPH_HEADER = fields(
    schema=SCHEMA, scale=integer(0, 1024), arrays_sha256=DIGEST,
    problem=fields(kind=text(), instance=text(), instance_sha256=DIGEST, overrides=fields(),
                   usage_limit=integer(0, 2**63 - 1), arrays_sha256=DIGEST),
    claim=fields(proves=text("optimality|bound"), bound=text(r"-?\d{1,999}"), cost=text(r"-?\d{1,999}"),
                 rests_on=text()),
)  # fmt: skip


def entries(content):
    """The integers of an array as NumPy writes it, and the bytes of each."""
    need(content[:6] == b"\x93NUMPY" and content[6:8] in (b"\1\0", b"\2\0"))
    start = 10 if content[6] == 1 else 12
    end = start + int.from_bytes(content[8:start], "little")
    said = said_by(content[start:end])
    need(said.keys() == {"descr", "fortran_order", "shape"} and said["fortran_order"] is False)
    rows = said["descr"] == "|u1"
    need(rows or said["descr"] == "<i8")
    need(len(said["shape"]) == 1 + rows)
    width, raw = said["shape"][1] if rows else 8, content[end:]
    need(0 < width < 100 and len(raw) == said["shape"][0] * width)
    numbers = [int.from_bytes(raw[at : at + width], "little", signed=True) for at in range(0, len(raw), width)]
    return numbers, raw, rows


@lru_cache(maxsize=500)
def said_by(text):
    """What stands before the entries of an array."""
    return ast.literal_eval(text.decode("latin-1"))


# --- networks


class Network:
    """The words that layers may have, and what they cost."""

    def __init__(self, problem):
        self.layers = [{"groups": 1} | one for one in problem["layers"]]
        self.problem, self.names = problem, [one["name"] for one in self.layers]
        self.levels, self.batch = range(problem["levels"]), problem["batch"]
        self._refuse()
        self.is_even = [one["join"] or one["groups"] > 1 for one in self.layers]
        letters = [[a for a in problem["choices"] if self._may_have(x, a)] for x in range(len(self.layers))]
        need(all(letters) or not self.levels)
        self.words = [["".join(one) for one in product(some, repeat=len(self.levels))] for some in letters]
        self.legal = [[word for word in some if self.allows(x, word)] for x, some in enumerate(self.words)]
        need(all(self.legal))
        given = problem["objective"]["communication"]
        weights = [Fraction(one) for one in ([given] if type(given) is str else given)]
        need(all(one >= 0 for one in weights) and (any(weights) or not weights))
        common = lcm(*(one.denominator for one in weights))
        self.odd = common // (common & -common)
        self.weight = weights if type(given) is list else weights * len(self.levels)
        self.only = weights[0] if type(given) is str else None
        by_level = problem["accounting"] not in ("leaf-exact", "collective")
        need(type(given) is str or (len(given) == len(self.levels) and by_level))
        self.unary = [{word: self.intra(x, word) for word in some} for x, some in enumerate(self.words)]
        self.edges = [
            {(a, b): self.inter(i, j, a, b, elements) for a in self.words[i] for b in self.words[j]}
            for i, j, elements in problem["boundaries"]
        ]
        self.best = min(self.cost(dict(zip(self.names, plan, strict=True))) for plan in product(*self.legal))

    def _may_have(self, x, letter):
        if letter == "r":
            return self.layers[x]["join"]
        return letter != "o" or not self.is_even[x]

    def _refuse(self):
        problem, count = self.problem, len(self.layers)
        need(0 < count == len(set(self.names)))
        need(len(set(problem["choices"])) == len(problem["choices"]))
        need(problem["accounting"] != "as-evaluated" or not set("or") & set(problem["choices"]))
        need(problem["accounting"] not in ("leaf-exact", "collective") or problem["levels"] <= 6)
        need(all(one["in_sizes"] and one["out_sizes"] for one in self.layers))
        need(not any(one["join"] and one["groups"] != 1 for one in self.layers))
        need(set(problem["fix"]) <= set(self.names))
        others = problem["overrides"].keys() - {"array", "placement", "objective", "input_error", "fix"}
        need(all(x in problem and problem[x] == problem["overrides"][x] for x in others))
        for one in problem["boundaries"]:
            need(len(one) == 3 and one[0] != one[1] and max(one[:2]) < count)
        producers = [one[0] for one in problem["boundaries"]]
        need(problem["accounting"] != "collective" or len(set(producers)) == len(producers))

    def allows(self, x, word):
        """Whether a layer may have a word."""
        one, problem = self.layers[x], self.problem
        often = {letter: 2 ** word.count(letter) for letter in "dmor"}
        is_so = re.fullmatch(re.sub("[^.dmor]", "!", problem["fix"].get(one["name"], word)), word) is not None
        if one["groups"] > 1:
            is_so = is_so and one["groups"] % often["m"] == 0
        if problem["splits"] == "divisible":
            is_so = is_so and problem["batch"] % often["d"] == 0 and gcd(*one["out_sizes"]) % often["o"] == 0
            is_so = is_so and (one["groups"] > 1 or gcd(*one["in_sizes"]) % often["m"] == 0)
        return is_so

    def layout(self, x, letter):
        """How a layer's input and output lie."""
        before, behind = LAYOUTS[letter]
        return (before, before) if self.is_even[x] else (before, behind)

    def intra(self, x, word):
        """What the partial sums of a layer cost: at every level twice the tensor, in every group its part of it."""
        one, total = self.layers[x], Fraction(0)
        sums = {"d": one["weight"], "m": self.batch * one["feature_out"], "o": self.batch * one["feature_in"]}
        if one["groups"] > 1:
            sums["m"] = 0
        if self.problem["accounting"] == "collective":
            sums["o"] = 0
            sums["m"] *= x not in [ends[0] for ends in self.problem["boundaries"]]
        if one["join"]:
            return total
        for h in self.levels:
            halved = sum(above != word[h] for above in word[:h])
            total += self.weigh(h) * 2**h * Fraction(sums[word[h]], 2**halved)
        return 2 * self.problem["bytes_per_element"] * total

    def weigh(self, h):
        """What a byte of a level weighs."""
        return self.weight[h]

    def inter(self, i, j, a, b, elements):
        """What the tensor between two layers costs, and its error."""
        size, accounting = self.batch * elements, self.problem["accounting"]
        has, needs = [self.layout(i, one)[1] for one in a], [self.layout(j, one)[0] for one in b]
        if accounting == "leaf-exact":
            return self.only * self.problem["bytes_per_element"] * size * (leaves(has, needs) + leaves(needs, has))
        if accounting == "collective":
            written = self.batch * self.layers[i]["feature_out"]
            moved = collectives(has, needs, written, size) + collectives(needs, has, size, written)
            return self.only * self.problem["bytes_per_element"] * moved
        total = Fraction(0)
        for h in self.levels:
            forwards = AMOUNT.get((has[h], needs[h]), 0) * 2**h / Fraction(2 ** halves(needs[:h]))
            measured = has if accounting == "receiver" else needs
            back = AMOUNT.get((needs[h], has[h]), 0) * 2**h / Fraction(2 ** halves(measured[:h]))
            is_free = accounting == "as-evaluated" and a[h] == "m" and not self.is_even[i]
            total += 0 if is_free else self.weigh(h) * (forwards + back) * size
        return 2 * self.problem["bytes_per_element"] * total

    def cost(self, plan):
        """What a legal plan costs."""
        words = [plan[name] for name in self.names]
        ends = [tuple(words[x] for x in one[:2]) for one in self.problem["boundaries"]]
        return sum(one[word] for one, word in zip(self.unary, words, strict=True)) + sum(
            one[pair] for one, pair in zip(self.edges, ends, strict=True)
        )


def halves(layouts):
    """How many of these split a tensor."""
    return sum(one != "R" for one in layouts)


def leaves(has, needs):
    """What all leaves together lack of a tensor, in its size."""
    part = {"B": Fraction(1, 2), "C": Fraction(1, 2), "R": Fraction(1)}
    both = [part[x] if x == y else part[x] * part[y] for x, y in zip(has, needs, strict=True)]
    return 2 ** len(has) * (prod(part[x] for x in needs) - prod(both))


def collectives(has, needs, before, behind):
    """What reduce-scatter, all-to-all and all-gather move; the first and the last each on a side of the pools."""
    exchanged, half = min(before, behind), Fraction(1, 2)
    sums = [1 if x == "R" else half for x in has]  # what is whole is partial sums: scattered first, as is needed
    crossed = [half if x == "R" or y in ("R", x) else half / 2 for x, y in zip(has, needs, strict=True)]
    scattered = half ** len(has)
    gathered = prod(1 if y == "R" else half for y in needs)
    swapped = (scattered - prod(crossed)) * exchanged
    return 2 ** len(has) * ((prod(sums) - scattered) * before + swapped + (gathered - scattered) * behind)


@lru_cache(maxsize=500)
def network_of(problem):
    """The network of a problem, as JSON."""
    return Network(json.loads(problem))


def of_network(header, arrays):
    """Judge a network's certificate."""
    need(NETWORK_HEADER(header) and arrays.keys() == {"messages"})
    network = network_of(json.dumps(header["problem"]))
    clusters, own = header["clusters"], [one["variables"] for one in header["clusters"]]
    need(all(0 < len(set(one)) == len(one) and max(one) < len(network.layers) for one in own))
    for kind, number in (("unary", len(network.layers)), ("edges", len(network.edges))):
        need(sorted(x for one in clusters for x in one[kind]) == [*range(number)])
    for cluster in clusters:
        ends = [x for e in cluster["edges"] for x in header["problem"]["boundaries"][e][:2]]
        need({*cluster["unary"], *ends} <= {*cluster["variables"]})
    need(not header["multipliers"])
    numbers, raw, _ = entries(arrays["messages"])
    given, first, left = [[] for _ in clusters], 0, iter(numbers)
    for one in header["messages"]:
        source, target, scope = one["from"], one["to"], one["variables"]
        need(source != target and max(source, target) < len(own) and first <= min(source, target))
        need(len(set(scope)) == len(scope) and set(scope) <= {*own[source]} & {*own[target]})
        first = min(source, target)
        table = {words: next(left, None) for words in product(*(network.words[x] for x in scope))}
        need(None not in table.values())
        given[source].append((-1, scope, table))
        given[target].append((1, scope, table))
    need(next(left, None) is None and hashlib.sha256(raw).hexdigest() == header["arrays_sha256"])
    bound, unit = Fraction(0), Fraction(1, network.odd * 2 ** header["scale"])
    for cluster, messages in zip(clusters, given, strict=True):
        bound += least(network, cluster, messages, unit)
    plan, cost = header["claim"]["plan"], None
    if plan.keys() == set(network.names) and all(
        plan[name] in network.legal[x] for x, name in enumerate(network.names)
    ):
        cost = network.cost(plan)
    return Judged(bound, cost, bound == cost == Fraction(header["claim"]["bound"]))


def least(network, cluster, messages, unit):
    """The least sum of what a cluster is charged, and of messages, over all legal words of its layers."""
    found = inf
    for words in product(*(network.legal[x] for x in cluster["variables"])):
        word = dict(zip(cluster["variables"], words, strict=True))
        total = sum(sign * table[tuple(word[x] for x in scope)] for sign, scope, table in messages) * unit
        total += sum(network.unary[x][word[x]] for x in cluster["unary"])
        for e in cluster["edges"]:
            i, j, _ = network.problem["boundaries"][e]
            total += network.edges[e][word[i], word[j]]
        found = min(found, total)
    return found


# --- strategy graphs


class Graph:
    """What strategies and pairs cost, of those that are allowed; what they use; who is merged with whom."""

    def __init__(self, arrays, limit):
        self.limit, sizes = limit, arrays["sizes"]
        spans, ends = pairs(arrays["intervals"]), pairs(arrays["ends"])
        need(len(spans) == len(sizes) and all(one > 0 for one in sizes))
        need(sum(sizes) == len(arrays["costs"]) == len(arrays["usages"]) and min(arrays["usages"], default=0) >= 0)
        need(all(start <= end for start, end in spans) and len(ends) == len(arrays["places"]))
        self.sizes, starts = sizes, [sum(sizes[:i]) for i in range(len(sizes))]
        self.own = [{a: arrays["costs"][at + a] for a in range(n)} for at, n in zip(starts, sizes, strict=True)]
        self.uses = [
            [(span, {a: arrays["usages"][at + a] for a in range(n)})]
            for span, at, n in zip(spans, starts, sizes, strict=True)
        ]
        self.near, self.tables = {}, []
        for (i, j), place in zip(ends, arrays["places"], strict=True):
            need(0 <= i < len(sizes) and -1 <= j < len(sizes))
            columns = 1 if j < 0 else sizes[j]
            need(0 <= place <= place + sizes[i] * columns <= len(arrays["tables"]))
            table = {(a, b): arrays["tables"][place + a * columns + b] for a in range(sizes[i]) for b in range(columns)}
            self.tables.append((i, j, table))
        self.costs = [dict(one) for one in self.own]
        self.own = [{a: cost for a, cost in one.items() if cost < FORBIDDEN} for one in self.own]
        for i, j, table in self.tables:
            self.join(i, j, {pair: cost for pair, cost in table.items() if cost < FORBIDDEN})

    def join(self, i, j, table):
        """Add what pairs cost; those that are missing are not allowed."""
        if i == j or j < 0:
            diagonal = {a: table[a, a if i == j else 0] for a in self.own[i] if (a, a if i == j else 0) in table}
            self.own[i] = {a: self.own[i][a] + cost for a, cost in diagonal.items()}
        elif i > j:
            self.join(j, i, {(b, a): cost for (a, b), cost in table.items()})
        else:
            old = self.near.get((i, j))
            both = table if old is None else {pair: old[pair] + table[pair] for pair in old.keys() & table.keys()}
            self.near[i, j] = both

    def cost(self, plan):
        """What a plan costs by the numbers of the file, None if it is not legal."""
        costs = [one[a] for one, a in zip(self.costs, plan, strict=True)]
        costs += [table[plan[i], plan[j] if j >= 0 else 0] for i, j, table in self.tables]
        items = [(span, uses[a]) for ((span, uses),), a in zip(self.first, plan, strict=True)]
        used = [sum(use for (s, e), use in items if s <= time < e) for (time, _), _ in items]
        return None if max(costs, default=0) >= FORBIDDEN or max(used, default=0) > self.limit else sum(costs)

    @property
    def first(self):
        """Usages before anybody is merged."""
        return [one[:1] for one in self.uses]

    def merge(self, leader, node):
        """Merge a node with its leader."""
        link = (min(leader, node), max(leader, node))
        need(leader != node and link in self.near)
        table = self.near.pop(link)
        table = table if leader < node else {(b, a): cost for (a, b), cost in table.items()}
        table = {(a, b): cost for (a, b), cost in table.items() if a in self.own[leader] and b in self.own[node]}
        to = dict(table.keys())
        need(len(to) == len(table))
        self.own[leader] = {a: self.own[leader][a] + self.own[node][b] + table[a, b] for a, b in to.items()}
        for span, uses in self.uses[node]:
            self.uses[leader].append((span, {a: uses[b] for a, b in to.items()}))
        self.own[node], self.uses[node] = {0: 0}, []
        for i, j in [one for one in self.near if node in one]:
            other, old = i + j - node, self.near.pop((i, j))
            old = old if i == node else {(b, a): cost for (a, b), cost in old.items()}
            new = {(a, b): old[to[a], b] for a in to for b in range(self.sizes[other]) if (to[a], b) in old}
            self.join(leader, other, new)

    def crowd_out(self):
        """Take away what does not fit beside the least of all others, until nothing changes."""
        times = {start for items in self.uses for (start, _), _ in items}
        for time in times:
            takes = [
                {a: sum(uses[a] for (s, e), uses in items if s <= time < e) for a in own}
                for own, items in zip(self.own, self.uses, strict=True)
            ]
            need(all(takes))
            least = sum(min(one.values()) for one in takes)
            for i, one in enumerate(takes):
                kept = {a: self.own[i][a] for a in one if least - min(one.values()) + one[a] <= self.limit}
                if len(kept) < len(one):
                    self.own[i] = kept
                    return self.crowd_out()
        return None

    def bound(self, arrays, scale):
        """What no plan costs less than, rounded up."""
        prices, links, left = pairs(arrays["prices"]), pairs(arrays["links"]), iter(arrays["messages"])
        need(all(one[0] < other[0] for one, other in pairwise(prices)) and all(price > 0 for _, price in prices))
        given = {}
        for i, j in links:
            need((i, j) in self.near and (i, j) not in given)
            given[i, j] = [[next(left, None) for _ in range(self.sizes[x])] for x in (i, j)]
            need(None not in given[i, j][0] + given[i, j][1])
        need(next(left, None) is None)
        total = Fraction(-sum(price for _, price in prices) * self.limit, 2**scale)
        for x, own in enumerate(self.own):
            sums = dict.fromkeys(own, 0)
            for a in own:
                for (start, end), uses in self.uses[x]:
                    sums[a] += uses[a] * sum(price for time, price in prices if start <= time < end)
                sums[a] += sum(tables[link.index(x)][a] for link, tables in given.items() if x in link)
            need(own)
            total += min(own[a] + Fraction(sums[a], 2**scale) for a in own)
        for (i, j), table in self.near.items():
            first, second = given.get((i, j), ([0] * self.sizes[i], [0] * self.sizes[j]))
            allowed = [(a, b) for a, b in table if a in self.own[i] and b in self.own[j]]
            need(allowed)
            total += min(table[a, b] - Fraction(first[a] + second[b], 2**scale) for a, b in allowed)
        return Fraction(-(-total.numerator // total.denominator))


def pairs(numbers):
    """Numbers, two by two."""
    need(len(numbers) % 2 == 0)
    return [(numbers[at], numbers[at + 1]) for at in range(0, len(numbers), 2)]


@lru_cache(maxsize=2000)
def cheapest(arrays, limit):
    """The least cost of a plan of a graph, None if there is none."""
    graph = Graph(dict(arrays), limit)
    return min((c for one in product(*map(range, graph.sizes)) if (c := graph.cost(one)) is not None), default=None)


def of_graph(header, arrays):
    """Judge a strategy graph's certificate."""
    need(GRAPH_HEADER(header) and arrays.keys() == {*GRAPH, *PROOF})
    found = {}
    for names, digest in ((GRAPH, header["problem"]["arrays_sha256"]), (PROOF, header["arrays_sha256"])):
        hashed = hashlib.sha256()
        for name in names:
            found[name], raw, rows = entries(arrays[name])
            need(not rows)
            hashed.update(f"{name} {len(found[name])}\n".encode() + raw)
        need(hashed.hexdigest() == digest)
    graph, plan, claim = Graph(found, header["problem"]["usage_limit"]), found["plan"], header["claim"]
    is_plan = len(plan) == len(graph.sizes) and all(0 <= a < n for a, n in zip(plan, graph.sizes, strict=True))
    cost = graph.cost(plan) if is_plan else None
    for leader, node in pairs(found["ties"]):
        need(0 <= leader < len(graph.sizes) and 0 <= node < len(graph.sizes))
        graph.merge(leader, node)
    graph.crowd_out()
    bound = graph.bound(found, header["scale"])
    proven = cost is not None and cost == int(claim["cost"]) and bound >= int(claim["bound"])
    return Judged(bound, cost, proven and (claim["proves"] == "bound" or bound == cost))


def optimum(file):
    """The least cost of a plan of the problem in a certificate that is well made; None if there is none."""
    with zipfile.ZipFile(file) as archive:
        header = json.loads(archive.read("header.json"))
        if header["problem"]["kind"] == "network":
            return network_of(json.dumps(header["problem"])).best
        arrays = tuple((name, tuple(entries(archive.read(f"{name}.npy"))[0])) for name in GRAPH)
    return cheapest(arrays, header["problem"]["usage_limit"])
